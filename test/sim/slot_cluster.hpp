#pragma once

#include "sim/dice.hpp"
#include "sim/event_queue.hpp"
#include "sim/inspector.hpp"
#include "sim/network.hpp"
#include "sim/server.hpp"
#include "sim/trace.hpp"
#include "sim/weather.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace redlock::sim {

/// A Redis Cluster that is one node of a world. One of its masters has the slots of all keys there are; the
/// others, its witnesses, have next to none, and a say in who has the rest. That one may be replaced by a
/// replica that is behind, or its slots be given by force to a master that has none of their keys; it goes on
/// until it hears of that, or for good.
class slot_cluster {
public:
    static constexpr unsigned witnesses = 4;
    static constexpr std::uint32_t first_witness = 2'000'000;
    static constexpr std::uint32_t witness_address(std::uint32_t index, unsigned which) noexcept {
        return first_witness + witnesses * index + which;
    }
    /// What a client is given for it.
    static std::string uri(std::uint32_t index);

    /// `owner` is whoever has the slots.
    slot_cluster(event_queue& events, trace& t, network& net, inspector& i, server_observer& observer,
                 const weather& w, std::uint32_t index, std::unique_ptr<server>& owner, std::uint64_t seed);

    /// The replica is promoted now.
    void fail_over();
    /// Somebody gives the slots to another master, which has none of the keys.
    void give_away();
    /// Those that had the slots before have none.
    void mend();

    /// After the slots were given away it takes so long at most until nobody believes in the former owner.
    static constexpr nanoseconds longest_belief = std::chrono::seconds(4);

private:
    /// One that has, or had, the slots.
    struct owner_state {
        std::unique_ptr<server> gone; ///< once it has them no more
        unsigned believes = 0;        ///< who has them, by number
        bool promoted = false;
    };

    void replicate();
    void replace(server::contents keys, bool promoted);
    void join(server& made, unsigned number);
    std::uint32_t address_of(unsigned number) const noexcept;
    std::optional<value> answer(const words& command, std::uint32_t address, unsigned believed,
                                bool has_slots) const;
    value slots(unsigned believed) const;

    event_queue& events_;
    trace& trace_;
    network& network_;
    inspector& inspector_;
    server_observer& observer_;
    const weather& weather_;
    const std::uint32_t index_;
    std::unique_ptr<server>& owner_;
    dice dice_;
    server::contents replica_;
    std::vector<std::unique_ptr<owner_state>> owners_;
    std::vector<std::unique_ptr<server>> others_;
    std::array<unsigned, witnesses> believe_{};
};

} // namespace redlock::sim
