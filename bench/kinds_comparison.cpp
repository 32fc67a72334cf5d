#include "kinds_comparison.hpp"

#include "library.hpp"
#include "support/node_set.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <vector>

namespace bench {

namespace {

void measure_beside_exclusive(kinds_comparison& c, kind what, const std::vector<std::string>& nodes,
                              bool exclusive_first) {
    const auto measure = [&](kind k) {
        load plan = c.plan;
        plan.what = k;
        return run_library(nodes, plan);
    };
    const auto index = static_cast<std::size_t>(what);
    if (!exclusive_first) c.of_kind[index].push_back(measure(what));
    c.exclusive_beside[index].push_back(measure(kind::exclusive));
    if (exclusive_first) c.of_kind[index].push_back(measure(what));
}

} // namespace

std::vector<kinds_comparison> compare_kinds(const extent& how_much) {
    const redlock::test::node_set servers(5);
    std::vector<kinds_comparison> all;
    for (const std::size_t in_flight : {std::size_t{1}, std::size_t{64}, std::size_t{1024}})
        all.push_back({.plan = {in_flight, 1024, how_much.warm_up, how_much.duration}});
    for (std::size_t run = 0; run < how_much.runs; ++run)
        for (auto& c : all)
            for (const kind k : kinds)
                if (k != kind::exclusive) measure_beside_exclusive(c, k, servers.uris(), run % 2 == 0);
    for (auto& c : all)
        for (const auto& some : c.exclusive_beside)
            std::ranges::copy(some, std::back_inserter(c.of_kind[static_cast<std::size_t>(kind::exclusive)]));
    return all;
}

} // namespace bench
