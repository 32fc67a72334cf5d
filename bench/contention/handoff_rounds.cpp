#include "contention/handoff_rounds.hpp"

#include "contention/processes.hpp"
#include "contention/yardstick.hpp"
#include "interruption.hpp"

#include <algorithm>

namespace bench {
namespace {

void append(course& all, const course& more) {
    all.holdings.insert(all.holdings.end(), more.holdings.begin(), more.holdings.end());
    all.expenses.insert(all.expenses.end(), more.expenses.begin(), more.expenses.end());
}

} // namespace

handoff_courses measure_handoffs(const scenario& what, std::size_t rounds,
                                 const std::vector<std::string>& nodes,
                                 const std::vector<std::uint16_t>& ports) {
    handoff_courses all;
    all.what = all.what_bare = what;
    all.what_bare.by = locker::bare_sockets;
    all.what_bare.contender = "bare sockets";
    scenario part = what;
    scenario bare_part = all.what_bare;
    part.duration = bare_part.duration = what.duration / rounds;
    for (std::size_t i = 0; i < rounds; ++i) {
        throw_if_interrupted();
        const double cycle = cycle_p50_microseconds(ports);
        const course library = run_in_processes(part, nodes);
        const course bare = run_in_processes(bare_part, nodes);
        all.rounds.push_back({cycle, figures_of(part, library), figures_of(bare_part, bare)});
        append(all.library, library);
        append(all.bare, bare);
    }
    return all;
}

} // namespace bench
