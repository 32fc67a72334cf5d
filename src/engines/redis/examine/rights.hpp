#pragma once

#include <redlock/node_examination.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::redis {

/// A command of the library in a form that changes nothing: on a key that does not exist, or with words that
/// the server refuses after it has looked at the user's rights. What a server says of a user's rights would
/// not do: users may be forbidden to ask, and commands may have other names.
struct harmless_command {
    purpose needed_for;
    std::string_view right; ///< the command, as ACL rules name it
    std::vector<std::string> words;
};

/// What the user may do with keys and channels of this client in this database.
class rights {
public:
    /// `unique` makes the key that is tried one that nobody else has. `tags_keys` where what stands beside a
    /// key has a hash tag.
    rights(const std::string& key_prefix, std::string_view unique, unsigned database, bool tags_keys);

    /// All commands to try, but for the subscription.
    const std::vector<harmless_command>& to_try() const noexcept { return to_try_; }
    /// The one channel to subscribe to.
    const std::string& channel() const noexcept { return channel_; }
    const std::string& key() const noexcept { return key_; }

    /// What an error shows to be missing for this command; nothing when it shows nothing of the kind.
    std::optional<missing_right> missing(purpose needed_for, std::string_view right,
                                         std::string_view error) const;

private:
    std::string key_;
    std::string channel_;
    std::string keys_rule_;
    std::string channels_rule_; ///< of keyspace events
    std::vector<harmless_command> to_try_;
};

/// Adds it, unless it is there already.
void add(std::vector<missing_right>& all, missing_right found);

} // namespace redlock::redis
