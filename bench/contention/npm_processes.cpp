#include "contention/npm_processes.hpp"

#include "contention/processes.hpp"
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
                                    const std::string& folder, const std::string& file, std::string_view key,
                                    std::int64_t begin) {
    const std::int64_t measured_from = begin + nanoseconds(what.warm_up).count();
    const std::int64_t end = measured_from + nanoseconds(what.duration).count();
    return {"sh", "-c",
            fmt::format("cd '{}' && exec node '{}' '{}' {} {} {} {} {} {} {}", folder, REDLOCK_NPM_CONTENDER,
                        file, begin, measured_from, end,
                        std::chrono::ceil<std::chrono::milliseconds>(what.hold).count(),
                        what.retry_delay.count(), key, fmt::join(nodes, " "))};
}

void read(const std::string& file, std::size_t process, course& all) {
    std::ifstream lines(file);
    holding h;
    h.process = static_cast<std::uint32_t>(process);
    while (lines >> h.asked >> h.granted >> h.released)
        (h.granted == 0 ? all.in_vain : all.holdings).push_back(h);
}

/// Processes that contend for one key, from a time on.
class npm_processes {
public:
    npm_processes(const scenario& what, std::size_t count, std::string_view key,
                  const std::vector<std::string>& nodes, const std::string& folder, std::int64_t begin)
        : deadline_(std::chrono::steady_clock::now() + head_start + what.warm_up + what.duration +
                    seconds(60)) {
        const std::string where = std::filesystem::absolute(folder);
        for (std::size_t process = 0; process < count; ++process)
            running_.emplace_back(
                command_of(what, nodes, where, file_of(process), key, begin),
                redlock::test::standard_streams{.input = -1, .output = -1, .error = STDERR_FILENO});
    }

    /// Waits for their end, and adds what they did, with this number for the first of them.
    void finish(course& all, std::size_t first) {
        for (std::size_t process = 0; process < running_.size(); ++process) {
            std::optional<int> status;
            while (!(status = running_[process].wait(std::chrono::milliseconds(100)))) {
                throw_if_interrupted();
                if (std::chrono::steady_clock::now() > deadline_)
                    throw std::runtime_error("npm redlock does not come to an end");
            }
            if (*status != 0)
                throw std::runtime_error(fmt::format("npm redlock ended with status {}", *status));
            read(file_of(process), first + process, all);
        }
        std::ranges::sort(all.holdings, {}, &holding::granted);
    }

private:
    std::string file_of(std::size_t process) const { return results_.path() / std::to_string(process); }

    redlock::test::temporary_folder results_;
    std::deque<redlock::test::process> running_;
    std::chrono::steady_clock::time_point deadline_;
};

} // namespace

course run_npm(const scenario& what, const std::vector<std::string>& nodes, const std::string& folder) {
    npm_processes all(what, what.processes, "contended:npm", nodes, folder, after_now(head_start));
    course happened;
    all.finish(happened, 0);
    happened.expenses.resize(what.processes);
    return happened;
}

course run_with_npm(const scenario& what, const std::vector<std::string>& nodes, const std::string& folder) {
    const std::int64_t begin = after_now(head_start);
    npm_processes strangers(what, what.npm, "contended:0", nodes, folder, begin);
    course happened = run_in_processes(what, nodes, begin);
    strangers.finish(happened, what.processes);
    return happened;
}

} // namespace bench
