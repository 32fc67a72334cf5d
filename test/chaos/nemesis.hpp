#pragma once

#include "chaos/checker.hpp"
#include "chaos/crowd.hpp"
#include "chaos/deployment/deployment.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <vector>

namespace redlock::chaos {

/// Makes faults of servers, networks and clients, several at a time, and heals them again. Call `step` every
/// few milliseconds, in the thread that made the deployment.
class nemesis {
public:
    /// Both must live as long.
    nemesis(deployment& servers, crowd& clients, unsigned seed);

    void step();
    /// Heals everything.
    void calm();

    struct count {
        std::string name;
        std::size_t times = 0;
    };
    /// Of each kind of fault.
    std::vector<count> counts() const;
    /// When clients of every site could be granted keys, up to now; nothing where that is not known.
    const std::optional<std::vector<span>>& well() const noexcept { return well_; }

private:
    using clock = std::chrono::steady_clock;

    void strike();
    void look();

    deployment& servers_;
    const rhythm pace_;
    dice chance_;
    faults known_;
    std::vector<double> weights_;    ///< of each of the faults
    std::vector<std::size_t> times_; ///< likewise
    wounds wounds_;
    clock::time_point next_;
    std::optional<std::vector<span>> well_;
    bool is_well_ = false;
};

} // namespace redlock::chaos
