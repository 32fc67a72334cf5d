#include "engines/redis/node/server/server_info.hpp"

#include "engines/redis/node/server/number_text.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace redlock::node {
namespace {

// In seconds: no server has run for a hundred years, and no clock is right that is past 2242. Nanoseconds, in
// which all of it is reckoned with, end twenty years after that.
constexpr std::uint64_t longest_uptime = std::uint64_t{100} * 366 * 24 * 3600;
constexpr std::uint64_t latest_time = std::uint64_t{1} << 33;

std::string role(std::string_view value) { return value == "slave" ? "replica" : printable(value); }

// One that cannot be is as good as none, and keeps the node out for longer.
void read_uptime(std::string_view value, server_info& info) {
    if (const auto seconds = number_up_to(longest_uptime, value))
        info.uptime = std::chrono::seconds(static_cast<std::int64_t>(*seconds));
}

void read_line(std::string_view name, std::string_view value, server_info& info) {
    if (name == "redis_version") {
        if (info.product.empty()) info.product = "redis";
        if (info.product == "redis") info.version = printable(value);
    } else if (name == "server_name") {
        info.product = printable(value);
    } else if (name == "valkey_version") {
        // Valkey gives a Redis version too, for the sake of clients that know no other.
        info.product = "valkey";
        info.version = printable(value);
    } else if (name == "run_id") {
        info.run_id = printable(value);
    } else if (name == "master_replid") {
        info.replication_id = printable(value);
    } else if (name == "master_replid2") {
        info.promoted = value.find_first_not_of('0') != value.npos;
    } else if (name == "uptime_in_seconds") {
        read_uptime(value, info);
    } else if (name == "maxmemory_policy") {
        info.eviction_policy = printable(value);
    } else if (name == "maxmemory") {
        info.memory_is_limited = value != "0";
    } else if (name == "role") {
        info.role = role(value);
    } else if (name == "loading") {
        info.loading = value != "0";
    } else if (name == "redis_mode" || name == "server_mode") {
        info.mode = printable(value);
    }
}

} // namespace

std::string printable(std::string_view text) {
    constexpr std::size_t longest = 64;
    std::string shown(text.substr(0, longest));
    std::ranges::replace_if(
        shown, [](char c) { return c < ' ' || c > '~'; }, '?');
    return shown;
}

bool read_hello(const resp::reply& reply, server_info& info) {
    if (!reply.is(resp::kind::map) && !reply.is(resp::kind::array)) return false;
    for (auto name = reply.first(); !name.end();) {
        const auto value = name.next();
        if (value.end()) return false;
        if (name.text() == "server") info.product = printable(value.text());
        if (name.text() == "version") info.version = printable(value.text());
        if (name.text() == "role") info.role = role(value.text());
        if (name.text() == "mode") info.mode = printable(value.text());
        name = value.next();
    }
    return true;
}

std::optional<std::chrono::microseconds> read_time(const resp::reply& reply) noexcept {
    if (!reply.is(resp::kind::array) || reply.size() != 2) return std::nullopt;
    const auto seconds = number_up_to(latest_time, reply.first().text());
    const auto microseconds = number_up_to(999'999, reply.first().next().text());
    if (!seconds || !microseconds) return std::nullopt;
    return std::chrono::seconds(static_cast<std::int64_t>(*seconds)) +
           std::chrono::microseconds(static_cast<std::int64_t>(*microseconds));
}

void read_info(std::string_view text, server_info& info) {
    while (!text.empty()) {
        const auto line = text.substr(0, text.find_first_of("\r\n"));
        text.remove_prefix(line.size() + (line.size() < text.size() ? 1 : 0));
        const auto colon = line.find(':');
        if (colon != line.npos) read_line(line.substr(0, colon), line.substr(colon + 1), info);
    }
}

} // namespace redlock::node
