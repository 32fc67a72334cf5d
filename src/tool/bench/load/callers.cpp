#include "bench/load/callers.hpp"

#include "cli/exit_status.hpp"

#include <redlock/error.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace redlock::tool {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using std::chrono::steady_clock;

constexpr auto as_result = asio::as_tuple(asio::use_awaitable);

} // namespace

callers::callers(asio::io_context& context, client& locks, const bench_plan& plan, std::uint64_t index,
                 std::chrono::milliseconds pause, load_report& report)
    : context_(context),
      locks_(locks),
      plan_(plan),
      index_(index),
      pause_(pause),
      report_(report),
      options_{.ttl = plan.ttl, .wait = plan.wait, .fencing = plan.fencing},
      random_(plan.seed + index),
      keys_(plan.shape, plan.keys, plan.exponent),
      left_(plan.count == 0 ? UINT64_MAX : share_of(plan.count, plan.processes, index)) {}

void callers::begin(time_point at, std::function<void()> on_end) {
    begin_ = at;
    on_end_ = std::move(on_end);
    if (plan_.rate > 0) {
        // Evenly spaced attempts of several processes come in turn.
        const std::chrono::duration<double> turn(plan_.poisson ? 0
                                                               : static_cast<double>(index_) / plan_.rate);
        arrivals_.emplace(arrival_schedule(at + std::chrono::duration_cast<steady_clock::duration>(turn),
                                           plan_.rate / static_cast<double>(plan_.processes), plan_.poisson,
                                           random_()),
                          std::max<std::size_t>(1, share_of(plan_.backlog, plan_.processes, index_)));
    }
    cancels_.resize(plan_.callers);
    calling_ = plan_.callers;
    for (auto& cancel : cancels_)
        asio::co_spawn(context_, call(cancel), asio::detached);
}

void callers::stop() {
    count_dropped();
    stopping_ = true;
    if (arrivals_) report_.counts.cut_off += std::min<std::uint64_t>(left_, arrivals_->waiting());
    for (auto& cancel : cancels_)
        cancel.emit(asio::cancellation_type::terminal);
}

void callers::count_dropped() {
    if (!arrivals_) return;
    if (!stopping_ && left_ > 0) arrivals_->advance(steady_clock::now());
    report_.counts.dropped += arrivals_->dropped() - std::exchange(dropped_, arrivals_->dropped());
}

// Empty when there is nothing more to do.
std::optional<callers::time_point> callers::next_start() {
    if (stopping_ || left_ == 0) return std::nullopt;
    --left_;
    const auto now = steady_clock::now();
    return arrivals_ ? arrivals_->take(now) : now;
}

asio::awaitable<void> callers::call(asio::cancellation_signal& cancel) {
    // All processes begin at the same moment.
    co_await sleep(cancel, begin_);
    while (const auto intended = next_start()) {
        if (*intended > steady_clock::now()) co_await sleep(cancel, *intended);
        // What was not yet due when the run ended is nobody's loss.
        if (stopping_ && *intended > steady_clock::now()) break;
        if (stopping_)
            ++report_.counts.cut_off;
        else
            co_await attempt(cancel, *intended);
    }
    if (--calling_ == 0) on_end_();
}

asio::awaitable<void> callers::sleep(asio::cancellation_signal& cancel, time_point until) {
    asio::steady_timer pause(context_, until);
    auto token = asio::bind_cancellation_slot(cancel.slot(), as_result);
    co_await pause.async_wait(token);
    // What the timer left there refers to the timer, which goes now.
    cancel.slot().clear();
}

asio::awaitable<void> callers::attempt(asio::cancellation_signal& cancel, time_point intended) {
    const std::string key = std::to_string(keys_.draw(random_));
    const auto begun = steady_clock::now();
    auto token = asio::bind_cancellation_slot(cancel.slot(), as_result);
    auto [error, held] = co_await locks_.async_lock(key, options_, token);
    if (error) {
        count(error);
        // An attempt without nodes fails at once, and would fill the processor with nothing else.
        const int status = status_of(error);
        if (!stopping_ && status != tool::held && status != wait_timeout)
            co_await sleep(cancel, steady_clock::now() + pause_);
        co_return;
    }
    const auto granted = steady_clock::now();
    ++report_.counts.grants;
    report_.latency.record(granted - intended);
    report_.service.record(granted - begun);
    if (plan_.hold.count() > 0 && !stopping_) co_await sleep(cancel, granted + plan_.hold);
    const auto [unlock_error] = co_await held.async_unlock(as_result);
    if (!unlock_error) co_return;
    ++(unlock_error == errc::lease_lost ? report_.counts.lost : report_.counts.unlock_failures);
}

void callers::count(error_code error) {
    auto& counts = report_.counts;
    if (error == asio::error::operation_aborted) {
        ++counts.cut_off;
        return;
    }
    switch (status_of(error)) {
    case tool::held:
        ++counts.held;
        break;
    case wait_timeout:
        ++counts.wait_timeouts;
        break;
    case no_quorum:
        ++counts.no_quorum;
        break;
    case refused:
        ++counts.refused;
        break;
    default:
        ++counts.failed;
    }
}

} // namespace redlock::tool
