#include "memory.hpp"

#include "event_loop.hpp"
#include "support/child_process.hpp"

#include <redlock/redlock.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <fmt/format.h>

#include <exception>
#include <fstream>
#include <malloc.h>
#include <stdexcept>
#include <unistd.h>

namespace bench {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

// Callers that take leases at the same time. Their frames are freed, and trimmed, before the memory is looked
// at.
constexpr std::size_t callers = 256;

double resident_bytes() {
    ::malloc_trim(0);
    std::size_t whole = 0;
    std::size_t resident = 0;
    std::ifstream("/proc/self/statm") >> whole >> resident;
    return static_cast<double>(resident) * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

void rethrow(const std::exception_ptr& failure) {
    if (failure) std::rethrow_exception(failure);
}

class holder {
public:
    explicit holder(const std::vector<std::string>& nodes)
        : locks_(loop_.get_executor(), settings(nodes)), leases_(held_leases) {}

    double run() {
        // The first leases bring buffers and tables to their working size; they are not what is measured.
        take(callers * 4);
        for (auto& l : leases_)
            l = {};
        await([&] { return locks_.metrics().unlocks == callers * 4; });
        const double before = resident_bytes();
        const auto granted = locks_.metrics().grants;
        take(held_leases);
        await([&] { return locks_.metrics().renewals >= held_leases; });
        const double after = resident_bytes();
        const auto now = locks_.metrics();
        if (now.grants - granted != held_leases || now.held != held_leases)
            throw std::runtime_error(fmt::format("{} of {} leases are held", now.held, held_leases));
        return (after - before) / static_cast<double>(held_leases);
    }

private:
    static redlock::config settings(const std::vector<std::string>& nodes) {
        redlock::config c;
        c.nodes = nodes;
        c.node_timeout = 500ms; // the machine may be busy with other things
        return c;
    }

    asio::awaitable<void> take_every(std::size_t first, std::size_t count) {
        const redlock::lock_options options;
        for (std::size_t i = first; i < count; i += callers) {
            const auto key = fmt::format("bench:held:{:05}", i);
            leases_[i] = co_await locks_.async_lock(key, options);
        }
    }

    void take(std::size_t count) {
        std::size_t running = callers;
        for (std::size_t first = 0; first < callers; ++first)
            asio::co_spawn(loop_, take_every(first, count), [&](std::exception_ptr failure) {
                --running;
                rethrow(failure);
            });
        await([&] { return running == 0; });
    }

    template <typename Reached>
    void await(Reached reached) {
        const auto deadline = std::chrono::steady_clock::now() + 60s;
        while (!reached()) {
            loop_.run_for(20ms);
            throw_if_interrupted();
            if (std::chrono::steady_clock::now() > deadline)
                throw std::runtime_error("leases: not there within 60 s");
        }
    }

    asio::io_context loop_{1};
    redlock::client locks_;
    std::vector<redlock::lease> leases_;
};

} // namespace

double bytes_per_lease(const std::vector<std::string>& nodes) {
    holder h(nodes);
    return h.run();
}

double bytes_per_lease_in_child(const std::string& program, const std::vector<std::string>& nodes) {
    std::vector<std::string> command{program, "--hold"};
    command.insert(command.end(), nodes.begin(), nodes.end());
    redlock::test::child_process child(command);
    const auto line = child.read_line(150s);
    throw_if_interrupted();
    if (!line || child.wait(20s) != 0) throw std::runtime_error("the process that holds leases failed");
    return std::stod(*line);
}

} // namespace bench
