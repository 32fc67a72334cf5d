#include "engines/redis/examine/rights.hpp"

#include "engines/redis/dialect/push.hpp"
#include "engines/redis/dialect/queue_commands.hpp"
#include "engines/redis/dialect/scripts.hpp"
#include "engines/redis/node/cluster/hash_slot.hpp"
#include "engines/redis/quorum/claim.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace redlock::redis {

namespace {

std::string text(std::string_view s) { return std::string(s); }

bool says(std::string_view words, std::string_view part) noexcept { return words.find(part) != words.npos; }

} // namespace

rights::rights(const std::string& key_prefix, std::string_view unique, unsigned database, bool tags_keys)
    : key_(fmt::format("{}redlock:probe:{}", key_prefix, unique)),
      channel_(keyspace_channel(database, key_)),
      keys_rule_(tags_keys ? fmt::format("~{0}* ~{{{0}*", key_prefix) : fmt::format("~{}*", key_prefix)),
      channels_rule_(fmt::format("&{}*", keyspace_channel(database, key_prefix))) {
    std::string fence = fmt::format("{}{}", key_, claim::fence_suffix);
    std::string queue = fmt::format("{}{}", key_, claim::queue_suffix);
    std::string readers = fmt::format("{}{}", key_, claim::readers_suffix);
    if (tags_keys) {
        node::name_beside(fence, key_, claim::fence_suffix);
        node::name_beside(queue, key_, claim::queue_suffix);
        node::name_beside(readers, key_, claim::readers_suffix);
    }
    using enum purpose;
    to_try_ = {
        // Not both can be.
        {locking, "set", {"SET", key_, "probe", "NX", "XX"}},
        {locking, "get", {"GET", key_}},
        {locking, "del", {"DEL", key_}},
        {locking, "pttl", {"PTTL", key_}},
        {locking, "pexpire", {"PEXPIRE", key_, "1"}},
        {locking, "eval", {"EVAL", text(text_of(script::release)), "1", key_, "probe"}},
        {locking, "evalsha", {"EVALSHA", text(hash_of(script::release)), "1", key_, "probe"}},
        {keyspace_events, "pubsub|numsub", {"PUBSUB", "NUMSUB", channel_}},
        {client_tracking, "client|tracking", {"CLIENT", "TRACKING", "OFF"}},
        // Not without tracking.
        {client_tracking, "client|caching", {"CLIENT", "CACHING", "YES"}},
        // Not both can be.
        {fencing, "zadd", {"ZADD", fence, "NX", "XX", "1", "fence"}},
        {fencing, "zscore", {"ZSCORE", fence, "fence"}},
        {queues, "publish", {"PUBLISH", channel_of(fmt::format("probe:{}", unique)), ""}},
        {queues, "pubsub|numsub", {"PUBSUB", "NUMSUB", channel_}},
        {queues, "time", {"TIME"}},
        // Not both can be; there is no such queue.
        {queues, "zadd", {"ZADD", queue, "NX", "XX", "1", "member"}},
        {queues, "zrem", {"ZREM", queue, "member"}},
        {queues, "zrank", {"ZRANK", queue, "member"}},
        {queues, "zrange", {"ZRANGE", queue, "0", "0"}},
        {queues, "zrangebyscore", {"ZRANGEBYSCORE", queue, "1", "1"}},
        {queues, "zpopmin", {"ZPOPMIN", queue}},
        {reading, "time", {"TIME"}},
        {reading, "exists", {"EXISTS", key_}},
        // Nobody reads.
        {reading, "pexpireat", {"PEXPIREAT", readers, "1"}},
        // Not both can be.
        {reading, "zadd", {"ZADD", readers, "NX", "XX", "1", "member"}},
        {reading, "zrange", {"ZRANGE", readers, "-1", "-1"}},
        {reading, "zrem", {"ZREM", readers, "member"}},
        {reading, "zscore", {"ZSCORE", readers, "member"}},
        {reading, "zremrangebyscore", {"ZREMRANGEBYSCORE", readers, "-inf", "0"}},
        // There is no such setting.
        {configuration, "config|set", {"CONFIG", "SET", "redlock-probe", "none"}},
    };
}

std::optional<missing_right> rights::missing(purpose needed_for, std::string_view right,
                                             std::string_view error) const {
    // "unknown command" alone would be said of a subcommand too, by servers that have the command.
    if (error.starts_with("ERR unknown command"))
        return missing_right{.needed_for = needed_for, .rule = fmt::format("+{}", right), .no_command = true};
    if (!error.starts_with("NOPERM")) return std::nullopt;
    missing_right found{.needed_for = needed_for, .rule = fmt::format("+{}", right)};
    if (says(error, "access") && says(error, "channel"))
        found.rule = needed_for == purpose::queues ? fmt::format("&{}*", channel_of("")) : channels_rule_;
    else if (says(error, "access") && says(error, "key"))
        found.rule = keys_rule_;
    return found;
}

void add(std::vector<missing_right>& all, missing_right found) {
    const auto is_it = [&](const missing_right& other) {
        return other.needed_for == found.needed_for && other.rule == found.rule;
    };
    if (std::ranges::none_of(all, is_it)) all.push_back(std::move(found));
}

} // namespace redlock::redis
