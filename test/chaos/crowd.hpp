#pragma once

#include "chaos/client_terms.hpp"
#include "chaos/deployment/deployment.hpp"
#include "chaos/fault.hpp"
#include "chaos/history.hpp"
#include "support/child_process.hpp"
#include "support/temporary_folder.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace redlock::chaos {

/// Ten client processes on two sites, and what they write of their leases.
class crowd {
public:
    static constexpr std::size_t size = 10;

    /// Starts all of them. There is space for `holds_of_each` leases of each client.
    crowd(deployment& servers, unsigned seed, std::size_t holds_of_each);

    const history& log() const noexcept { return log_; }
    /// Of clients. They refer to this.
    faults known_faults();

    /// Tells all clients to come to an end. Returns those that did not, within the bound, or not in good
    /// order.
    std::vector<std::string> end(std::chrono::milliseconds bound);

private:
    void start(std::size_t number);
    bool stop_one(dice& chance, wounds& open);
    bool kill_one(dice& chance);

    unsigned seed_;
    const client_terms terms_;
    std::size_t holds_of_each_;
    test::temporary_folder folder_;
    history log_;
    std::array<std::vector<std::string>, site_count> addresses_;
    std::array<std::optional<test::child_process>, size> clients_;
    std::array<bool, size> stopped_{};
};

} // namespace redlock::chaos
