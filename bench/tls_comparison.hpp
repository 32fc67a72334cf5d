#pragma once

#include "comparison.hpp"
#include "load.hpp"

#include <vector>

namespace bench {

/// One load, measured with and without TLS `extent::runs` times.
struct tls_comparison {
    load plan;
    std::vector<sample> plain;
    std::vector<sample> tls; ///< the i-th was measured right before or after the i-th without
};

/// Measures 1, 64 and 1024 in flight on five servers that speak both. Throws `std::runtime_error` when this
/// is built without TLS.
std::vector<tls_comparison> compare_tls(const extent& how_much);

} // namespace bench
