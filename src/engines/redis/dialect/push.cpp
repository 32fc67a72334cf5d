#include "engines/redis/dialect/push.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace redlock::redis {

namespace {

std::optional<key_change::kind> kind_of(std::string_view event) noexcept {
    using kind = key_change::kind;
    for (const std::string_view gone : {"del", "expired", "evicted", "rename_from", "move_from"})
        if (event == gone) return kind::gone;
    for (const std::string_view written : {"set", "restore", "rename_to", "copy_to", "move_to"})
        if (event == written) return kind::written;
    for (const std::string_view dated : {"expire", "persist"})
        if (event == dated) return kind::dated;
    return std::nullopt;
}

} // namespace

std::string keyspace_channel(unsigned database, std::string_view key) {
    return fmt::format("__keyspace@{}__:{}", database, key);
}

std::optional<key_change> read_keyspace_event(const resp::reply& message, unsigned database) {
    const resp::reply name = message.first();
    if (name.text() != "message") return std::nullopt;
    const resp::reply channel = name.next();
    const std::string prefix = keyspace_channel(database, {});
    if (!channel.text().starts_with(prefix)) return std::nullopt;
    const std::optional<key_change::kind> what = kind_of(channel.next().text());
    if (!what) return std::nullopt;
    return key_change{.what = *what, .key = channel.text().substr(prefix.size())};
}

} // namespace redlock::redis
