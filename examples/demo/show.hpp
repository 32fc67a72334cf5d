#pragma once

#include "counter_file.hpp"
#include "event_loop.hpp"
#include "figures.hpp"
#include "role_process.hpp"
#include "support/node_set.hpp"
#include "support/temporary_folder.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace demo {

/// How long the acts last.
struct lengths {
    std::chrono::seconds before_failure{4};
    std::chrono::seconds after_failure{4};
    std::chrono::seconds holding{2};
};

/// The main job of the library shown on five throw-away servers, with what happens told on the standard
/// output. All processes and files go with the object. Every act throws `interrupted`, or
/// `std::runtime_error` when something does not come about.
class show {
public:
    explicit show(const lengths& acts);

    /// Many coroutines in several processes increment one number under one lock; halfway a node is killed.
    void count();
    /// One process works under a lock; a majority of the nodes is stopped, and the process is told to stop in
    /// time.
    void lose_majority();

    const figures& result() const noexcept { return figures_; }

private:
    void start_counting();
    void watch_counting(std::chrono::seconds duration);
    void kill_node();
    void finish_counting();
    void hear_incrementer(const std::string& line);
    void hear_holder(const std::string& line);
    std::vector<std::string> role(std::vector<std::string> words) const;

    lengths acts_;
    event_loop loop_;
    redlock::test::temporary_folder folder_;
    redlock::test::node_set servers_{5};
    counter_file counter_;
    std::vector<std::unique_ptr<role_process>> incrementers_;
    figures figures_;
    std::uint64_t totals_ = 0;    ///< sum of what the processes say at their end
    std::size_t finished_ = 0;    ///< processes that have said it
    std::int64_t last_grant_ = 0; ///< when, in nanoseconds of the steady clock
    std::int64_t left_ = -1;      ///< validity that the holder has, in milliseconds
    std::int64_t stopped_at_ = 0; ///< when the holder was told to stop
    std::chrono::seconds elapsed_{0};
};

} // namespace demo
