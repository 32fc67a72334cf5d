#include "engines/findings.hpp"

#include <fmt/format.h>

namespace bench::engines {
namespace {

// Of the usual client's, which has a connection for each caller, when nobody else is there.
constexpr double least_of_its_speed = 0.9;
// Many locks that leave together.
constexpr double least_of_its_throughput = 3;
constexpr double most_of_a_core = 0.05; ///< for ten thousand leases

/// What there is to do with as many leases, of the ttl, as the limit is for.
double to_full_size(const holding& h) {
    constexpr holding full{};
    const double leases = static_cast<double>(full.leases) / static_cast<double>(h.leases);
    return leases * static_cast<double>(h.ttl.count()) / static_cast<double>(full.ttl.count());
}

template <class T>
std::uint64_t sum(const std::vector<T>& all, std::uint64_t T::*count) {
    std::uint64_t n = 0;
    for (const T& each : all)
        n += each.*count;
    return n;
}

std::uint64_t failures_of(const findings& f) {
    std::uint64_t n = sum(f.pairs, &contended::failures) + sum(f.eights, &contended::failures);
    for (const loaded& l : f.loads)
        n += sum(l.library, &sample::failures);
    return n;
}

} // namespace

std::vector<check> checks_of(const std::vector<findings>& all, const extent& how_much) {
    std::vector<check> checks;
    for (const findings& f : all) {
        const auto add = [&](std::string what, double value, double limit, bool at_least) {
            checks.push_back({f.name + ": " + std::move(what), value, limit, at_least});
        };
        if (!f.usual.empty()) {
            const loaded &one = f.at(1), &many = f.at(1024);
            add("speed at 1 in flight / usual client",
                ratio(one.usual(), one.library, &sample::p50_microseconds), least_of_its_speed, true);
            if (f.batches)
                add("throughput at 1024 in flight / usual client",
                    ratio(many.library, many.usual(), &sample::cycles_per_second), least_of_its_throughput,
                    true);
        }
        add("share of a core that renewing 10000 leases takes",
            middle(f.held, &renewed::share_of_a_core) * to_full_size(how_much.held), most_of_a_core, false);
        add("leases lost", static_cast<double>(sum(f.held, &renewed::lost)), 0, false);
        add("cycles that failed", static_cast<double>(failures_of(f)), 0, false);
        add("grants while another client had the key",
            static_cast<double>(sum(f.pairs, &contended::overlaps) + sum(f.eights, &contended::overlaps)), 0,
            false);
    }
    return checks;
}

} // namespace bench::engines
