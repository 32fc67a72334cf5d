#include "progress.hpp"

#include <fmt/format.h>

namespace redlock::tool {

std::string progress_line(const bench_point& last, const bench_counts& all) {
    std::string line = fmt::format(
        "{:7.1f} s  {:9.0f} grants/s  p50 {:>8}  p99 {:>8}  errors {}  nodes {}/{}", last.end,
        last.per_second(last.counts.grants), length_text(last.latency.percentile(50)),
        length_text(last.latency.percentile(99)), all.errors(), last.nodes_up(), last.nodes.size());
    return all.dropped == 0 ? line : line + fmt::format("  dropped {}", all.dropped);
}

} // namespace redlock::tool
