#include "engines/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace bench::engines {
namespace {

using std::chrono::milliseconds;

constexpr extent quick{
    .runs = 1,
    .warm_up = milliseconds(100),
    .duration = milliseconds(300),
    .held = {.leases = 1'000, .ttl = milliseconds(3'000), .duration = milliseconds(1'500)}};

std::size_t runs_in(const std::string& text) {
    std::size_t runs = 0;
    const char* const end = text.data() + text.size();
    const auto [behind, error] = std::from_chars(text.data(), end, runs);
    if (error != std::errc() || behind != end || runs < 1 || runs > 1000)
        throw std::invalid_argument("--runs wants a number from 1 to 1000, not \"" + text + "\"");
    return runs;
}

std::string engine_in(const std::string& text) {
    const auto all = entries();
    if (std::ranges::any_of(all, [&](const entry& e) { return text == e.name; })) return text;
    throw std::invalid_argument("--only wants the name of an engine, not \"" + text + "\"");
}

} // namespace

std::string usage() {
    std::string text =
        "usage: engines_bench [--quick] [--runs N] [--only ENGINE]... [--check] [--json [FILE]]\n"
        "Measures the engines side by side, with servers of its own in temporary folders. Those whose\n"
        "server is missing are left out with a word.\n"
        "  --quick        one short run, and 1000 leases in place of 10000\n"
        "  --runs N       runs of each engine, in turns, 1 to 1000 (3)\n"
        "  --only ENGINE  this one alone; may be given several times:\n";
    for (const entry& e : entries())
        text += fmt::format("                 {:<20} {}\n", e.name, e.what);
    return text + "  --check        exit with status 1 when a limit is not kept\n"
                  "  --json [FILE]  JSON to FILE, or to the standard output in place of the table\n";
}

options parse(const std::vector<std::string>& arguments) {
    options o;
    std::optional<std::size_t> runs;
    for (auto a = arguments.begin(); a != arguments.end(); ++a) {
        const bool has_value = a + 1 != arguments.end() && !(a + 1)->starts_with("--");
        if (*a == "--quick")
            o.how_much = quick;
        else if (*a == "--help")
            o.help = true;
        else if (*a == "--check")
            o.check = true;
        else if (*a == "--runs")
            runs = runs_in(has_value ? *++a : "");
        else if (*a == "--only")
            o.only.push_back(engine_in(has_value ? *++a : ""));
        else if (*a == "--json")
            o.json = has_value ? *++a : "";
        else
            throw std::invalid_argument("unknown argument \"" + *a + "\"");
    }
    if (runs) o.how_much.runs = *runs;
    return o;
}

} // namespace bench::engines
