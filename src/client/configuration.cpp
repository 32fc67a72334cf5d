#include "client/configuration.hpp"

#include "client/entropy.hpp"
#include "core/holder_value.hpp"
#include "core/quorum/tally.hpp"
#include "network/transport/encryption.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <system_error>

namespace redlock::lock {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds longest_node_timeout = std::chrono::minutes(1);
constexpr std::size_t largest_window = 65'536;
constexpr std::size_t longest_prefix = 512;
constexpr std::size_t longest_name = 64;
constexpr milliseconds longest_guard = std::chrono::hours(365 * 24);
constexpr std::chrono::hours longest_retention{100 * 365 * 24};

[[noreturn]] void refuse(const std::string& text) { throw std::system_error(errc::invalid_option, text); }

void require(bool holds, const char* text) {
    if (!holds) refuse(text);
}

bool is_client_name(const std::string& name) {
    return name.size() <= longest_name &&
           std::ranges::all_of(name, [](char c) { return c > ' ' && c < 127; });
}

bool is_label(const std::string& label) {
    return label.size() <= core::longest_label &&
           std::ranges::none_of(label, [](unsigned char c) { return c < ' ' || c == 127; });
}

void check(const config& c) {
    require(c.node_timeout >= milliseconds(1) && c.node_timeout <= longest_node_timeout,
            "config::node_timeout must be 1 ms to 1 min");
    require(c.key_prefix.size() <= longest_prefix, "config::key_prefix must be at most 512 bytes long");
    require(is_client_name(c.client_name),
            "config::client_name must be at most 64 printable ASCII characters without blanks");
    require(is_label(c.holder_label),
            "config::holder_label must be at most 64 bytes without control characters");
    require(c.drift_factor >= 0 && c.drift_factor < 0.5,
            "config::drift_factor must be at least 0 and below 0.5");
    require(c.drift_floor >= milliseconds(0) && c.drift_floor <= longest_node_timeout,
            "config::drift_floor must be 0 to 1 min");
    require(c.max_inflight >= 1 && c.max_inflight <= largest_window,
            "config::max_inflight must be 1 to 65536");
    require(c.handoff_limit >= 1, "config::handoff_limit must be at least 1");
    require(c.restart_guard >= milliseconds(0) && c.restart_guard <= longest_guard,
            "config::restart_guard must be 0 to 1 year");
    require(c.wakeup >= wakeup::automatic && c.wakeup <= wakeup::timed,
            "config::wakeup must be one of the enumerators");
    require(c.fence_retention >= std::chrono::hours(1) && c.fence_retention <= longest_retention,
            "config::fence_retention must be 1 h to 100 years");
}

bool wants_encryption(const node::address& a) noexcept { return a.via == node::address::transport::tls; }

node::address address_of(const std::string& uri, std::size_t place) try {
    node::address parsed = node::parse_address(uri);
    if (wants_encryption(parsed) && !network::has_encryption())
        throw std::system_error(errc::invalid_uri,
                                "this library is built without TLS, rediss:// cannot be used");
    return parsed;
} catch (const std::system_error& e) {
    // What the code says stands at the end, and would stand there twice.
    std::string_view sentence = e.what();
    const std::string meaning = ": " + e.code().message();
    if (sentence.ends_with(meaning)) sentence.remove_suffix(meaning.size());
    throw std::system_error(e.code(), fmt::format("config::nodes[{}]: {}", place, sentence));
}

} // namespace

settings settings_of(const config& c) {
    check(c);
    return {.key_prefix = c.key_prefix,
            .drift = {.factor = c.drift_factor, .floor = c.drift_floor},
            .handoff_limit = c.handoff_limit,
            .observer = c.observer};
}

redis::settings quorum_settings_of(const config& c) {
    check(c);
    return {.key_prefix = c.key_prefix,
            .node_timeout = c.node_timeout,
            .drift = {.factor = c.drift_factor, .floor = c.drift_floor},
            .max_inflight = c.max_inflight,
            .wakeup = c.wakeup,
            .configure_servers = c.configure_servers,
            .fence_retention = c.fence_retention,
            .handoff_limit = c.handoff_limit,
            .observer = c.observer,
            .entropy = &system_entropy(),
            .holder_label = c.holder_label};
}

std::vector<node::address> addresses_of(const config& c) {
    if (c.nodes.empty() || c.nodes.size() > core::max_nodes)
        refuse(fmt::format("config::nodes must list 1 to {} nodes, not {}", core::max_nodes, c.nodes.size()));
    std::vector<node::address> addresses;
    for (std::size_t place = 0; place < c.nodes.size(); ++place) {
        node::address next = address_of(c.nodes[place], place);
        for (std::size_t other = 0; other < addresses.size(); ++other)
            if (same_server(addresses[other], next))
                throw std::system_error(errc::duplicate_node,
                                        fmt::format("config::nodes[{}] and config::nodes[{}] are both {}",
                                                    other, place, next.name()));
        addresses.push_back(std::move(next));
    }
    return addresses;
}

node::node_settings node_settings_of(const config& c, const std::vector<node::address>& addresses) {
    const bool encrypted = std::ranges::any_of(addresses, wants_encryption);
    return {.node_timeout = c.node_timeout,
            .client_name = c.client_name,
            .restart_guard = c.restart_guard,
            .drift = {.factor = c.drift_factor, .floor = c.drift_floor},
            .log_in_as = c.credentials,
            .tls = encrypted ? network::make_encryption(c.tls) : nullptr};
}

} // namespace redlock::lock
