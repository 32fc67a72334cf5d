#include "contention/processes.hpp"

#include "contention/clocks.hpp"
#include "contention/crew.hpp"
#include "contention/incident.hpp"
#include "contention/shared_log.hpp"
#include "interruption.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <thread>

namespace bench {
namespace {

using steady_clock = std::chrono::steady_clock;

constexpr std::size_t most_holdings = 4'000'000; ///< of all processes together

template <class Predicate>
void await(std::chrono::nanoseconds bound, const char* what, Predicate predicate) {
    const auto deadline = steady_clock::now() + bound;
    while (!predicate()) {
        throw_if_interrupted();
        if (steady_clock::now() > deadline) throw std::runtime_error(fmt::format("{} in vain", what));
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}

course read(shared_log& log) {
    course all;
    for (std::size_t process = 0; process < log.processes(); ++process) {
        const auto written = log.space_of(process).first(log.page_of(process).count);
        for (const holding& h : written)
            (h.granted == 0 ? all.in_vain : all.holdings).push_back(h);
        all.expenses.push_back(log.page_of(process).spent);
    }
    std::ranges::sort(all.holdings, {}, &holding::granted);
    return all;
}

} // namespace

course run_in_processes(const scenario& what, const std::vector<std::string>& nodes,
                        std::int64_t not_before) {
    shared_log log(what.processes, most_holdings / what.processes);
    crew all;
    for (std::size_t process = 0; process < what.processes; ++process)
        all.add(what, nodes, log);
    await(std::chrono::seconds(30), "waited for the processes to be ready", [&] {
        all.ended();
        for (std::size_t process = 0; process < what.processes; ++process)
            if (!log.page_of(process).ready) return false;
        return true;
    });
    const std::int64_t begin =
        std::max(not_before, now() + std::chrono::nanoseconds(std::chrono::milliseconds(50)).count());
    log.begin() = begin;
    incident misfortune(what, all, log, begin);
    await(std::chrono::nanoseconds(begin - now()) + what.warm_up + what.duration + std::chrono::seconds(60),
          "waited for the processes to end", [&] {
              misfortune.pass();
              return all.ended();
          });
    if (!misfortune.is_over()) throw std::runtime_error("no process was met waiting");
    course happened = read(log);
    happened.all_there =
        begin + std::max<std::chrono::nanoseconds>(what.warm_up, delay_of(what, what.processes - 1)).count();
    happened.outage = misfortune.came_to();
    return happened;
}

} // namespace bench
