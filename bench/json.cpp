#include "report.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/src.hpp>

namespace bench {
namespace {

boost::json::object object_of(const sample& s) {
    return {{"cycles", s.cycles},
            {"failures", s.failures},
            {"first_failure", s.first_failure},
            {"cycles_per_second", s.cycles_per_second},
            {"p50_microseconds", s.p50_microseconds},
            {"p99_microseconds", s.p99_microseconds},
            {"cpu_microseconds_per_cycle", s.cpu_microseconds},
            {"commands_per_cycle", s.commands_per_cycle},
            {"records_per_cycle", s.records_per_cycle}};
}

boost::json::array array_of(const std::vector<sample>& samples) {
    boost::json::array all;
    for (const auto& s : samples)
        all.push_back(object_of(s));
    return all;
}

boost::json::object object_of(const comparison& c) {
    return {{"in_flight", c.plan.in_flight},
            {"window", c.plan.window},
            {"library", array_of(c.library)},
            {"floor", array_of(c.floor)},
            {"fenced", array_of(c.fenced)},
            {"ratio",
             {{"cycles_per_second", ratio(c, &sample::cycles_per_second)},
              {"p50", ratio(c, &sample::p50_microseconds)},
              {"p99", ratio(c, &sample::p99_microseconds)},
              {"cpu_per_cycle", ratio(c, &sample::cpu_microseconds)},
              {"commands_per_cycle", ratio(c, &sample::commands_per_cycle)},
              {"fenced_cycles_per_second", ratio(c.fenced, c.library, &sample::cycles_per_second)}}}};
}

boost::json::object object_of(const check& c) {
    return {{"name", c.name},
            {"value", c.value},
            {c.at_least ? "at_least" : "at_most", c.limit},
            {"passed", c.passed()}};
}

} // namespace

std::string json(const findings& f) {
    boost::json::array loads;
    for (const auto& c : f.comparisons)
        loads.push_back(object_of(c));
    boost::json::array checks;
    for (const auto& c : checks_of(f))
        checks.push_back(object_of(c));
    return boost::json::serialize(boost::json::object{{"loads", loads},
                                                      {"bytes_per_lease", f.bytes_per_lease},
                                                      {"nanoseconds_per_record", f.nanoseconds_per_record},
                                                      {"checks", checks}});
}

} // namespace bench
