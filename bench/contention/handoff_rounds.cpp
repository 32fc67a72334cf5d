#include "contention/handoff_rounds.hpp"

#include "contention/least_disturbed.hpp"
#include "contention/processes.hpp"
#include "contention/yardstick.hpp"

#include <algorithm>

namespace bench {
namespace {

struct measured {
    double cycle_p50_microseconds;
    course library;
    course bare;
};

void append(course& all, const course& more) {
    all.holdings.insert(all.holdings.end(), more.holdings.begin(), more.holdings.end());
    all.expenses.insert(all.expenses.end(), more.expenses.begin(), more.expenses.end());
}

} // namespace

handoff_findings measure_handoffs(const scenario& what, std::size_t rounds, std::size_t most,
                                  const std::vector<std::string>& nodes,
                                  const std::vector<std::uint16_t>& ports) {
    handoff_findings found;
    found.what = found.what_bare = what;
    found.what_bare.by = locker::bare_sockets;
    found.what_bare.contender = "bare sockets";
    scenario part = what;
    scenario bare_part = found.what_bare;
    part.duration = bare_part.duration = what.duration / rounds;
    const auto round = [&] {
        const double cycle = cycle_p50_microseconds(ports);
        course library = run_in_processes(part, nodes);
        return measured{cycle, std::move(library), run_in_processes(bare_part, nodes)};
    };
    for (const auto& [stolen, m] : least_disturbed(rounds, most, round)) {
        found.rounds.push_back(
            {stolen, m.cycle_p50_microseconds, figures_of(part, m.library), figures_of(bare_part, m.bare)});
        append(found.library, m.library);
        append(found.bare, m.bare);
    }
    std::ranges::sort(found.library.holdings, {}, &holding::granted);
    std::ranges::sort(found.bare.holdings, {}, &holding::granted);
    return found;
}

} // namespace bench
