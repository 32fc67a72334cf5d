#pragma once

#include "sim/dice.hpp"
#include "sim/event_queue.hpp"
#include "sim/host.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace redlock::sim {

class connection;
class server;

enum direction : unsigned { to_server = 0, to_client = 1 };

/// How a network treats what travels through it.
struct network_weather {
    nanoseconds latency{0};      ///< one way, up to twice as much
    nanoseconds jitter{0};       ///< on top of it, usually
    double tail = 0;             ///< probability of far more than that
    double loss = 0;             ///< of a piece, which TCP sends again some time later
    nanoseconds resent_after{0}; ///< at first
};

/// The way from one client to one server, and back.
struct path {
    nanoseconds latency[2]{};       ///< by direction, as is the next
    bool cut[2] = {false, false};   ///< nothing gets through
    nanoseconds disturbed_until{0}; ///< what was wrong with it last was over then
};

/// Carries bytes between clients and servers, as TCP does: in order within a connection, late, or not at all.
class network {
public:
    network(event_queue& events, std::uint64_t seed) noexcept : events_(events), dice_(seed) {}

    void set_weather(const network_weather& w) noexcept { weather_ = w; }
    const network_weather& weather() const noexcept { return weather_; }

    void add_server(std::uint32_t address, server& s) { servers_[address] = &s; }
    server* server_at(std::uint32_t address) const;

    /// `client` is any number.
    path& between(std::uint32_t client, std::uint32_t server);
    void set_cut(std::uint32_t client, std::uint32_t server, direction d, bool cut);
    void disturb(std::uint32_t client, std::uint32_t server);
    /// Ends the connections between the two; what is under way on them is lost.
    void reset(std::uint32_t client, std::uint32_t server);

    nanoseconds delay(const path& p, direction d) noexcept;
    sim::dice& dice() noexcept { return dice_; }
    event_queue& events() noexcept { return events_; }

    void add(const std::shared_ptr<connection>& c) { connections_.push_back(c); }

private:
    template <class What>
    void for_connections(std::uint32_t client, std::uint32_t server, What what);

    event_queue& events_;
    sim::dice dice_;
    network_weather weather_;
    std::map<std::uint32_t, server*> servers_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, path> paths_;
    std::vector<std::weak_ptr<connection>> connections_;
};

} // namespace redlock::sim
