#include "engines/findings.hpp"
#include "library.hpp"

#include <algorithm>
#include <stdexcept>

namespace bench::engines {
namespace {

constexpr std::size_t window = 1024;

findings begin(const contestant& c, const extent& how_much) {
    findings f{.name = c.name, .usual = {}, .batches = c.batches};
    for (const usual_client& u : c.usual)
        f.usual.push_back(u.name);
    for (const std::size_t in_flight : {std::size_t{1}, std::size_t{64}, std::size_t{1024}})
        f.loads.push_back({.plan = {in_flight, window, how_much.warm_up, how_much.duration},
                           .library = {},
                           .clients = std::vector<std::vector<sample>>(c.usual.size())});
    return f;
}

void measure_once(const contestant& c, const extent& how_much, findings& f) {
    for (loaded& l : f.loads) {
        l.library.push_back(run_library(c.nodes, l.plan));
        for (std::size_t i = 0; i < c.usual.size(); ++i)
            l.clients[i].push_back(c.usual[i].run(l.plan));
    }
    f.pairs.push_back(run_crowd(c.nodes, {.duration = how_much.duration}));
    f.eights.push_back(run_crowd(
        c.nodes, {.clients = 8, .hold = std::chrono::milliseconds(1), .duration = how_much.duration}));
    f.held.push_back(run_renewals(c.nodes, how_much.held));
}

} // namespace

const loaded& findings::at(std::size_t in_flight) const {
    const auto found =
        std::ranges::find_if(loads, [&](const loaded& l) { return l.plan.in_flight == in_flight; });
    if (found == loads.end()) throw std::logic_error("a load that was not measured");
    return *found;
}

std::vector<findings> measure(const std::vector<contestant>& all, const extent& how_much) {
    std::vector<findings> found;
    for (const contestant& c : all)
        found.push_back(begin(c, how_much));
    for (std::size_t run = 0; run < how_much.runs; ++run)
        for (std::size_t i = 0; i < all.size(); ++i)
            measure_once(all[i], how_much, found[i]);
    return found;
}

} // namespace bench::engines
