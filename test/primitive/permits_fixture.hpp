#pragma once

#include "lease/lease_fixture.hpp"

#include <cstddef>
#include <string>

namespace redlock::test {

/// Two clients, and the permits of one key.
struct permits_fixture : lease_fixture {
    static lock_options of(unsigned permits, lock_options options = patiently()) {
        options.permits = permits;
        return options;
    }
    static std::string slot_key(unsigned slot) { return "key:" + std::to_string(slot); }

    std::size_t slots_held(unsigned permits) {
        std::size_t held = 0;
        for (unsigned slot = 0; slot < permits; ++slot)
            held += is_held(slot_key(slot));
        return held;
    }
    std::size_t slots_waited_for(unsigned permits) {
        std::size_t all = 0;
        for (unsigned slot = 0; slot < permits; ++slot)
            all += waiting(slot_key(slot));
        return all;
    }

    /// By somebody who is not there.
    void take_all(unsigned permits) {
        for (unsigned slot = 0; slot < permits; ++slot)
            hold(24h, slot_key(slot));
    }
    void free_all(unsigned permits) {
        for (unsigned slot = 0; slot < permits; ++slot)
            lose(slot_key(slot));
    }
    /// Whether one waits at each of them.
    bool come_to_wait(unsigned permits) {
        return run_until([&] { return slots_waited_for(permits) == permits; });
    }

    client locks = make_client();
    client other = make_client();
};

} // namespace redlock::test
