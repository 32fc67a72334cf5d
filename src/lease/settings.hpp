#pragma once

#include "core/validity.hpp"

#include <redlock/observer.hpp>

#include <memory>
#include <string>

namespace redlock::lock {

/// The part of `config` that leases need, checked and in nanoseconds.
struct settings {
    std::string key_prefix;
    core::drift_allowance drift;
    unsigned handoff_limit;
    std::shared_ptr<redlock::observer> observer;
};

} // namespace redlock::lock
