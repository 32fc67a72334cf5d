#pragma once

#include "client/configuration.hpp"
#include "core/entropy.hpp"
#include "lease/lessee.hpp"
#include "sim/desk.hpp"
#include "sim/dice.hpp"
#include "support/engine_on_given_nodes.hpp"
#include "turn/turns.hpp"

namespace redlock::sim {

/// What leases of a process refer to, also when it is gone.
struct client_parts {
    client_parts(const config& c, const time::time_source& clock, dice& d, core::entropy& tokens,
                 turn::turn_listener& listener, turn::inbox_waker& waker)
        : turns(clock, d.seed(), listener, waker),
          engine(quorum_settings_of(c, tokens, d), turns, d.seed()),
          lessee(lock::settings_of(c), turns, engine, &desk) {
        turns.set_work(engine);
    }

    static redis::settings quorum_settings_of(const config& c, core::entropy& tokens, dice& d) {
        redis::settings settings = lock::quorum_settings_of(c);
        settings.entropy = &tokens;
        // Few of the users of a client end in the same turn.
        if (d.chance(0.5)) settings.joins_from = settings.joins_advances_from = 1;
        // Others know nothing of queues.
        settings.queues = !d.chance(0.1);
        return settings;
    }

    turn::turns turns;
    test::engine_on_given_nodes engine; ///< the process makes the nodes
    sim::desk desk;
    lock::lessee lessee;
};

} // namespace redlock::sim
