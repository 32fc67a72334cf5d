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

boost::json::object object_of(const tls_comparison& c) {
    return {{"in_flight", c.plan.in_flight},
            {"plain", array_of(c.plain)},
            {"tls", array_of(c.tls)},
            {"ratio",
             {{"cycles_per_second", ratio(c.tls, c.plain, &sample::cycles_per_second)},
              {"p50", ratio(c.tls, c.plain, &sample::p50_microseconds)},
              {"p99", ratio(c.tls, c.plain, &sample::p99_microseconds)},
              {"cpu_per_cycle", ratio(c.tls, c.plain, &sample::cpu_microseconds)}}}};
}

boost::json::object object_of(const kinds_comparison& c) {
    boost::json::object object{{"in_flight", c.plan.in_flight}};
    for (const kind k : kinds)
        object[name_of(k)] = array_of(c.of(k));
    boost::json::object beside;
    for (const kind k : kinds)
        if (k != kind::exclusive) beside[name_of(k)] = array_of(c.beside(k));
    object["exclusive_beside"] = std::move(beside);
    return object;
}

template <class T>
boost::json::array array_of(const std::vector<T>& all) {
    boost::json::array objects;
    for (const auto& one : all)
        objects.push_back(object_of(one));
    return objects;
}

} // namespace

std::string json(const std::vector<tls_comparison>& all) {
    return boost::json::serialize(
        boost::json::object{{"loads", array_of(all)}, {"checks", array_of(checks_of(all))}});
}

std::string json(const std::vector<kinds_comparison>& all) {
    return boost::json::serialize(
        boost::json::object{{"loads", array_of(all)}, {"checks", array_of(checks_of(all))}});
}

std::string json(const findings& f) {
    const boost::json::array loads = array_of(f.comparisons);
    const boost::json::array checks = array_of(checks_of(f));
    return boost::json::serialize(boost::json::object{{"loads", loads},
                                                      {"bytes_per_lease", f.bytes_per_lease},
                                                      {"nanoseconds_per_record", f.nanoseconds_per_record},
                                                      {"checks", checks}});
}

} // namespace bench
