#include "engines/redis/node/cluster/cluster_answers.hpp"

#include "engines/redis/node/server/number_text.hpp"
#include "engines/redis/node/server/told_endpoint.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace redlock::node {
namespace {

constexpr std::size_t longest_node_id = 64;

std::optional<slot_range> read_range(const resp::reply& one, std::string_view asked) {
    if (!one.is(resp::kind::array) || one.size() < 3) return std::nullopt;
    const auto first = one.first();
    const auto last = first.next();
    const auto owner = last.next();
    const auto last_slot = static_cast<std::int64_t>(hash_slots) - 1;
    const bool in_order =
        0 <= first.integer() && first.integer() <= last.integer() && last.integer() <= last_slot;
    if (!in_order || !owner.is(resp::kind::array) || owner.size() < 3) return std::nullopt;
    const auto host = owner.first();
    const auto port = host.next();
    const auto id = port.next();
    const bool unnamed = host.text().empty() || host.text() == "?";
    auto at = told_endpoint(unnamed ? asked : host.text(),
                            static_cast<std::uint64_t>(std::max<std::int64_t>(port.integer(), 0)));
    if (!at || !is_told_word(id.text(), longest_node_id)) return std::nullopt;
    return slot_range{.first = static_cast<std::uint16_t>(first.integer()),
                      .last = static_cast<std::uint16_t>(last.integer()),
                      .owner = std::move(*at),
                      .id = std::string(id.text())};
}

} // namespace

std::optional<slot_view> read_slots(const resp::reply& reply, std::string_view asked) {
    if (!reply.is(resp::kind::array) || reply.size() > hash_slots) return std::nullopt;
    slot_view all;
    for (auto one = reply.first(); !one.end(); one = one.next()) {
        auto range = read_range(one, asked);
        if (!range) return std::nullopt;
        all.push_back(std::move(*range));
    }
    // Servers need not list them in the same order.
    std::ranges::sort(all, {}, &slot_range::first);
    const auto overlaps = [](const slot_range& a, const slot_range& b) { return b.first <= a.last; };
    if (std::ranges::adjacent_find(all, overlaps) != all.end()) return std::nullopt;
    std::set<std::pair<std::string_view, std::uint16_t>> owners;
    for (const slot_range& one : all)
        if (owners.emplace(one.owner.host, one.owner.port); owners.size() > slot_council::most_members)
            return std::nullopt;
    return all;
}

std::optional<redirection> read_redirection(std::string_view error, std::string_view asked) {
    const bool for_once = error.starts_with("ASK ");
    if (!for_once && !error.starts_with("MOVED ")) return std::nullopt;
    error.remove_prefix(error.find(' ') + 1);
    const std::string_view slot_text = error.substr(0, error.find(' '));
    const auto slot = number_up_to(hash_slots - 1, slot_text);
    error.remove_prefix(std::min(error.size(), slot_text.size() + 1));
    const auto colon = error.rfind(':');
    if (!slot || colon == error.npos) return std::nullopt;
    const auto port = number_up_to(65'535, error.substr(colon + 1));
    const std::string_view host = error.substr(0, colon);
    auto to = told_endpoint(host.empty() || host == "?" ? asked : host, port.value_or(0));
    if (!to) return std::nullopt;
    return redirection{.for_once = for_once, .slot = static_cast<std::uint16_t>(*slot), .to = std::move(*to)};
}

bool says_cluster_is_down(std::string_view info) noexcept {
    return info.find("cluster_state:fail") != info.npos;
}

bool says_slot_is_down(std::string_view error) noexcept {
    return error.starts_with("CLUSTERDOWN ") || error.starts_with("TRYAGAIN ");
}

} // namespace redlock::node
