#include "contention/contender.hpp"

#include "contention/clocks.hpp"
#include "event_loop.hpp"

#include <redlock/redlock.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <memory>
#include <random>
#include <ranges>
#include <tuple>

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

/// Cancels a call that lasts too long.
class patience {
public:
    explicit patience(asio::io_context& loop) : timer_(loop) {}

    void ends_after(nanoseconds time) {
        timer_.expires_after(time);
        timer_.async_wait([signal = signal_](boost::system::error_code failure) {
            if (!failure) signal->emit(asio::cancellation_type::terminal);
        });
    }
    void is_needed_no_more() { timer_.cancel(); }
    asio::cancellation_slot slot() { return signal_->slot(); }

private:
    asio::steady_timer timer_;
    // For a timer that fired may find the caller gone.
    std::shared_ptr<asio::cancellation_signal> signal_ = std::make_shared<asio::cancellation_signal>();
};

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
        c.node_timeout = node_timeout;
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
        pause.expires_at(steady_clock::time_point(nanoseconds(log_.begin()) + delay_of(what_, process_)));
        co_await pause.async_wait(asio::deferred);
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
        patience bounded(loop_);
        redlock::lock_options options{.ttl = what_.ttl, .permits = what_.permits, .keep = what_.keep};
        const redlock::owner me;
        if (what_.enters_again) options.owner = &me;
        while (now() < end_) {
            holding h{
                .asked = now(), .key = popularity_(draw_), .process = static_cast<std::uint32_t>(process_)};
            if (what_.reads >= 0) {
                h.reads = part_(draw_) < what_.reads;
                options.mode = h.reads ? redlock::mode::read : redlock::mode::write;
            }
            const std::string key = name_of(h.key);
            boost::system::error_code failure;
            redlock::lease held;
            redlock::lease inner;
            redlock::lease_set several;
            redlock::leadership led;
            const auto keys = what_.together > 1 ? drawn_keys(h.key) : std::vector<std::uint32_t>();
            if (is_cancelled()) {
                bounded.ends_after(drawn_patience());
                auto token =
                    asio::bind_cancellation_slot(bounded.slot(), asio::as_tuple(asio::use_awaitable));
                std::tie(failure, held) = co_await locks_.async_lock(key, options, std::move(token));
                bounded.is_needed_no_more();
            } else if (!keys.empty()) {
                std::vector<std::string> names;
                std::ranges::transform(keys, std::back_inserter(names), name_of);
                std::tie(failure, several) =
                    co_await locks_.async_lock_all(std::move(names), options, asio::as_tuple(asio::deferred));
            } else if (what_.leads) {
                std::tie(failure, led) = co_await locks_.async_campaign(key, "10.0.0.1:80", options,
                                                                        asio::as_tuple(asio::deferred));
                held = std::move(led);
            } else {
                std::tie(failure, held) =
                    co_await locks_.async_lock(key, options, asio::as_tuple(asio::deferred));
                if (!failure && what_.enters_again)
                    std::tie(failure, inner) =
                        co_await locks_.async_lock(key, options, asio::as_tuple(asio::deferred));
            }
            h.granted = now();
            if (failure) {
                add_in_vain(h);
                const bool is_over = failure == redlock::errc::closed;
                spent_.failures += !is_over && failure != asio::error::operation_aborted;
                if (is_over) break;
                continue;
            }
            const std::int64_t begun = now();
            const nanoseconds left = keys.empty() ? held.remaining() : several.remaining();
            std::atomic<std::size_t>& holding_now = log_.page_of(process_).holding;
            ++holding_now;
            if (what_.computes) {
                while (now() < h.granted + nanoseconds(what_.hold).count())
                    continue;
            } else if (what_.hold.count() > 0) {
                hold.expires_after(what_.hold);
                co_await hold.async_wait(asio::deferred);
            }
            h.released = now();
            // One that was stopped meanwhile, or between the grant and here, may have lost what it holds.
            const bool may_be_late = what_.fault != fault::none;
            if (may_be_late && !(keys.empty() ? held.valid() : several.valid()))
                h.released = std::min(h.released, begun + left.count());
            if (h.granted >= end_ || (may_be_late && left.count() == 0))
                add_in_vain(h);
            else if (h.granted >= measured_from_)
                add(h, held.slot(), keys);
            if (inner) co_await inner.async_unlock(asio::as_tuple(asio::deferred));
            if (keys.empty())
                co_await held.async_unlock(asio::as_tuple(asio::deferred));
            else
                co_await several.async_unlock(asio::as_tuple(asio::deferred));
            --holding_now;
        }
    }

    static std::string name_of(std::uint32_t key) { return "contended:" + std::to_string(key); }

    /// This one, and so many others that are to be taken together with it.
    std::vector<std::uint32_t> drawn_keys(std::uint32_t first) {
        std::vector<std::uint32_t> keys{first};
        while (keys.size() < what_.together)
            if (const auto more = popularity_(draw_); std::ranges::find(keys, more) == keys.end())
                keys.push_back(more);
        return keys;
    }

    void add(holding h, unsigned slot, const std::vector<std::uint32_t>& keys) {
        const std::uint32_t first = h.key;
        h.key = first * what_.permits + slot;
        log_.add(process_, h);
        for (const std::uint32_t key : keys) {
            h.key = key;
            if (key != first) log_.add(process_, h);
        }
    }

    nanoseconds drawn_patience() {
        return std::chrono::duration_cast<nanoseconds>(what_.patience * part_(draw_));
    }

    bool is_cancelled() { return what_.cancels > 0 && part_(draw_) < what_.cancels; }

    /// What was not granted before the end, at the time that stands for its grant.
    void add_in_vain(holding h) {
        h.released = std::min(h.granted, end_);
        h.granted = 0;
        if (h.asked < end_ && h.released >= measured_from_) log_.add(process_, h);
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
    std::uniform_real_distribution<double> part_; ///< from 0 to 1
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
