#pragma once

#include "simulated_ensemble.hpp"
#include "simulated_lead.hpp"

#include <functional>
#include <queue>
#include <random>
#include <tuple>

namespace redlock::zookeeper::test {

using namespace std::chrono_literals;
using core::instant;

enum class planted {
    none,
    pings_confirm,
    no_wait,
    unversioned,
    any_write_confirms,
    no_void,
    shared_unversioned,
    readers_passed,
    shared_at_once,
    marks_ignored,
    writers_passed,
    downgrade_without_mark,
    confirmed_behind_release,
    record_unseen,
    spoiled_is_done,
    spoiled_ends_doubt,
    // Of leaders and those who observe them.
    said_without_place,
    said_over_any_version,
    said_outlives_session,
    release_leaves_leader,
    ends_in_one_step,
    unknown_stands,
    take_leaves_stale,
    earlier_is_told,
    absence_unwatched
};

inline constexpr milliseconds ttl{300};
inline constexpr milliseconds session_timeout{150};

/// How much of what goes wrong, in percent. Each client is cut off, or stands still, once in so many looks at
/// it, of which there are a hundred in a second.
struct weather {
    int cut_off = 2, longest_cut = 500;
    int stopped = 2, longest_stop = 600;
    int lost_write = 5;
    int done_though_lost = 50; ///< of those, and of all that is written while cut off
    core::nanoseconds lasts = 20s;
    int reads = 40;       ///< of tries
    int slow_answers = 0; ///< to writes, that come when a key may have run out
    int spoiled = 10;     ///< of takes, by another one in the same transaction
    int leads = 0;        ///< of those who hold the key alone
    int breaks = 0;       ///< of looks of an operator, of which there are ten in a second
};

/// Virtual time, what happens in it, and what was seen to be wrong.
class world {
public:
    world(unsigned seed, planted m, const weather& w) : mistake(m), around(w), random(seed) {}

    int between(int low, int high) { return std::uniform_int_distribution(low, high)(random); }
    bool chance(int percent) { return between(1, 100) <= percent; }
    void at(instant when, std::function<void()> what) { events_.push({when, ++order_, std::move(what)}); }
    void after(milliseconds delay, std::function<void()> what) { at(now + delay, std::move(what)); }
    void run(instant until) {
        while (!events_.empty() && events_.top().when <= until) {
            const event next = events_.top();
            events_.pop();
            now = next.when;
            servers.expire(now, session_timeout);
            next.what();
        }
    }

    const planted mistake;
    const weather around;
    std::mt19937 random;
    instant now{1s};
    simulated_ensemble servers;
    bool calm = false;
    int overlaps = 0, grants = 0, readings = 0, downgrades = 0;
    simulated_lead lead;

private:
    struct event {
        instant when;
        std::uint64_t order;
        std::function<void()> what;
        bool operator<(const event& o) const { return std::tie(o.when, o.order) < std::tie(when, order); }
    };
    std::priority_queue<event> events_;
    std::uint64_t order_ = 0;
};

} // namespace redlock::zookeeper::test
