#pragma once

#include "core/histogram.hpp"

#include <redlock/latency_histogram.hpp>

namespace redlock::core {

/// The buckets in use, as users see them.
latency_histogram report_of(const histogram& h);

} // namespace redlock::core
