#pragma once

#include "core/flow/low_water.hpp"
#include "network/transport/stream.hpp"

#include <chrono>
#include <cstddef>
#include <optional>

namespace redlock::node {

/// Keeps the low-water mark of one connection: below it the system does not wake this process for what has
/// come.
class low_water {
public:
    /// Before a read. Where it finds nothing at once, it waits for the mark, or the end of the connection.
    void adjust(network::stream& wire, std::size_t awaited, std::chrono::nanoseconds round_trip) noexcept {
        if (awaited == 0 && mark_ == 1) return;
        if (reads_++ % reads_for_one_look == 0) network_ = wire.least_round_trip();
        const std::size_t wanted = network_ ? core::low_water_mark(awaited, round_trip, *network_) : 1;
        // Each change is a call of the system.
        if (wanted < mark_ || wanted >= 2 * mark_) set(wire, wanted);
    }
    /// What is unread now is wanted now. Whether it was not before.
    bool lift(network::stream& wire) noexcept {
        if (mark_ == 1) return false;
        set(wire, 1);
        return true;
    }

private:
    static constexpr unsigned reads_for_one_look = 256; ///< at the network

    void set(network::stream& wire, std::size_t mark) noexcept {
        wire.wake_at(mark);
        mark_ = mark;
    }

    std::size_t mark_ = 1;
    unsigned reads_ = 0;
    std::optional<std::chrono::nanoseconds> network_;
};

} // namespace redlock::node
