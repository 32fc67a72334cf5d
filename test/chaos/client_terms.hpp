#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace redlock::chaos {

/// What the clients of a deployment are told of it, beside the addresses.
struct client_terms {
    std::chrono::milliseconds restart_guard{0};
    std::chrono::milliseconds node_timeout{100};
    bool reads = true;      ///< there are locks for reading
    bool leads = true;      ///< there are leaders
    bool lock_delay = true; ///< it can be asked for
    /// What was acknowledged is there after every fault: leases that would outlive the run are gone in the
    /// end only because they were given back.
    bool keeps_all = true;

    static constexpr std::size_t size = 6;
    /// As arguments of a program, and back.
    std::vector<std::string> words() const {
        return {std::to_string(restart_guard.count()),
                std::to_string(node_timeout.count()),
                std::to_string(reads),
                std::to_string(leads),
                std::to_string(lock_delay),
                std::to_string(keeps_all)};
    }
    static client_terms from(const std::vector<std::string>& words, std::size_t first) {
        const auto number = [&](std::size_t i) { return std::stoll(words.at(first + i)); };
        return {.restart_guard = std::chrono::milliseconds(number(0)),
                .node_timeout = std::chrono::milliseconds(number(1)),
                .reads = number(2) != 0,
                .leads = number(3) != 0,
                .lock_delay = number(4) != 0,
                .keeps_all = number(5) != 0};
    }
};

} // namespace redlock::chaos
