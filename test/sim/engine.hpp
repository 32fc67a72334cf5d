#pragma once

#include "client/configuration.hpp"
#include "core/entropy.hpp"
#include "engines/redis/quorum/quorum_engine.hpp"
#include "lease/lessee.hpp"
#include "sim/dice.hpp"
#include "turn/turns.hpp"

#include <functional>
#include <vector>

namespace redlock::sim {

/// The quorum of a simulated client, whose nodes the process itself starts and stops.
class engine final : public redis::quorum_engine {
public:
    using quorum_engine::quorum_engine;

private:
    void start() override {}
    // Nobody of the simulation asks.
    redis::seam::question_pointer
    examine(redis::seam::answer_listener<std::vector<node_examination>>&) override {
        return {};
    }
    void stop(std::function<void()>) override {}
    void disconnect() noexcept override {}
};

/// What leases of a process refer to, also when it is gone.
struct client_parts {
    client_parts(const config& c, const time::time_source& clock, dice& d, core::entropy& tokens,
                 turn::turn_listener& listener, turn::inbox_waker& waker)
        : turns(clock, d.seed(), listener, waker),
          engine(quorum_settings_of(c, tokens, d), turns, d.seed()),
          lessee(lock::settings_of(c), turns, engine) {
        turns.set_work(engine);
    }

    static redis::settings quorum_settings_of(const config& c, core::entropy& tokens, dice& d) {
        redis::settings settings = lock::quorum_settings_of(c);
        settings.entropy = &tokens;
        // Few of the users of a client end in the same turn.
        if (d.chance(0.5)) settings.joins_releases_from = 1;
        return settings;
    }

    turn::turns turns;
    sim::engine engine;
    lock::lessee lessee;
};

} // namespace redlock::sim
