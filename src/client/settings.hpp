#pragma once

#include "core/validity.hpp"

#include <redlock/config.hpp>

#include <memory>
#include <string>

namespace redlock::lock {

/// The part of `config` that locking needs, checked and in nanoseconds.
struct settings {
    std::string key_prefix;
    core::nanoseconds node_timeout;
    core::drift_allowance drift;
    std::size_t max_inflight;
    unsigned handoff_limit;
    redlock::wakeup wakeup;
    bool configure_servers;
    std::chrono::milliseconds fence_retention;
    std::shared_ptr<redlock::observer> observer;
};

} // namespace redlock::lock
