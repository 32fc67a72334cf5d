#pragma once

#include "core/lock_token.hpp"
#include "engines/etcd/messages/ranges.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace redlock::etcd {

/// What the tries of one client are called, as the text of a token without a ticket.
///
/// Whoever asks for a range makes etcd go through all names that were ever in it, those of deleted keys, too,
/// until they are compacted. So a name serves again for the same lock, and a queue has seen no more of them
/// than tries of each client at once.
///
/// It serves again only behind an answer that says that no key has it, when nothing else that could write or
/// delete that key blindly is under way: a late request would be about another try. Once that was in doubt
/// for any, the client never uses its former names again.
class try_names {
    struct used;
    struct state;

public:
    class name;
    using draw = std::function<std::uint64_t()>; ///< a random number

    try_names(const core::client_name& client, draw random);

    /// One that no other try for that lock has, or may have.
    std::shared_ptr<name> take(const std::string& lock);

private:
    const core::client_name client_;
    const draw draw_;
    const std::shared_ptr<state> state_; ///< names may live longer
};

/// Of one try. It is in doubt what became of the key of one that is destroyed without being given back.
class try_names::name {
public:
    ~name();
    name(const name&) = delete;
    name& operator=(const name&) = delete;

    std::string_view text() const noexcept { return token_.text(); }
    /// No key has it, nor will one have it.
    void give_back() noexcept;

private:
    friend class try_names;
    name(std::shared_ptr<state> of, used& among, unsigned number, const core::lock_token& token);

    std::shared_ptr<state> state_; ///< until it is given back
    used& among_;                  ///< gone with the era
    const std::uint64_t era_;
    const unsigned number_;
    const core::lock_token token_;
};

using try_name = std::shared_ptr<try_names::name>;

/// As users are shown a try, and may name it: with the revision that made its key in place of the ticket. As
/// it is where it is no name of a try.
std::string shown_try(std::string_view name, messages::revision created);

struct try_shown {
    std::string name;
    messages::revision created;
};
/// Nothing for what was not shown by `shown_try`.
std::optional<try_shown> read_shown_try(std::string_view text);

} // namespace redlock::etcd
