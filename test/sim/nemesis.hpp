#pragma once

#include "sim/dice.hpp"
#include "sim/event_queue.hpp"
#include "sim/weather.hpp"

#include <chrono>
#include <cstdint>
#include <functional>

namespace redlock::sim {

/// What can be done to a world. Each comes with a duration, after which the world mends it by itself.
class victim {
public:
    virtual void reset(std::uint32_t client, std::uint32_t server) = 0;
    virtual void cut(std::uint32_t client, std::uint32_t server, bool there, bool back,
                     nanoseconds how_long) = 0;
    virtual void stop_server(std::uint32_t server, nanoseconds how_long) = 0;
    virtual void crash_server(std::uint32_t server, nanoseconds how_long, bool with_data) = 0;
    virtual void jump_server_clock(std::uint32_t server, nanoseconds by) = 0;
    virtual void stop_client(std::uint32_t client, nanoseconds how_long) = 0;
    virtual void suspend_client(std::uint32_t client, nanoseconds how_long) = 0;
    virtual void kill_client(std::uint32_t client, nanoseconds how_long) = 0;
    virtual void end_client(std::uint32_t client, nanoseconds how_long) = 0;
    /// Of a group or a cluster.
    virtual void fail_over(std::uint32_t server) = 0;
    /// The slots of a cluster are given to somebody else.
    virtual void give_slots_away(std::uint32_t server) = 0;
    /// A client gets to no Sentinel, and to no master of a cluster but the one that has its keys.
    virtual void blind(std::uint32_t client, nanoseconds how_long) = 0;
    /// A third party does this to a key.
    virtual void tamper(std::uint32_t server, const words& command) = 0;

protected:
    ~victim() = default;
};

/// Makes things go wrong, as often as the weather has it, as long as that lasts.
class nemesis final : public occasion_listener {
public:
    nemesis(event_queue& events, const weather& w, victim& v, std::uint64_t seed)
        : events_(events), weather_(w), victim_(v), dice_(seed) {}

    void start();
    /// Perhaps it strikes a moment later.
    void comes(const occasion& now) override;

private:
    using misfortune = std::function<void(nanoseconds)>;
    void plan(const fault& f, misfortune what);
    std::uint32_t some_server() { return static_cast<std::uint32_t>(dice_.between(0, servers() - 1)); }
    std::uint32_t some_client() {
        return static_cast<std::uint32_t>(dice_.between(0, static_cast<int>(weather_.clients) - 1));
    }
    int servers() const { return static_cast<int>(weather_.servers.size()); }
    void strike(const occasion& at);
    void tamper(deed what, const occasion& at);
    /// About as long as that.
    nanoseconds about(nanoseconds usual) { return dice_.spread(usual / 8, usual + usual / 2); }
    void cut(bool there, bool back, nanoseconds how_long);

    event_queue& events_;
    const weather& weather_;
    victim& victim_;
    dice dice_;
    nanoseconds nudged_at_ = -std::chrono::hours(1);
};

} // namespace redlock::sim
