#include "bench/load/load.hpp"

#include "bench/bench_counts.hpp"
#include "bench/load/callers.hpp"
#include "bench/load/node_watcher.hpp"
#include "cli/exit_status.hpp"
#include "cli/setter.hpp"
#include "nodes/client_session.hpp"

#include <redlock/client.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <csignal>
#include <memory>
#include <unistd.h>

namespace redlock::tool {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using std::chrono::milliseconds;
using std::chrono::steady_clock;
using time_point = steady_clock::time_point;

constexpr auto with_error = asio::as_tuple(asio::use_awaitable);
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
    void listen();
    void begin(time_point at);
    void stop();
    void tell();
    void end();

    load_line& line_;
    const bench_plan& plan_;
    const config& nodes_;
    asio::io_context context_{1};
    std::shared_ptr<node_watcher> watcher_ = std::make_shared<node_watcher>();
    client locks_;
    asio::posix::stream_descriptor readable_;
    asio::signal_set signals_;
    asio::steady_timer end_, tick_;
    load_report report_{};
    callers callers_;
    bool begun_ = false, stopping_ = false;
};

config for_bench(config nodes, const bench_plan& plan, std::shared_ptr<observer> watcher) {
    nodes.observer = std::move(watcher);
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
      locks_(open_client(context_, for_bench(nodes, plan, watcher_))),
      readable_(context_, line.number()),
      signals_(context_, SIGTERM),
      end_(context_),
      tick_(context_),
      callers_(context_, locks_, plan, index, nodes.node_timeout, report_) {}

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
        co_await tick_.async_wait(with_error);
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
    watcher_->begin(locks_.metrics().nodes, steady_clock::now());
    if (plan_.duration != forever) {
        end_.expires_at(at + plan_.duration);
        end_.async_wait([this](error_code error) {
            if (!error) stop();
        });
    }
    callers_.begin(at, [this] { end(); });
    asio::co_spawn(context_, keep_counting(), asio::detached);
}

asio::awaitable<void> load::keep_counting() {
    const auto step = std::clamp(plan_.interval / 4, milliseconds(10), milliseconds(250));
    for (auto next = steady_clock::now() + step; !stopping_; next += step) {
        tick_.expires_at(next);
        co_await tick_.async_wait(with_error);
        // What a client that is closing thinks of its nodes is not news.
        if (!stopping_) tell();
    }
}

void load::stop() {
    if (std::exchange(stopping_, true)) return;
    ::alarm(static_cast<unsigned>(time_to_end(nodes_).count()));
    if (!begun_) return end();
    callers_.stop();
}

void load::tell() {
    callers_.count_dropped();
    const auto nodes = locks_.metrics().nodes;
    report_.nodes = static_cast<std::uint32_t>(std::min(nodes.size(), most_nodes));
    for (std::size_t i = 0; i < report_.nodes; ++i) {
        const auto& n = nodes[i];
        node_view& view = report_.node[i];
        view.ready = n.state == "ready";
        view.round_trip = n.round_trip.count();
        view.commands = n.commands;
        view.timeouts = n.timeouts;
        view.disconnects = n.disconnects;
    }
    watcher_->tell(report_.node, steady_clock::now());
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
