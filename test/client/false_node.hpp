#pragma once

#include "support/scripted_peer.hpp"

#include <atomic>
#include <memory>
#include <string>

namespace redlock::test {

/// How a node misleads whoever waits for a key there.
struct false_node {
    bool events = false;     ///< publishes that the key was deleted behind each refusal
    bool nameless = false;   ///< does not say who has the key, as servers before Redis 7
    std::string life = "-2"; ///< what it answers to `PTTL`
    std::string fence = "1"; ///< what its scripts answer
    std::string info{};      ///< further lines of `INFO`
    /// From then on it grants. Null: never.
    std::shared_ptr<std::atomic<bool>> repents{};
};

/// A peer that logs a client in, refuses every lock and says that the key is free. `run_id` tells it from
/// others of its kind.
peer_script misleading(const false_node& how, std::string run_id);

} // namespace redlock::test
