#pragma once

#include <redlock/detail/language.hpp>
#include <redlock/metrics.hpp>

#include <string>

namespace redlock {

/// The `Content-Type` that goes with the text of `to_prometheus`.
inline constexpr const char* prometheus_content_type = "text/plain; version=0.0.4; charset=utf-8";

/// Writes the metrics in the text format that Prometheus scrapes (version 0.0.4, prometheus.io, "Exposition
/// formats"). Every name begins with `redlock_`; times are in seconds. The series of a client are the same
/// from scrape to scrape, those that count nothing yet included. Bytes in a node's name that are no UTF-8 are
/// replaced by U+FFFD, since a server would refuse the whole text for their sake.
///
/// Some 30 kB for five nodes. Throws nothing but `std::bad_alloc`. Thread-safe.
std::string to_prometheus(const metrics_snapshot& m);

} // namespace redlock
