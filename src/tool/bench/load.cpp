#include "load.hpp"

#include "../client_session.hpp"
#include "../exit_status.hpp"
#include "../setter.hpp"
#include "arrival_schedule.hpp"
#include "bench_counts.hpp"

#include <redlock/client.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <csignal>
#include <deque>
#include <memory>
#include <optional>
#include <unistd.h>

namespace redlock::tool {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using std::chrono::milliseconds;
using std::chrono::steady_clock;
using time_point = steady_clock::time_point;

constexpr auto as_result = asio::as_tuple(asio::use_awaitable);
// For nodes that are up to be connected before the load begins.
constexpr std::chrono::seconds longest_connect{1};
constexpr milliseconds look_again{2};

class load {
public:
    load(load_line& line, const bench_plan& plan, const config& nodes, std::uint64_t index);
    ~load() { readable_.release(); }

    void run();

private:
    asio::awaitable<void> connect();
    asio::awaitable<void> keep_counting();
    asio::awaitable<void> call(asio::cancellation_signal& cancel);
    asio::awaitable<void> attempt(asio::cancellation_signal& cancel, time_point intended);
    asio::awaitable<void> sleep(asio::cancellation_signal& cancel, time_point until);
    std::optional<time_point> next_start();
    void count(error_code error);
    void listen();
    void begin(time_point at);
    void stop();
    void tell();
    void end();

    load_line& line_;
    const bench_plan& plan_;
    const config& nodes_;
    std::uint64_t index_;
    asio::io_context context_{1};
    client locks_;
    lock_options options_;
    asio::posix::stream_descriptor readable_;
    asio::signal_set signals_;
    asio::steady_timer end_, tick_;
    std::mt19937_64 random_;
    key_distribution keys_;
    std::optional<arrival_queue> arrivals_;
    std::deque<asio::cancellation_signal> cancels_{}; ///< one for each caller
    std::uint64_t left_;                              ///< attempts that may still begin
    std::size_t calling_ = 0;                         ///< callers that have not ended
    std::uint64_t dropped_ = 0;                       ///< as far as told
    bool begun_ = false, stopping_ = false;
    time_point begin_{};
    load_report report_{};
};

config for_bench(config nodes, const bench_plan& plan) {
    nodes.key_prefix += plan.prefix;
    nodes.client_name = "redlock-bench";
    // The shortest: nothing but time removes a fence.
    nodes.fence_retention = std::chrono::hours(1);
    return nodes;
}

load::load(load_line& line, const bench_plan& plan, const config& nodes, std::uint64_t index)
    : line_(line),
      plan_(plan),
      nodes_(nodes),
      index_(index),
      locks_(open_client(context_, for_bench(nodes, plan))),
      options_{.ttl = plan.ttl, .wait = plan.wait, .fencing = plan.fencing},
      readable_(context_, line.number()),
      signals_(context_, SIGTERM),
      end_(context_),
      tick_(context_),
      random_(plan.seed + index),
      keys_(plan.shape, plan.keys, plan.exponent),
      left_(plan.count == 0 ? UINT64_MAX : share_of(plan.count, plan.processes, index)) {}

void load::run() {
    listen();
    signals_.async_wait([this](error_code error, int) {
        if (!error) stop();
    });
    asio::co_spawn(context_, connect(), asio::detached);
    context_.run();
}

asio::awaitable<void> load::connect() {
    const auto nodes = locks_.metrics().nodes;
    for (std::size_t i = 0; i < nodes.size(); ++i)
        line_.send(load_word::named, static_cast<std::int64_t>(i), nodes[i].node);
    const auto is_ready = [](const node_metrics& n) { return n.state == "ready"; };
    const auto limit = steady_clock::now() + longest_connect;
    while (!stopping_ && steady_clock::now() < limit) {
        if (std::ranges::all_of(locks_.metrics().nodes, is_ready)) break;
        tick_.expires_after(look_again);
        co_await tick_.async_wait(as_result);
    }
    line_.send(load_word::ready);
}

void load::listen() {
    readable_.async_wait(asio::posix::stream_descriptor::wait_read, [this](error_code error) {
        if (error) return;
        while (const auto m = line_.receive()) {
            if (m->word == load_word::begin) begin(time_point(std::chrono::nanoseconds(m->number)));
            if (m->word == load_word::stop) stop();
        }
        if (line_.ended()) return stop();
        listen();
    });
}

void load::begin(time_point at) {
    if (begun_ || stopping_) return;
    begun_ = true;
    begin_ = at;
    const auto processes = static_cast<double>(plan_.processes);
    if (plan_.rate > 0) {
        // Evenly spaced attempts of several processes come in turn.
        const std::chrono::duration<double> turn(plan_.poisson ? 0
                                                               : static_cast<double>(index_) / plan_.rate);
        arrivals_.emplace(arrival_schedule(at + std::chrono::duration_cast<steady_clock::duration>(turn),
                                           plan_.rate / processes, plan_.poisson, random_()),
                          std::max<std::size_t>(1, share_of(plan_.backlog, plan_.processes, index_)));
    }
    if (plan_.duration != forever) {
        end_.expires_at(at + plan_.duration);
        end_.async_wait([this](error_code error) {
            if (!error) stop();
        });
    }
    cancels_.resize(plan_.callers);
    calling_ = plan_.callers;
    for (auto& cancel : cancels_)
        asio::co_spawn(context_, call(cancel), asio::detached);
    asio::co_spawn(context_, keep_counting(), asio::detached);
}

asio::awaitable<void> load::keep_counting() {
    const auto step = std::clamp(plan_.interval / 4, milliseconds(10), milliseconds(250));
    for (auto next = steady_clock::now() + step; !stopping_; next += step) {
        tick_.expires_at(next);
        co_await tick_.async_wait(as_result);
        tell();
    }
}

// Empty when there is nothing more to do.
std::optional<time_point> load::next_start() {
    if (stopping_ || left_ == 0) return std::nullopt;
    --left_;
    const auto now = steady_clock::now();
    return arrivals_ ? arrivals_->take(now) : now;
}

asio::awaitable<void> load::call(asio::cancellation_signal& cancel) {
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
    if (--calling_ == 0) end();
}

asio::awaitable<void> load::sleep(asio::cancellation_signal& cancel, time_point until) {
    asio::steady_timer pause(context_, until);
    auto token = asio::bind_cancellation_slot(cancel.slot(), as_result);
    co_await pause.async_wait(token);
}

asio::awaitable<void> load::attempt(asio::cancellation_signal& cancel, time_point intended) {
    const std::string key = std::to_string(keys_.draw(random_));
    const auto begun = steady_clock::now();
    auto token = asio::bind_cancellation_slot(cancel.slot(), as_result);
    auto [error, held] = co_await locks_.async_lock(key, options_, token);
    if (error) {
        count(error);
        // An attempt without nodes fails at once, and would fill the processor with nothing else.
        const int status = status_of(error);
        if (!stopping_ && status != tool::held && status != wait_timeout)
            co_await sleep(cancel, steady_clock::now() + nodes_.node_timeout);
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

void load::count(error_code error) {
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

void load::stop() {
    if (std::exchange(stopping_, true)) return;
    ::alarm(static_cast<unsigned>(time_to_end(nodes_).count()));
    if (arrivals_) {
        arrivals_->advance(steady_clock::now());
        report_.counts.cut_off += std::min<std::uint64_t>(left_, arrivals_->waiting());
    }
    if (!begun_) return end();
    for (auto& cancel : cancels_)
        cancel.emit(asio::cancellation_type::terminal);
}

void load::tell() {
    if (arrivals_) {
        if (!stopping_) arrivals_->advance(steady_clock::now());
        report_.counts.dropped += arrivals_->dropped() - std::exchange(dropped_, arrivals_->dropped());
    }
    const auto nodes = locks_.metrics().nodes;
    report_.nodes = static_cast<std::uint32_t>(std::min(nodes.size(), most_nodes));
    for (std::size_t i = 0; i < report_.nodes; ++i) {
        const auto& n = nodes[i];
        report_.node[i] = {n.state == "ready", n.round_trip.count(), n.commands, n.timeouts, n.disconnects};
    }
    const std::string_view bytes(reinterpret_cast<const char*>(&report_), sizeof report_);
    // What is not taken now is told with the rest the next time.
    if (line_.try_send(load_word::counted, 0, bytes)) report_ = {};
}

void load::end() {
    stopping_ = true;
    ::alarm(static_cast<unsigned>(time_to_end(nodes_).count()));
    end_.cancel();
    tick_.cancel();
    tell();
    locks_.async_close([this](error_code) {
        if (report_.nodes > 0)
            line_.send(load_word::counted, 0, {reinterpret_cast<const char*>(&report_), sizeof report_});
        line_.send(load_word::done);
        signals_.cancel();
        readable_.cancel();
    });
}

} // namespace

std::chrono::seconds time_to_end(const config& nodes) {
    return std::chrono::ceil<std::chrono::seconds>(2 * nodes.node_timeout) + std::chrono::seconds(10);
}

void make_load(load_line& line, const bench_plan& plan, const config& nodes, std::uint64_t index) {
    try {
        load(line, plan, nodes, index).run();
    } catch (const usage_error& e) {
        line.send(load_word::refused, usage, e.what());
    }
}

} // namespace redlock::tool
