#include "interruption.hpp"
#include "memory.hpp"
#include "options.hpp"
#include "recording.hpp"
#include "report.hpp"
#include "support/node_set.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <fstream>
#include <stdexcept>

namespace {

bench::findings measure(const bench::options& o) {
    redlock::test::node_set servers(5);
    std::vector<std::uint16_t> ports;
    for (const auto& s : servers)
        ports.push_back(s.port());
    const auto nodes = servers.uris();
    bench::findings f;
    f.nanoseconds_per_record = bench::nanoseconds_per_record();
    f.comparisons = bench::compare(ports, nodes, o.how_much);
    f.bytes_per_lease = bench::bytes_per_lease_in_child("/proc/self/exe", nodes);
    return f;
}

template <class Findings>
void publish(const Findings& f, const bench::options& o) {
    const bool json_only = o.json && o.json->empty();
    if (!json_only) fmt::print("{}", bench::table(f));
    if (!o.json) return;
    const auto text = bench::json(f) + '\n';
    if (json_only) {
        fmt::print("{}", text);
        return;
    }
    std::ofstream file(*o.json);
    if (!(file << text).flush()) throw std::runtime_error("cannot write " + *o.json);
}

bool all_passed(const std::vector<bench::check>& checks) {
    for (const auto& c : checks)
        if (!c.passed()) return false;
    return true;
}

template <class Findings>
int report(const Findings& f, const bench::options& o) {
    publish(f, o);
    return o.check && !all_passed(bench::checks_of(f)) ? 1 : 0;
}

int run(const bench::options& o) {
    if (o.help) {
        fmt::print("{}", bench::usage);
        return 0;
    }
    bench::heed_interruption();
    if (!o.hold_on.empty()) {
        fmt::print("{}\n", bench::bytes_per_lease(o.hold_on));
        return 0;
    }
    if (o.kinds) return report(bench::compare_kinds(o.how_much), o);
    if (o.tls) return report(bench::compare_tls(o.how_much), o);
    return report(measure(o), o);
}

} // namespace

int main(int argc, char** argv) {
    bench::options o;
    try {
        o = bench::parse({argv + 1, argv + argc});
    } catch (const std::invalid_argument& e) {
        fmt::print(stderr, "lock_bench: {}\n{}", e.what(), bench::usage);
        return 2;
    }
    try {
        return run(o);
    } catch (const bench::interrupted&) {
        return 130;
    } catch (const std::exception& e) {
        fmt::print(stderr, "lock_bench: {}\n", e.what());
        return 3;
    }
}
