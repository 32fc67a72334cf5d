#include "bench/report/progress.hpp"

#include "text/text_width.hpp"

#include <fmt/format.h>

namespace redlock::tool {

std::string progress_line(const bench_point& last, std::size_t width) {
    const auto errors = rate_text(last.per_second(last.counts.errors()));
    const auto dropped = last.counts.dropped == 0 ? "" : rate_text(last.per_second(last.counts.dropped));
    const double grants = last.per_second(last.counts.grants);
    const auto rest = [&](const char* gap) {
        std::string text =
            fmt::format("errors {}/s{}nodes {}/{}", errors, gap, last.nodes_up(), last.nodes.size());
        return dropped.empty() ? text : text + fmt::format("{}dropped {}/s", gap, dropped);
    };
    const std::string full =
        fmt::format("{:6.1f} s  {:8.0f} grants/s  p50 {}  p99 {}  {}", last.end, grants,
                    padded_left(length_text(last.latency.percentile(50)), 8),
                    padded_left(length_text(last.latency.percentile(99)), 8), rest("  "));
    if (display_width(full) <= width) return full;
    const std::string brief = fmt::format("{:.1f} s {:.0f} grants/s {}", last.end, grants, rest(" "));
    return std::string(fitting(brief, width));
}

} // namespace redlock::tool
