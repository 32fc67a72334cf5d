#pragma once

#include <redlock/metrics.hpp>

namespace redlock::lock {

struct counters;

/// What has been counted of leases. Between two turns.
void report_leases(const counters& c, metrics_snapshot& to);

} // namespace redlock::lock
