#pragma once

#include <redlock/break_report.hpp>
#include <redlock/client.hpp>
#include <redlock/config.hpp>
#include <redlock/detail/language.hpp>
#include <redlock/error.hpp>
#include <redlock/inquiries.hpp>
#include <redlock/key_list.hpp>
#include <redlock/key_report.hpp>
#include <redlock/latency_histogram.hpp>
#include <redlock/leader_info.hpp>
#include <redlock/leadership.hpp>
#include <redlock/lease.hpp>
#include <redlock/lease_kind.hpp>
#include <redlock/lease_set.hpp>
#include <redlock/lock_options.hpp>
#include <redlock/metrics.hpp>
#include <redlock/node_examination.hpp>
#include <redlock/observer.hpp>
#include <redlock/owner.hpp>
#include <redlock/prometheus.hpp>
#include <redlock/sql_schema.hpp>
#include <redlock/tls_options.hpp>
#include <redlock/version.hpp>
#include <redlock/with_diagnostics.hpp>

/// Locks as leases on a majority of independent Redis masters. `redlock::client` takes them, `redlock::lease`
/// is one that was granted. What keeps the implementation apart, in `redlock::detail`, is not for use.
namespace redlock {}
