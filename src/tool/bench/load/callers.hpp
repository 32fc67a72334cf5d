#pragma once

#include "bench/bench_counts.hpp"
#include "bench/bench_plan.hpp"
#include "bench/load/arrival_schedule.hpp"

#include <redlock/client.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>

#include <deque>
#include <functional>
#include <optional>
#include <random>

namespace redlock::tool {

/// The callers of one process, which take locks and give them back. All of it runs in the thread of the
/// context, and `locks`, `plan` and `report` must live as long.
class callers {
public:
    using time_point = arrival_schedule::time_point;

    /// `pause` is what follows an attempt that failed for want of nodes.
    callers(boost::asio::io_context& context, client& locks, const bench_plan& plan, std::uint64_t index,
            std::chrono::milliseconds pause, load_report& report);

    /// They begin at that time; `on_end` is called when the last one has ended, holding nothing.
    void begin(time_point at, std::function<void()> on_end);

    /// No attempt begins any more, and those under way are cancelled.
    void stop();

    /// Counts what became due and was dropped since the last time.
    void count_dropped();

private:
    boost::asio::awaitable<void> call(boost::asio::cancellation_signal& cancel);
    boost::asio::awaitable<void> attempt(boost::asio::cancellation_signal& cancel, time_point intended);
    boost::asio::awaitable<void> sleep(boost::asio::cancellation_signal& cancel, time_point until);
    std::optional<time_point> next_start();
    void count(boost::system::error_code error);

    boost::asio::io_context& context_;
    client& locks_;
    const bench_plan& plan_;
    std::uint64_t index_;
    std::chrono::milliseconds pause_;
    load_report& report_;
    lock_options options_;
    std::mt19937_64 random_;
    key_distribution keys_;
    std::optional<arrival_queue> arrivals_;
    std::deque<boost::asio::cancellation_signal> cancels_{}; ///< one for each caller
    std::uint64_t left_;                                     ///< attempts that may still begin
    std::uint64_t calling_ = 0;                              ///< callers that have not ended
    std::uint64_t dropped_ = 0;                              ///< as far as counted
    time_point begin_{};
    bool stopping_ = false;
    std::function<void()> on_end_{};
};

} // namespace redlock::tool
