#include "report.hpp"

namespace bench {
namespace {

const comparison& at(const findings& f, std::size_t in_flight) {
    for (const auto& c : f.comparisons)
        if (c.plan.in_flight == in_flight) return c;
    return f.comparisons.back();
}

/// The share that the library's own histograms have in the CPU time of a cycle.
double measuring(const findings& f, const comparison& c) {
    return median_of(c.library, &sample::records_per_cycle) * f.nanoseconds_per_record / 1000 /
           median_of(c.library, &sample::cpu_microseconds);
}

} // namespace

std::vector<check> checks_of(const findings& f) {
    const auto& many = at(f, 1024);
    return {
        {"throughput at 1024 in flight / floor", ratio(many, &sample::cycles_per_second), 0.80, true},
        {"CPU per cycle at 1024 in flight / floor", ratio(many, &sample::cpu_microseconds), 1.6, false},
        {"p50 at 1 in flight / floor", ratio(at(f, 1), &sample::p50_microseconds), 1.2, false},
        {"failures at 16384 in flight", static_cast<double>(failures(at(f, 16384))), 0, false},
        {"throughput with fencing at 1024 in flight / without",
         ratio(many.fenced, many.library, &sample::cycles_per_second), 0.8, true},
        {"histograms at 1 in flight / CPU per cycle", measuring(f, at(f, 1)), 0.03, false},
        {"histograms at 1024 in flight / CPU per cycle", measuring(f, many), 0.03, false},
        {"bytes of memory for a held, renewing lease", f.bytes_per_lease, 1536, false},
    };
}

std::vector<check> checks_of(const std::vector<tls_comparison>& all) {
    std::vector<check> checks;
    for (const auto& c : all) {
        if (c.plan.in_flight == 1)
            checks.push_back({"p50 at 1 in flight over TLS / plain",
                              ratio(c.tls, c.plain, &sample::p50_microseconds), 1.6, false});
        if (c.plan.in_flight == 1024)
            checks.push_back({"throughput at 1024 in flight over TLS / plain",
                              ratio(c.tls, c.plain, &sample::cycles_per_second), 0.6, true});
    }
    return checks;
}

std::vector<check> checks_of(const std::vector<kinds_comparison>& all) {
    std::vector<check> checks;
    for (const auto& c : all) {
        const auto cycles = [&](kind k) { return ratio(c.of(k), c.beside(k), &sample::cycles_per_second); };
        if (c.plan.in_flight == 1)
            checks.push_back(
                {"p50 at 1 in flight of a set of four / of one",
                 ratio(c.of(kind::set_of_four), c.of(kind::set_of_one), &sample::p50_microseconds), 1.5,
                 false});
        if (c.plan.in_flight == 1024) {
            checks.push_back(
                {"throughput at 1024 in flight of reading / exclusive", cycles(kind::read), 0.6, true});
            checks.push_back(
                {"throughput at 1024 in flight of permits / exclusive", cycles(kind::permit), 0.95, true});
            checks.push_back({"throughput at 1024 in flight of sets of one / exclusive",
                              cycles(kind::set_of_one), 0.95, true});
        }
    }
    return checks;
}

} // namespace bench
