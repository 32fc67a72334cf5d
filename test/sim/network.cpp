#include "sim/network.hpp"

#include "sim/connection.hpp"

#include <algorithm>

namespace redlock::sim {

server* network::server_at(std::uint32_t address) const {
    const auto found = servers_.find(address);
    return found == servers_.end() ? nullptr : found->second;
}

path& network::between(std::uint32_t client, std::uint32_t server) {
    const auto [place, is_new] = paths_.try_emplace({client, server});
    if (is_new)
        for (nanoseconds& latency : place->second.latency)
            latency = dice_.spread(weather_.latency / 30, weather_.latency * 2);
    return place->second;
}

nanoseconds network::delay(const path& p, direction d) noexcept {
    nanoseconds delay = p.latency[d] + dice_.between(nanoseconds(0), weather_.jitter);
    if (dice_.chance(weather_.tail)) delay += dice_.spread(weather_.jitter, 200 * weather_.jitter);
    return delay;
}

template <class What>
void network::for_connections(std::uint32_t client, std::uint32_t server, What what) {
    std::erase_if(connections_, [](const auto& c) { return c.expired(); });
    for (const auto& weak : std::vector(connections_))
        if (const auto c = weak.lock(); c && c->client() == client && c->server() == server) what(*c);
}

void network::set_cut(std::uint32_t client, std::uint32_t server, direction d, bool cut) {
    path& p = between(client, server);
    disturb(client, server);
    if (p.cut[d] == cut) return;
    p.cut[d] = cut;
    if (!cut) for_connections(client, server, [d](connection& c) { c.resume(d); });
}

void network::disturb(std::uint32_t client, std::uint32_t server) {
    path& p = between(client, server);
    p.disturbed_until = std::max(p.disturbed_until, events_.now());
}

void network::reset(std::uint32_t client, std::uint32_t server) {
    disturb(client, server);
    for_connections(client, server, [](connection& c) { c.reset(); });
}

} // namespace redlock::sim
