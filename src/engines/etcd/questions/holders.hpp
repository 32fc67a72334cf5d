#pragma once

#include "engines/etcd/messages/ranges.hpp"

#include <redlock/leader_info.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::etcd {

/// Somebody who has a lock, as his key says.
struct holder {
    std::string try_name; ///< printable, by `shown_try`
    std::string label;    ///< likewise; empty where it has not said
    std::uint64_t fencing_token = 0;
    messages::lease_id lease = 0;
};

/// Those who have a lock.
struct holders {
    /// So many readers are shown, and can be broken with one transaction.
    static constexpr std::size_t most_shown = 60;
    /// Among so many of either sort a fencing token is looked for.
    static constexpr std::size_t most_checked = 1000;

    std::optional<holder> writer{}; ///< or whoever has it for himself otherwise
    std::vector<holder> readers{};  ///< none beside a writer
    bool more_readers = false;
    std::uint64_t waiting = 0;           ///< so many behind them, at least
    std::optional<leader_info> leader{}; ///< what the writer has proclaimed, where that was asked for

    bool has_token(std::uint64_t fencing_token) const noexcept;
};

/// Asks for that; for so many at most of those who read, and likewise of those who do behind having written.
/// And for what stands under the key of the leader, where one is named.
std::string holders_request(const std::string& queue, std::size_t most, const std::string& leader = {});
/// Nothing for a message that is none.
std::optional<holders> read_holders(std::string_view response, const std::string& queue, std::size_t most);

} // namespace redlock::etcd
