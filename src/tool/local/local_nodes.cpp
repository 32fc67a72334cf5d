#include "local/local_nodes.hpp"

#include "cli/exit_status.hpp"
#include "process/command_process.hpp"
#include "text/notice.hpp"
#include "text/progress_note.hpp"

#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <poll.h>
#include <stdexcept>

namespace redlock::tool {
namespace {

using namespace std::chrono_literals;

// For all servers together, on a machine that is busy with something else.
constexpr auto longest_start = 60s;

/// Hears what the supervisor says until the servers are not needed any more.
class hearing {
public:
    explicit hearing(channel& line) : line_(line) {}

    /// Waits for news, or for as long as this. Returns whether the servers are still needed.
    bool go_on(int milliseconds) {
        pollfd source{line_.number(), POLLIN, 0};
        ::poll(&source, 1, milliseconds);
        while (const auto m = line_.receive()) {
            if (m->about == subject::started) group_ = static_cast<int>(m->number);
            if (m->about == subject::ended) wanted_ = false;
        }
        if (line_.ended() && wanted_ && group_ != 0) signal_group(group_, SIGKILL);
        return wanted_ && !line_.ended();
    }

private:
    channel& line_;
    int group_ = 0;
    bool wanted_ = true;
};

// Returns whether they are still wanted.
bool await(local_servers& servers, const local_engine& engine, hearing& news) {
    progress_note progress;
    const auto deadline = std::chrono::steady_clock::now() + longest_start;
    while (!servers.ready()) {
        if (!news.go_on(5)) return false;
        const auto now = std::chrono::steady_clock::now();
        if (now >= progress.due()) progress.draw("starting " + engine.name);
        if (now > deadline)
            throw std::runtime_error(
                fmt::format("a server did not start within {} s", longest_start.count()));
    }
    return true;
}

void serve(channel& line, const local_engine& engine, const local_plan& plan) {
    hearing news(line);
    const auto servers = engine.start(plan);
    if (!await(*servers, engine, news)) return;
    line.send({subject::begin, 0, "REDLOCK_NODES=" + servers->addresses()});
    while (news.go_on(-1)) {
    }
}

} // namespace

void keep_nodes(channel& line, const local_engine& engine, const local_plan& plan) {
    int status = fine;
    try {
        serve(line, engine, plan);
    } catch (const std::exception& e) {
        print_notice(e.what());
        status = failed;
    }
    std::error_code ignored;
    std::filesystem::remove_all(plan.folder, ignored);
    line.send({subject::done, status, {}});
}

} // namespace redlock::tool
