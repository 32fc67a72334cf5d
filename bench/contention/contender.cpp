#include "contention/contender.hpp"

#include "contention/clocks.hpp"
#include "event_loop.hpp"

#include <redlock/redlock.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>

#include <algorithm>
#include <random>
#include <ranges>

namespace bench {
namespace {

namespace asio = boost::asio;
using std::chrono::nanoseconds;
using steady_clock = std::chrono::steady_clock;

std::vector<double> weights_of(std::size_t keys) {
    std::vector<double> weights;
    for (std::size_t k = 1; k <= keys; ++k)
        weights.push_back(1 / static_cast<double>(k));
    return weights;
}

class contest {
public:
    contest(const scenario& what, const std::vector<std::string>& nodes, shared_log& log, std::size_t process)
        : what_(what),
          log_(log),
          process_(process),
          draw_(static_cast<unsigned>(process)),
          popularity_([weights = weights_of(what.keys)] {
              return std::discrete_distribution<std::uint32_t>(weights.begin(), weights.end());
          }()),
          locks_(loop_.get_executor(), settings(nodes)) {}

    void run() {
        asio::co_spawn(loop_, begin(), asio::detached);
        run_to_end(loop_, what_.warm_up + what_.duration + std::chrono::seconds(30));
        log_.page_of(process_).spent = spent_;
    }

private:
    redlock::config settings(const std::vector<std::string>& nodes) const {
        redlock::config c;
        c.nodes = nodes;
        c.wakeup = what_.wakeup;
        // All processes and all nodes share one small machine here.
        c.node_timeout = std::chrono::milliseconds(200);
        return c;
    }

    bool knows_all_nodes() const {
        return std::ranges::all_of(locks_.metrics().nodes, [](const redlock::node_metrics& n) {
            return n.state == "ready" && n.wakeup != redlock::wakeup::automatic;
        });
    }

    asio::awaitable<void> begin() {
        asio::steady_timer pause(loop_);
        for (std::int64_t start = 0; start == 0 || start > now(); start = log_.begin()) {
            if (knows_all_nodes()) log_.page_of(process_).ready = true;
            pause.expires_after(std::chrono::milliseconds(1));
            co_await pause.async_wait(asio::deferred);
        }
        measured_from_ = log_.begin() + nanoseconds(what_.warm_up).count();
        end_ = measured_from_ + nanoseconds(what_.duration).count();
        cpu_before_ = cpu_microseconds();
        for (std::size_t i = 0; i < what_.callers; ++i)
            asio::co_spawn(loop_, call(), asio::detached);
        pause.expires_at(steady_clock::time_point(nanoseconds(end_)));
        co_await pause.async_wait(asio::deferred);
        sum_up();
        // Whoever still waits is told that it is over.
        co_await locks_.async_close(asio::as_tuple(asio::deferred));
    }

    asio::awaitable<void> call() {
        asio::steady_timer hold(loop_);
        const redlock::lock_options options;
        while (now() < end_) {
            holding h{
                .asked = now(), .key = popularity_(draw_), .process = static_cast<std::uint32_t>(process_)};
            auto [failure, held] = co_await locks_.async_lock("contended:" + std::to_string(h.key), options,
                                                              asio::as_tuple(asio::deferred));
            h.granted = now();
            if (failure) {
                spent_.failures += failure != redlock::errc::closed;
                if (failure == redlock::errc::closed) break;
                continue;
            }
            if (what_.computes) {
                while (now() < h.granted + nanoseconds(what_.hold).count())
                    continue;
            } else if (what_.hold.count() > 0) {
                hold.expires_after(what_.hold);
                co_await hold.async_wait(asio::deferred);
            }
            h.released = now();
            if (h.granted >= measured_from_ && h.granted < end_) log_.add(process_, h);
            co_await held.async_unlock(asio::as_tuple(asio::deferred));
        }
    }

    void sum_up() {
        const redlock::metrics_snapshot seen = locks_.metrics();
        spent_.grants = seen.grants;
        spent_.refusals = seen.refusals;
        spent_.split_votes = seen.split_votes;
        spent_.arbiter_tries = seen.arbiter_tries;
        spent_.kept_votes = seen.kept_votes;
        for (const auto& node : seen.nodes)
            spent_.commands += node.commands;
        spent_.cpu_microseconds = cpu_microseconds() - cpu_before_;
    }

    const scenario& what_;
    shared_log& log_;
    const std::size_t process_;
    std::mt19937 draw_;
    std::discrete_distribution<std::uint32_t> popularity_;
    asio::io_context loop_{1};
    redlock::client locks_;
    expense spent_;
    std::int64_t measured_from_ = 0;
    std::int64_t end_ = 0;
    double cpu_before_ = 0;
};

} // namespace

void contend(const scenario& what, const std::vector<std::string>& nodes, shared_log& log,
             std::size_t process) {
    contest c(what, nodes, log, process);
    c.run();
}

} // namespace bench
