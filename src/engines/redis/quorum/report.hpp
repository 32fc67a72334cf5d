#pragma once

#include <redlock/metrics.hpp>

namespace redlock::redis {

class quorum;

/// What the quorum has counted, and how its nodes are. Between two turns.
void report_quorum(const quorum& q, metrics_snapshot& to);

} // namespace redlock::redis
