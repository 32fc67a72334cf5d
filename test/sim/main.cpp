// Runs the simulation: test/sim/run says how.

#include "sim/run_options.hpp"
#include "sim/runs.hpp"
#include "sim/weather.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <numeric>
#include <vector>

namespace {

using namespace redlock::sim;

int run_one(const run_options& o) {
    const outcome out = world(o.first, o.traces ? stdout : nullptr).run();
    fmt::print("seed {}: {} steps, {} grants, digest {:016x}\n", o.first, out.steps, out.grants, out.digest);
    for (const std::string& breach : out.breaches)
        fmt::print("  {}\n", breach);
    return out.breaches.empty() ? EXIT_SUCCESS : EXIT_FAILURE;
}

/// Runs some of the seeds once more: how many of them took another course?
std::uint64_t differ_when_repeated(const std::map<std::uint64_t, std::uint64_t>& digests, unsigned jobs) {
    std::vector<std::uint64_t> again;
    for (const auto& [seed, digest] : digests)
        if (again.empty() || seed % 100 == 0) again.push_back(seed);
    std::uint64_t differ = 0;
    run_all(again, jobs, [&](std::uint64_t seed, const outcome& out) {
        if (out.digest == digests.at(seed)) return true;
        ++differ;
        fmt::print("seed {}: took another course the second time\n", seed);
        return true;
    });
    return differ;
}

int run_many(const run_options& o) {
    std::vector<std::uint64_t> seeds;
    if (!o.failed_seeds.empty()) seeds = read_seeds(o.failed_seeds);
    const std::size_t known = seeds.size();
    seeds.resize(known + o.count);
    std::iota(seeds.begin() + static_cast<std::ptrdiff_t>(known), seeds.end(), o.first);

    const auto began = std::chrono::steady_clock::now();
    std::map<std::uint64_t, std::uint64_t> digests;
    std::uint64_t failed = 0;
    std::uint64_t steps = 0;
    std::uint64_t grants = 0;
    run_all(seeds, o.jobs, [&](std::uint64_t seed, const outcome& out) {
        steps += out.steps;
        grants += out.grants;
        digests[seed] = out.digest;
        if (out.breaches.empty()) return true;
        ++failed;
        fmt::print("seed {}: {}\n", seed, out.breaches.front());
        std::fflush(stdout);
        return failed < o.enough;
    });
    if (failed < o.enough) failed += differ_when_repeated(digests, o.jobs);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    fmt::print("{} seeds ({} known to have failed) in {:.1f} s: {} steps, {} grants, {} failed\n",
               digests.size(), known, took.count(), steps, grants, failed);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

} // namespace

int main(int argc, char** argv) try {
    const run_options o(argc, argv);
    return o.one_seed ? run_one(o) : run_many(o);
} catch (const std::exception& e) {
    fmt::print(stderr, "redlock_sim: {}\n", e.what());
    return 2;
}
