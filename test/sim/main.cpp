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
#include <numeric>

namespace {

using namespace redlock::sim;

int run_one(const run_options& o) {
    const outcome out = world(o.first, o.traces ? stdout : nullptr).run();
    fmt::print("seed {}: {} steps, {} grants, digest {:016x}\n", o.first, out.steps, out.grants, out.digest);
    for (const std::string& breach : out.breaches)
        fmt::print("  {}\n", breach);
    return out.breaches.empty() ? EXIT_SUCCESS : EXIT_FAILURE;
}

int run_many(const run_options& o) {
    std::vector<std::uint64_t> seeds;
    if (!o.failed_seeds.empty()) seeds = read_seeds(o.failed_seeds);
    const std::size_t known = seeds.size();
    seeds.resize(known + o.count);
    std::iota(seeds.begin() + static_cast<std::ptrdiff_t>(known), seeds.end(), o.first);

    const auto began = std::chrono::steady_clock::now();
    std::uint64_t failed = 0;
    std::uint64_t steps = 0;
    std::uint64_t grants = 0;
    run_all(seeds, o.jobs, [&](std::uint64_t seed, const outcome& out) {
        steps += out.steps;
        grants += out.grants;
        if (out.breaches.empty()) return true;
        ++failed;
        fmt::print("seed {}: {}\n", seed, out.breaches.front());
        std::fflush(stdout);
        return true;
    });
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    fmt::print("{} seeds ({} known to have failed) in {:.1f} s: {} steps, {} grants, {} failed\n",
               seeds.size(), known, took.count(), steps, grants, failed);
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
