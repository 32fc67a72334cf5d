#include "library.hpp"

#include "commands.hpp"
#include "event_loop.hpp"

#include <redlock/redlock.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <exception>
#include <utility>

namespace bench {
namespace {

namespace asio = boost::asio;

/// One closed loop and what its callers share.
class closed_loop {
public:
    closed_loop(const std::vector<std::string>& nodes, const load& plan, const redlock::tls_options& tls)
        : plan_(plan), record_(plan), locks_(loop_.get_executor(), settings(nodes, plan, tls)) {}

    sample run() {
        running_ = plan_.in_flight;
        for (std::size_t i = 0; i < plan_.in_flight; ++i)
            asio::co_spawn(loop_, caller(key_of(side::library, i)), [](std::exception_ptr failure) {
                if (failure) std::rethrow_exception(failure);
            });
        run_to_end(loop_, plan_.warm_up + plan_.duration + std::chrono::seconds(30));
        auto result = record_.result();
        result.commands_per_cycle = static_cast<double>(commands_) / static_cast<double>(finished_);
        result.records_per_cycle = static_cast<double>(records_) / static_cast<double>(finished_);
        return result;
    }

private:
    static redlock::config settings(const std::vector<std::string>& nodes, const load& plan,
                                    const redlock::tls_options& tls) {
        redlock::config c;
        c.nodes = nodes;
        c.tls = tls;
        c.max_inflight = plan.window;
        // Nodes and callers share one small machine here, where a node may be without a processor for longer
        // than the 50 ms that suit a node of one's own. Still too short for the largest load to be on the
        // wire all at once.
        c.node_timeout = std::chrono::milliseconds(200);
        return c;
    }

    asio::awaitable<void> caller(std::string key) {
        redlock::lock_options options;
        options.fencing = plan_.fencing;
        options.permits = plan_.what == kind::permit ? 4 : 1;
        if (plan_.what == kind::read) options.mode = redlock::mode::read;
        if (plan_.what == kind::write) options.mode = redlock::mode::write;
        const redlock::owner me;
        if (plan_.what == kind::entered_again) options.owner = &me;
        if (plan_.what == kind::kept) options.keep = std::chrono::milliseconds(100);
        std::vector<std::string> several{key};
        for (int i = 1; plan_.what == kind::set_of_four && i < 4; ++i)
            several.push_back(key + "-" + std::to_string(i));
        auto began = steady::now();
        std::uint64_t turn = 0;
        std::string wanted = key;
        for (bool going = true; going && !over_;) {
            // The cycle before has left its own there.
            if (plan_.what == kind::kept) wanted = key + "-" + std::to_string(turn++);
            try {
                if (plan_.what == kind::set_of_one || plan_.what == kind::set_of_four) {
                    auto all = co_await locks_.async_lock_all(several, options);
                    co_await all.async_unlock();
                } else if (plan_.what == kind::lead) {
                    auto leads = co_await locks_.async_campaign(key, "10.0.0.1:80", options);
                    co_await leads.async_unlock();
                } else {
                    auto lease = co_await locks_.async_lock(wanted, options);
                    if (plan_.what == kind::entered_again) {
                        auto inner = co_await locks_.async_lock(key, options);
                        co_await inner.async_unlock();
                    }
                    co_await lease.async_unlock();
                }
                const auto ended = steady::now();
                going = record_.add(std::exchange(began, ended), ended);
            } catch (const std::exception& e) {
                began = steady::now();
                going = record_.fail(began, e.what());
            }
            ++finished_;
        }
        over_ = true;
        if (--running_ == 0) co_await close();
    }

    asio::awaitable<void> close() {
        const redlock::metrics_snapshot seen = locks_.metrics();
        for (const auto& node : seen.nodes) {
            commands_ += node.commands;
            records_ += node.round_trips.count;
        }
        for (const auto* times :
             {&seen.time_to_acquire, &seen.wait_time, &seen.hold_time, &seen.renewal_time})
            records_ += times->count;
        co_await locks_.async_close();
    }

    load plan_;
    recorder record_;
    asio::io_context loop_{1};
    redlock::client locks_;
    std::size_t running_ = 0;
    std::uint64_t finished_ = 0;
    std::uint64_t commands_ = 0;
    std::uint64_t records_ = 0;
    bool over_ = false;
};

} // namespace

sample run_library(const std::vector<std::string>& nodes, const load& plan, const redlock::tls_options& tls) {
    closed_loop loop(nodes, plan, tls);
    return loop.run();
}

} // namespace bench
