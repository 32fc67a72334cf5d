#include "contention/processes.hpp"

#include "contention/bare_contender.hpp"
#include "contention/contender.hpp"
#include "contention/shared_log.hpp"
#include "interruption.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace bench {
namespace {

using steady_clock = std::chrono::steady_clock;

constexpr std::size_t most_holdings = 4'000'000; ///< of all processes together

/// The processes of one scenario, killed with this object.
class crew {
public:
    crew() = default;
    crew(const crew&) = delete;
    crew& operator=(const crew&) = delete;
    ~crew() {
        for (const pid_t pid : running_)
            ::kill(pid, SIGKILL);
        for (const pid_t pid : running_)
            ::waitpid(pid, nullptr, 0);
    }

    void add(const scenario& what, const std::vector<std::string>& nodes, shared_log& log,
             std::size_t process) {
        const pid_t parent = ::getpid();
        const pid_t pid = ::fork();
        if (pid < 0) throw std::runtime_error("cannot start a process");
        if (pid > 0) {
            running_.push_back(pid);
            return;
        }
        // Not to outlive the parent. What the parent has on its stack stays its own: no destructor runs here.
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::getppid() != parent) ::_exit(1);
        try {
            (what.by == locker::bare_sockets ? contend_bare : contend)(what, nodes, log, process);
            ::_exit(0);
        } catch (const std::exception& e) {
            fmt::print(stderr, "process {} of {}: {}\n", process, what.name, e.what());
            ::_exit(1);
        }
    }

    /// Whether all have come to their end. Throws when one has failed.
    bool ended() {
        std::erase_if(running_, [](pid_t pid) {
            int status = 0;
            if (::waitpid(pid, &status, WNOHANG) != pid) return false;
            if (status != 0) throw std::runtime_error("a contending process failed");
            return true;
        });
        return running_.empty();
    }

private:
    std::vector<pid_t> running_;
};

template <class Predicate>
void await(std::chrono::milliseconds bound, const char* what, Predicate predicate) {
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
        all.holdings.insert(all.holdings.end(), written.begin(), written.end());
        all.expenses.push_back(log.page_of(process).spent);
    }
    std::ranges::sort(all.holdings, {}, &holding::granted);
    return all;
}

} // namespace

course run_in_processes(const scenario& what, const std::vector<std::string>& nodes) {
    shared_log log(what.processes, most_holdings / what.processes);
    crew all;
    for (std::size_t process = 0; process < what.processes; ++process)
        all.add(what, nodes, log, process);
    await(std::chrono::seconds(30), "waited for the processes to be ready", [&] {
        all.ended();
        for (std::size_t process = 0; process < what.processes; ++process)
            if (!log.page_of(process).ready) return false;
        return true;
    });
    const auto begin = steady_clock::now() + std::chrono::milliseconds(50);
    log.begin() = std::chrono::nanoseconds(begin.time_since_epoch()).count();
    await(what.warm_up + what.duration + std::chrono::seconds(60), "waited for the processes to end",
          [&] { return all.ended(); });
    return read(log);
}

} // namespace bench
