#pragma once

#include "core/flow/admission_window.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <queue>
#include <vector>

namespace redlock::test {

/// Callers of one client who take locks and give them back, one after the other each, over a link that
/// carries so many bytes a second to a node that takes no time, in virtual time. A round that is decided too
/// late is given up and its key given back, as contests do; while replies are overdue the node is asked for
/// nothing new.
class slow_link {
public:
    using instant = core::instant;
    using nanoseconds = core::nanoseconds;

    struct terms {
        std::size_t callers = 1024;
        double bytes_per_second = 125'000;
        nanoseconds way{2'500'000}; ///< one way
        nanoseconds deadline{50'000'000};
        std::size_t lock_bytes = 110;
        std::size_t unlock_bytes = 60;
        std::size_t most_inside = 1024;
    };

    explicit slow_link(const terms& t);
    slow_link(const slow_link&) = delete;
    slow_link& operator=(const slow_link&) = delete;

    void carries(double bytes_per_second) noexcept { terms_.bytes_per_second = bytes_per_second; }
    void run_until(instant end);

    std::size_t done() const noexcept { return done_; }     ///< locks that were given back in time
    std::size_t failed() const noexcept { return failed_; } ///< rounds that ran out
    const core::admission_window& window() const noexcept { return window_; }

private:
    enum class what : std::uint8_t { lock_answered, unlock_answered, deadline, tries_again };
    struct event {
        instant at;
        std::uint64_t number;
        what is;
        std::size_t caller;
        std::uint64_t round; ///< that it belongs to
        bool operator>(const event& other) const noexcept {
            return at != other.at ? at > other.at : number > other.number;
        }
    };
    struct caller final : core::admission_waiter {
        caller(slow_link& on, std::size_t its_index) : link(on), index(its_index) {}
        void admitted() noexcept override { link.admitted_.push_back(index); }
        slow_link& link;
        std::size_t index;
        std::uint64_t round = 0;
        instant sent{};
        bool awaits_lock = false;
    };

    void happen(const event& e);
    void ask(caller& c);
    void lock(caller& c);
    void unlock(caller& c);
    void run_out(caller& c);
    /// When the reply to so many bytes that are sent now is there.
    instant reply_to(std::size_t bytes);
    void plan(instant at, what is, const caller& c) { events_.push({at, numbers_++, is, c.index, c.round}); }

    terms terms_;
    core::admission_window window_;
    std::deque<caller> callers_;
    std::deque<std::size_t> admitted_;
    std::priority_queue<event, std::vector<event>, std::greater<>> events_;
    std::uint64_t numbers_ = 0;
    instant now_{};
    instant free_{};      ///< the link, of what was sent before
    instant caught_up_{}; ///< when the last reply that is overdue by now is there
    std::size_t done_ = 0;
    std::size_t failed_ = 0;
};

} // namespace redlock::test
