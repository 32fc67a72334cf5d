#include "engines/redis/node/server_info.hpp"

#include <charconv>
#include <cstddef>
#include <cstdint>

namespace redlock::node {
namespace {

/// No honest word is longer; a hostile one is cut.
std::string word(std::string_view value) {
    constexpr std::size_t longest = 64;
    return std::string(value.substr(0, longest));
}

std::string role(std::string_view value) { return value == "slave" ? "replica" : word(value); }

void read_uptime(std::string_view value, server_info& info) {
    std::int64_t seconds = 0;
    const auto end = value.data() + value.size();
    const auto [rest, error] = std::from_chars(value.data(), end, seconds);
    if (error == std::errc() && rest == end && seconds >= 0) info.uptime = std::chrono::seconds(seconds);
}

void read_line(std::string_view name, std::string_view value, server_info& info) {
    if (name == "redis_version") {
        if (info.product.empty()) info.product = "redis";
        if (info.product == "redis") info.version = word(value);
    } else if (name == "server_name") {
        info.product = word(value);
    } else if (name == "valkey_version") {
        // Valkey gives a Redis version too, for the sake of clients that know no other.
        info.product = "valkey";
        info.version = word(value);
    } else if (name == "run_id") {
        info.run_id = word(value);
    } else if (name == "uptime_in_seconds") {
        read_uptime(value, info);
    } else if (name == "maxmemory_policy") {
        info.eviction_policy = word(value);
    } else if (name == "maxmemory") {
        info.memory_is_limited = value != "0";
    } else if (name == "role") {
        info.role = role(value);
    } else if (name == "loading") {
        info.loading = value != "0";
    } else if (name == "redis_mode" || name == "server_mode") {
        info.mode = word(value);
    }
}

} // namespace

bool read_hello(const resp::reply& reply, server_info& info) {
    if (!reply.is(resp::kind::map) && !reply.is(resp::kind::array)) return false;
    for (auto name = reply.first(); !name.end();) {
        const auto value = name.next();
        if (value.end()) return false;
        if (name.text() == "server") info.product = word(value.text());
        if (name.text() == "version") info.version = word(value.text());
        if (name.text() == "role") info.role = role(value.text());
        if (name.text() == "mode") info.mode = word(value.text());
        name = value.next();
    }
    return true;
}

std::optional<std::chrono::microseconds> read_time(const resp::reply& reply) noexcept {
    if (!reply.is(resp::kind::array) || reply.size() != 2) return std::nullopt;
    std::int64_t parts[2] = {};
    auto part = reply.first();
    for (std::int64_t& number : parts) {
        const auto text = part.text();
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        // More seconds than that do not fit into the microseconds there are.
        if (error != std::errc() || number < 0 || number > std::int64_t{1} << 42) return std::nullopt;
        part = part.next();
    }
    return std::chrono::seconds(parts[0]) + std::chrono::microseconds(parts[1]);
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
