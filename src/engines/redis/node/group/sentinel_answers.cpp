#include "engines/redis/node/group/sentinel_answers.hpp"

#include "engines/redis/node/server/number_text.hpp"
#include "engines/redis/node/server/told_endpoint.hpp"

#include <chrono>
#include <cstdint>
#include <limits>

namespace redlock::node {
namespace {

constexpr std::size_t longest_id = 64;
// No Sentinel has seen a master for longer than servers run (server_info.cpp), and none has more companions
// than this.
constexpr std::uint64_t longest_time = std::uint64_t{100} * 366 * 24 * 3600 * 1000;
constexpr std::uint64_t most_told_sentinels = 1000;

/// The fields that are of interest in the description of a server: a map, or a flat array (RESP2).
struct description {
    std::string_view host;
    std::string_view port;
    std::string_view id;
    std::string_view master_since;
    std::string_view epoch;
    std::string_view others;
};

std::optional<description> read_description(const resp::reply& reply) {
    if (!reply.is(resp::kind::map) && !reply.is(resp::kind::array)) return std::nullopt;
    description found;
    for (auto name = reply.first(); !name.end();) {
        const auto value = name.next();
        if (value.end()) return std::nullopt;
        const std::string_view what = name.text();
        if (what == "ip") found.host = value.text();
        if (what == "port") found.port = value.text();
        if (what == "runid") found.id = value.text();
        if (what == "role-reported-time") found.master_since = value.text();
        if (what == "config-epoch") found.epoch = value.text();
        if (what == "num-other-sentinels") found.others = value.text();
        name = value.next();
    }
    return found;
}

std::optional<endpoint> read_endpoint(const description& of) {
    return told_endpoint(of.host, number_up_to(65'535, of.port).value_or(0));
}

} // namespace

std::optional<testimony> read_testimony(const resp::reply& reply, time::instant now) {
    const auto told = read_description(reply);
    if (!told) return std::nullopt;
    auto at = read_endpoint(*told);
    const auto since = number_up_to(longest_time, told->master_since);
    const auto epoch = number_up_to(std::numeric_limits<std::uint64_t>::max(), told->epoch);
    const auto others = number_up_to(most_told_sentinels, told->others);
    if (!at || !since || !epoch || !others) return std::nullopt;
    return testimony{.master = std::move(*at),
                     .epoch = *epoch,
                     .since = now - std::chrono::milliseconds(static_cast<std::int64_t>(*since)),
                     .sentinels = static_cast<unsigned>(*others) + 1};
}

std::vector<sentinel_told> read_sentinels(const resp::reply& reply, std::size_t most) {
    std::vector<sentinel_told> all;
    if (!reply.is(resp::kind::array)) return all;
    for (auto one = reply.first(); !one.end() && all.size() < most; one = one.next()) {
        const auto told = read_description(one);
        if (!told || !is_told_word(told->id, longest_id)) continue;
        if (auto at = read_endpoint(*told))
            all.push_back({.id = std::string(told->id), .at = std::move(*at)});
    }
    return all;
}

bool tells_of_switch(const resp::reply& message, std::string_view service) noexcept {
    const auto channel = message.first().next();
    if (message.first().text() != "message" || channel.text() != "+switch-master") return false;
    const std::string_view payload = channel.next().text();
    return payload.size() > service.size() && payload.starts_with(service) && payload[service.size()] == ' ';
}

} // namespace redlock::node
