#pragma once

#include "core/entropy.hpp"
#include "core/instant.hpp"
#include "core/validity.hpp"

#include <redlock/config.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>

namespace redlock::redis {

/// The part of `config` that the quorum needs, checked and in nanoseconds.
struct settings {
    std::string key_prefix;
    core::nanoseconds node_timeout;
    core::drift_allowance drift;
    std::size_t max_inflight;
    redlock::wakeup wakeup;
    bool configure_servers;
    std::chrono::milliseconds fence_retention;
    unsigned handoff_limit;
    std::shared_ptr<redlock::observer> observer;
    core::entropy* entropy; ///< of tokens
    /// So many releases, or renewals, of a turn go as one command: for fewer that hardly spares the servers
    /// anything.
    std::size_t joins_from = 4;
    /// Likewise new fencing tokens: two of them spare it something already.
    std::size_t joins_advances_from = 2;
    /// Whoever waits stands in a queue of the nodes, and is handed the key by whoever releases it.
    bool queues = true;
    std::string holder_label{};
};

} // namespace redlock::redis
