#include "bench/bench_run.hpp"

#include "bench/load/load.hpp"
#include "bench/load/load_process.hpp"
#include "bench/report/bench_record.hpp"
#include "bench/report/progress.hpp"
#include "cli/setter.hpp"
#include "process/signal_intake.hpp"
#include "text/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>
#include <poll.h>
#include <sys/wait.h>

namespace redlock::tool {
namespace {

using std::chrono::steady_clock;
using time_point = steady_clock::time_point;

constexpr std::size_t most_points = 600;
// From the word to begin until all processes have heard it.
constexpr std::chrono::milliseconds head_start{5};
constexpr std::chrono::milliseconds one_signal{500};
// For processes to connect and say that they are ready; they take a second for it themselves.
constexpr std::chrono::seconds longest_start_of_load{30};

class bench_run {
public:
    bench_run(const bench_plan& plan, const config& nodes, const bench_audience& audience);

    bench_report carry_out();

private:
    void await_readiness();
    void begin();
    void poll_until(time_point until);
    void hear_signals();
    void hear(std::size_t process);
    void take(std::size_t process, const load_message& m);
    void on_end(std::size_t process);
    void stop();
    void end_by_force();
    void close_point();
    double seconds_at(time_point when) const;
    time_point last_moment() const;

    struct part {
        bool ready = false, done = false, ended = false;
    };

    const bench_plan& plan_;
    const config& nodes_;
    bench_audience audience_;
    signal_intake signals_;
    std::vector<load_process> processes_;
    std::vector<part> parts_;
    bench_record record_;
    std::size_t running_ = 0; ///< processes that have not ended
    std::size_t waited_ = 0;  ///< processes that are neither ready nor ended
    time_point begin_{};
    time_point last_end_{};
    std::optional<time_point> stopped_;
    int signal_ = 0;
    bool forced_ = false;
    std::optional<std::string> unusable_;
};

bench_run::bench_run(const bench_plan& plan, const config& nodes, const bench_audience& audience)
    : plan_(plan),
      nodes_(nodes),
      audience_(audience),
      parts_(plan.processes),
      record_(plan, most_points),
      running_(plan.processes),
      waited_(plan.processes) {
    std::fflush(stdout);
    std::fflush(stderr);
    processes_.reserve(plan.processes);
    for (std::uint64_t i = 0; i < plan.processes; ++i)
        processes_.emplace_back([&, i](load_line& line) { make_load(line, plan, nodes, i); }, processes_);
}

bench_report bench_run::carry_out() {
    await_readiness();
    begin();
    for (auto next = begin_ + plan_.interval; running_ > 0;) {
        poll_until(std::min(next, last_moment()));
        const auto now = steady_clock::now();
        if (now >= last_moment()) end_by_force();
        if (now < next || running_ == 0) continue;
        if (!stopped_) close_point();
        next = std::max(next + plan_.interval, now);
    }
    if (unusable_) throw usage_error(*unusable_);
    // Giving back is no part of the load.
    const auto end = stopped_.value_or(last_end_);
    if (audience_.terminal && !audience_.quiet) fmt::print(stderr, "\n");
    return record_.finish(seconds_at(end), signal_);
}

void bench_run::await_readiness() {
    const auto limit = steady_clock::now() + longest_start_of_load;
    while (waited_ > 0 && !stopped_ && steady_clock::now() < limit)
        poll_until(limit);
}

void bench_run::begin() {
    begin_ = steady_clock::now() + head_start;
    last_end_ = begin_;
    if (stopped_) return;
    const auto at = std::chrono::nanoseconds(begin_.time_since_epoch()).count();
    for (auto& p : processes_)
        p.line().send(load_word::begin, at);
}

// Returns early after anything happened.
void bench_run::poll_until(time_point until) {
    std::vector<pollfd> sources{{signals_.number(), POLLIN, 0}};
    for (std::size_t i = 0; i < processes_.size(); ++i)
        sources.push_back({parts_[i].ended ? -1 : processes_[i].line().number(), POLLIN, 0});
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - steady_clock::now()).count();
    const auto limit = static_cast<int>(std::clamp<std::int64_t>(left, 0, 60'000));
    if (::poll(sources.data(), sources.size(), limit) <= 0) return;
    if (sources[0].revents != 0) hear_signals();
    for (std::size_t i = 0; i < processes_.size(); ++i)
        if (sources[i + 1].revents != 0) hear(i);
}

void bench_run::hear_signals() {
    while (const auto number = signals_.next()) {
        if (*number != SIGINT && *number != SIGTERM && *number != SIGHUP) continue;
        // Some send a signal to the process and to its group, which is still the first one.
        if (stopped_ && steady_clock::now() - *stopped_ > one_signal) end_by_force();
        signal_ = *number;
        stop();
    }
}

void bench_run::hear(std::size_t process) {
    auto& line = processes_[process].line();
    while (const auto m = line.receive())
        take(process, *m);
    if (line.ended()) on_end(process);
}

void bench_run::take(std::size_t process, const load_message& m) {
    auto& mine = parts_[process];
    switch (m.word) {
    case load_word::named:
        record_.name_node(static_cast<std::size_t>(m.number), m.bytes);
        break;
    case load_word::ready:
        if (!std::exchange(mine.ready, true)) --waited_;
        break;
    case load_word::counted:
        if (load_report told; m.bytes.size() == sizeof told) {
            std::memcpy(&told, m.bytes.data(), sizeof told);
            record_.add(process, told);
            last_end_ = steady_clock::now();
        }
        break;
    case load_word::refused:
        unusable_ = m.bytes;
        break;
    case load_word::done:
        mine.done = true;
        break;
    case load_word::begin:
    case load_word::stop:
        break;
    }
}

void bench_run::on_end(std::size_t process) {
    auto& mine = parts_[process];
    mine.ended = true;
    --running_;
    if (!mine.ready) --waited_;
    const int status = processes_[process].reap();
    std::string fault;
    if (!mine.done && !unusable_) {
        const std::string how = WIFSIGNALED(status) ? fmt::format("by signal {}", WTERMSIG(status))
                                                    : fmt::format("with status {}", WEXITSTATUS(status));
        fault = fmt::format("process {} (pid {}) ended {}; what it held runs out with its ttl", process + 1,
                            processes_[process].pid(), how);
    }
    record_.process_ended(process, fault);
}

void bench_run::stop() {
    if (stopped_) return;
    stopped_ = steady_clock::now();
    for (auto& p : processes_)
        p.line().try_send(load_word::stop, 0, {});
}

void bench_run::end_by_force() {
    if (std::exchange(forced_, true)) return;
    for (std::size_t i = 0; i < processes_.size(); ++i)
        if (!parts_[i].ended) processes_[i].kill();
}

void bench_run::close_point() {
    const bench_point& last = record_.close_point(seconds_at(steady_clock::now()));
    if (audience_.quiet) return;
    // A line that does not fit could not be written over.
    const std::string line =
        progress_line(last, audience_.terminal ? reader_of(stderr).width - 1 : unlimited);
    if (!audience_.terminal) return fmt::print(stderr, "{}\n", line);
    fmt::print(stderr, "\r{}\x1b[K", line);
    std::fflush(stderr);
}

double bench_run::seconds_at(time_point when) const {
    return std::max(0.0, std::chrono::duration<double>(when - begin_).count());
}

// When the processes must have ended, each with a bound of its own, unless something is wrong with them.
time_point bench_run::last_moment() const {
    const auto slack = time_to_end(nodes_) + std::chrono::seconds(1);
    if (forced_) return time_point::max();
    if (stopped_) return *stopped_ + slack;
    return plan_.duration == forever ? time_point::max() : begin_ + plan_.duration + slack;
}

} // namespace

bench_report run_bench(const bench_plan& plan, const config& nodes, const bench_audience& audience) {
    return bench_run(plan, nodes, audience).carry_out();
}

} // namespace redlock::tool
