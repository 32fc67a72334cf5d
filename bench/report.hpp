#pragma once

#include "check.hpp"
#include "comparison.hpp"
#include "kinds_comparison.hpp"
#include "tls_comparison.hpp"

#include <string>
#include <vector>

namespace bench {

/// All that was measured.
struct findings {
    std::vector<comparison> comparisons;
    double bytes_per_lease = 0;
    double nanoseconds_per_record = 0;
};

std::vector<check> checks_of(const findings& f);

/// A table to read.
std::string table(const findings& f);

/// The same as one JSON object, with every single sample.
std::string json(const findings& f);

// The same of TLS and plain connections.

std::vector<check> checks_of(const std::vector<tls_comparison>& all);
std::string table(const std::vector<tls_comparison>& all);
std::string json(const std::vector<tls_comparison>& all);

// The same of the kinds of lock.

std::vector<check> checks_of(const std::vector<kinds_comparison>& all);
std::string table(const std::vector<kinds_comparison>& all);
std::string json(const std::vector<kinds_comparison>& all);

/// What it is called where it is reported.
const char* name_of(kind k) noexcept;

} // namespace bench
