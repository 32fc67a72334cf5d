#include "engines/findings.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

namespace bench::engines {
namespace {

namespace json_types = boost::json;

std::string row_of(const findings& f) {
    const auto at = [&](std::size_t in_flight, double sample::*figure) {
        return middle(f.at(in_flight).library, figure);
    };
    return fmt::format(
        "{:<20}{:>10.1f}{:>9.0f}{:>10.0f}{:>10.0f}{:>9.2f}{:>9.2f}{:>9.2f}{:>10.0f}{:>9.0f}{:>9.2f}\n",
        f.name, at(1, &sample::p50_microseconds), at(1, &sample::cycles_per_second),
        at(64, &sample::cycles_per_second), at(1024, &sample::cycles_per_second),
        at(1024, &sample::cpu_microseconds), middle(f.pairs, &contended::p50_milliseconds),
        middle(f.pairs, &contended::p99_milliseconds), middle(f.eights, &contended::grants_per_second),
        middle(f.eights, &contended::longest_wait_milliseconds),
        100 * middle(f.held, &renewed::share_of_a_core));
}

std::string usual_row_of(const findings& f, std::size_t client) {
    const auto at = [&](std::size_t in_flight, double sample::*figure) {
        return middle(f.at(in_flight).clients[client], figure);
    };
    return fmt::format("{:<20}{:>10.1f}{:>9.0f}{:>10.0f}{:>10.0f}{:>9.2f}  {}\n", "  usual client",
                       at(1, &sample::p50_microseconds), at(1, &sample::cycles_per_second),
                       at(64, &sample::cycles_per_second), at(1024, &sample::cycles_per_second),
                       at(1024, &sample::cpu_microseconds), f.usual[client]);
}

std::string first_failure_of(const findings& f) {
    for (const loaded& l : f.loads)
        for (const sample& s : l.library)
            if (s.failures > 0)
                return fmt::format("{} at {} in flight: {}\n", f.name, l.plan.in_flight, s.first_failure);
    for (std::size_t i = 0; i < f.usual.size(); ++i)
        for (const loaded& l : f.loads)
            for (const sample& s : l.clients[i])
                if (s.failures > 0)
                    return fmt::format("{} with {} at {} in flight: {}\n", f.name, f.usual[i],
                                       l.plan.in_flight, s.first_failure);
    return {};
}

json_types::array samples_of(const std::vector<sample>& all) {
    json_types::array each;
    for (const sample& s : all)
        each.push_back(json_types::object{{"cycles", s.cycles},
                                          {"failures", s.failures},
                                          {"first_failure", s.first_failure},
                                          {"cycles_per_second", s.cycles_per_second},
                                          {"p50_microseconds", s.p50_microseconds},
                                          {"p99_microseconds", s.p99_microseconds},
                                          {"cpu_microseconds_per_cycle", s.cpu_microseconds}});
    return each;
}

json_types::array crowds_of(const std::vector<contended>& all) {
    json_types::array each;
    for (const contended& c : all)
        each.push_back(json_types::object{{"grants", c.grants},
                                          {"hand_offs", c.hand_offs},
                                          {"failures", c.failures},
                                          {"overlaps", c.overlaps},
                                          {"grants_per_second", c.grants_per_second},
                                          {"hand_off_p50_milliseconds", c.p50_milliseconds},
                                          {"hand_off_p99_milliseconds", c.p99_milliseconds},
                                          {"longest_wait_milliseconds", c.longest_wait_milliseconds}});
    return each;
}

/// Usual clients behind the one that the library is compared with.
json_types::array others_in(const findings& f, const loaded& l) {
    json_types::array others;
    for (std::size_t i = 1; i < f.usual.size(); ++i)
        others.push_back(json_types::object{{"client", f.usual[i]}, {"samples", samples_of(l.clients[i])}});
    return others;
}

json_types::object object_of(const findings& f) {
    json_types::array loads, held;
    for (const loaded& l : f.loads)
        loads.push_back(json_types::object{{"in_flight", l.plan.in_flight},
                                           {"library", samples_of(l.library)},
                                           {"usual", samples_of(l.usual())},
                                           {"others", others_in(f, l)}});
    for (const renewed& r : f.held)
        held.push_back(json_types::object{
            {"renewals", r.renewals}, {"lost", r.lost}, {"share_of_a_core", r.share_of_a_core}});
    return {
        {"engine", f.name},
        {"usual_client", f.usual.empty() ? json_types::value(nullptr) : json_types::value(f.usual.front())},
        {"loads", std::move(loads)},
        {"two_clients", crowds_of(f.pairs)},
        {"eight_clients", crowds_of(f.eights)},
        {"renewals", std::move(held)}};
}

} // namespace

std::string table(const std::vector<findings>& all, const extent& how_much) {
    std::string text = fmt::format("{:<20}{:>10}{:>9}{:>10}{:>10}{:>9}{:>9}{:>9}{:>10}{:>9}{:>9}\n{:<20}{:>"
                                   "10}{:>9}{:>10}{:>10}{:>9}{:>9}{:>9}{:"
                                   ">10}{:>9}{:>9}\n",
                                   "", "lock+", "cycles", "a second", "", "CPU us", "hand-off", "ms",
                                   "of eight", "longest", "% core", "engine", "unlock us", "at 1", "at 64",
                                   "at 1024", "a cycle", "p50", "p99", "grants/s", "wait ms", "renewing");
    for (const findings& f : all) {
        text += row_of(f);
        for (std::size_t i = 0; i < f.usual.size(); ++i)
            text += usual_row_of(f, i);
    }
    text += fmt::format("{} leases are renewed with a ttl of {} ms\n", how_much.held.leases,
                        how_much.held.ttl.count());
    for (const findings& f : all)
        text += first_failure_of(f);
    for (const check& c : checks_of(all, how_much))
        text += fmt::format("{:<6}{}: {:.4g} ({} {:.4g})\n", c.passed() ? "ok" : "FAIL", c.name, c.value,
                            c.at_least ? "at least" : "at most", c.limit);
    return text;
}

std::string json(const std::vector<findings>& all, const extent& how_much) {
    json_types::array engines, checks;
    for (const findings& f : all)
        engines.push_back(object_of(f));
    for (const check& c : checks_of(all, how_much))
        checks.push_back(json_types::object{{"name", c.name},
                                            {"value", c.value},
                                            {c.at_least ? "at_least" : "at_most", c.limit},
                                            {"passed", c.passed()}});
    return json_types::serialize(json_types::object{
        {"engines", std::move(engines)}, {"leases", how_much.held.leases}, {"checks", std::move(checks)}});
}

} // namespace bench::engines
