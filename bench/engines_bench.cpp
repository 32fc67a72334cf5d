#include "engines/options.hpp"
#include "interruption.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <stdexcept>

namespace {

namespace engines = bench::engines;

/// Those that can be started. One that was asked for by name must be.
std::vector<engines::contestant> start_all(const engines::options& o) {
    std::vector<engines::contestant> all;
    for (const engines::entry& e : engines::entries()) {
        const bool by_name = std::ranges::find(o.only, e.name) != o.only.end();
        if (!o.only.empty() && !by_name) continue;
        try {
            all.push_back(e.start());
        } catch (const std::exception& failure) {
            bench::throw_if_interrupted();
            if (by_name) throw;
            fmt::print(stderr, "engines_bench: {} is left out: {}\n", e.name, failure.what());
        }
    }
    return all;
}

void publish(const std::vector<engines::findings>& found, const engines::options& o) {
    const bool json_only = o.json && o.json->empty();
    if (!json_only) fmt::print("{}", engines::table(found, o.how_much));
    if (!o.json) return;
    const std::string text = engines::json(found, o.how_much) + '\n';
    if (json_only) {
        fmt::print("{}", text);
        return;
    }
    std::ofstream file(*o.json);
    if (!(file << text).flush()) throw std::runtime_error("cannot write " + *o.json);
}

int run(const engines::options& o) {
    if (o.help) {
        fmt::print("{}", engines::usage());
        return 0;
    }
    bench::heed_interruption();
    const auto found = engines::measure(start_all(o), o.how_much);
    publish(found, o);
    const auto checks = engines::checks_of(found, o.how_much);
    const bool passed = std::ranges::all_of(checks, [](const bench::check& c) { return c.passed(); });
    return o.check && !passed ? 1 : 0;
}

} // namespace

int main(int argc, char** argv) {
    engines::options o;
    try {
        o = engines::parse({argv + 1, argv + argc});
    } catch (const std::invalid_argument& e) {
        fmt::print(stderr, "engines_bench: {}\n{}", e.what(), engines::usage());
        return 2;
    }
    try {
        return run(o);
    } catch (const bench::interrupted&) {
        return 130;
    } catch (const std::exception& e) {
        fmt::print(stderr, "engines_bench: {}\n", e.what());
        return 3;
    }
}
