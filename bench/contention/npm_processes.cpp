#include "contention/npm_processes.hpp"

#include "interruption.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <unistd.h>

namespace bench {
namespace {

using std::chrono::nanoseconds;
using std::chrono::seconds;

// For node to start and to connect.
constexpr seconds head_start{4};

std::int64_t after_now(nanoseconds time) {
    return nanoseconds(std::chrono::steady_clock::now().time_since_epoch() + time).count();
}

std::vector<std::string> command_of(const scenario& what, const std::vector<std::string>& nodes,
                                    const std::string& folder, const std::string& file, std::int64_t begin) {
    const std::int64_t measured_from = begin + nanoseconds(what.warm_up).count();
    const std::int64_t end = measured_from + nanoseconds(what.duration).count();
    return {"sh", "-c",
            fmt::format("cd '{}' && exec node '{}' '{}' {} {} {} {} {} contended:npm {}", folder,
                        REDLOCK_NPM_CONTENDER, file, begin, measured_from, end,
                        std::chrono::ceil<std::chrono::milliseconds>(what.hold).count(),
                        what.retry_delay.count(), fmt::join(nodes, " "))};
}

void read(const std::string& file, std::size_t process, course& all) {
    std::ifstream lines(file);
    holding h;
    h.process = static_cast<std::uint32_t>(process);
    while (lines >> h.asked >> h.granted >> h.released)
        all.holdings.push_back(h);
}

} // namespace

course run_npm(const scenario& what, const std::vector<std::string>& nodes, const std::string& folder) {
    const redlock::test::temporary_folder results;
    const auto file_of = [&](std::size_t process) { return results.path() / std::to_string(process); };
    const std::int64_t begin = after_now(head_start);
    std::deque<redlock::test::process> running;
    const std::string where = std::filesystem::absolute(folder);
    for (std::size_t process = 0; process < what.processes; ++process)
        running.emplace_back(
            command_of(what, nodes, where, file_of(process), begin),
            redlock::test::standard_streams{.input = -1, .output = -1, .error = STDERR_FILENO});
    course all;
    const auto deadline =
        std::chrono::steady_clock::now() + head_start + what.warm_up + what.duration + seconds(60);
    for (std::size_t process = 0; process < what.processes; ++process) {
        std::optional<int> status;
        while (!(status = running[process].wait(std::chrono::milliseconds(100)))) {
            throw_if_interrupted();
            if (std::chrono::steady_clock::now() > deadline)
                throw std::runtime_error("npm redlock does not come to an end");
        }
        if (*status != 0) throw std::runtime_error(fmt::format("npm redlock ended with status {}", *status));
        read(file_of(process), process, all);
    }
    all.expenses.resize(what.processes);
    std::ranges::sort(all.holdings, {}, &holding::granted);
    return all;
}

} // namespace bench
