#include "core/random.hpp"
#include "time/timer_queue.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <deque>
#include <functional>
#include <vector>

using namespace redlock;
using namespace std::chrono_literals;

namespace {

constexpr time::instant start{std::chrono::hours(1)};

struct bell final : time::timer {
    std::function<void(time::instant)> ring = [](time::instant) {};

private:
    void expired(time::instant now) noexcept override { ring(now); }
};

} // namespace

BOOST_AUTO_TEST_SUITE(queue_of_timers)

BOOST_AUTO_TEST_CASE(timers_fire_in_order_and_not_before_their_time) {
    time::timer_queue queue;
    core::random r(5);
    std::deque<bell> bells(500);
    std::vector<time::instant> rung;
    std::vector<time::instant> wanted;
    for (bell& b : bells) {
        const time::instant due = start + r.between(0s, 100s);
        b.ring = [&rung, due](time::instant) { rung.push_back(due); };
        queue.arm(b, due);
        wanted.push_back(due);
    }
    std::ranges::sort(wanted);
    for (time::instant now = start; now <= start + 100s; now += 1s) {
        queue.fire(now);
        BOOST_REQUIRE((rung.empty() || rung.back() <= now));
        BOOST_REQUIRE((!queue.next() || *queue.next() > now));
    }
    BOOST_TEST((rung == wanted));
    BOOST_TEST(queue.size() == 0U);
}

BOOST_AUTO_TEST_CASE(any_timer_can_be_moved_disarmed_or_destroyed) {
    time::timer_queue queue;
    core::random r(6);
    int rung = 0;
    std::deque<bell> bells(200);
    for (bell& b : bells) {
        b.ring = [&](time::instant) { ++rung; };
        queue.arm(b, start + r.between(0s, 10s));
    }
    for (int i = 0; i < 200; ++i)
        if (i % 4 == 0)
            bells[static_cast<std::size_t>(i)].disarm();
        else if (i % 4 == 1)
            queue.arm(bells[static_cast<std::size_t>(i)], start + 20s + r.between(0s, 10s));
    for (int i = 0; i < 20; ++i)
        bells.pop_back();
    queue.fire(start + 10s);
    BOOST_TEST(rung == 90); // half of the 180 that are left
    queue.fire(start + 30s);
    BOOST_TEST(rung == 135);
}

BOOST_AUTO_TEST_CASE(a_timer_may_destroy_another_or_arm_itself_again_when_it_fires) {
    time::timer_queue queue;
    auto victim = std::make_unique<bell>();
    bool victim_rang = false;
    victim->ring = [&](time::instant) { victim_rang = true; };
    bell killer;
    int rung = 0;
    killer.ring = [&](time::instant now) {
        ++rung;
        victim.reset();
        queue.arm(killer, now);
    };
    queue.arm(killer, start);
    queue.arm(*victim, start + 1s);
    queue.fire(start + 2s);
    BOOST_TEST(!victim_rang);
    BOOST_TEST(rung >= 1);
    BOOST_TEST(killer.armed());
}

// Whatever is armed, moved and disarmed in between: a timer fires with the first look at its time or later.
BOOST_AUTO_TEST_CASE(no_timer_is_late_among_others_that_come_and_go) {
    time::timer_queue queue;
    core::random r(7);
    std::deque<bell> bells(300);
    std::vector<time::instant> due(bells.size(), time::instant::max());
    for (std::size_t i = 0; i < bells.size(); ++i)
        bells[i].ring = [&due, i](time::instant now) {
            BOOST_REQUIRE((due[i] <= now));
            due[i] = time::instant::max();
        };
    std::size_t early = 0;
    for (time::instant now = start; now < start + 100s; now += 10ms) {
        for (int n = 0; n < 5; ++n) {
            const auto i = static_cast<std::size_t>(r.between(0ns, std::chrono::nanoseconds(299)).count());
            due[i] = now + r.between(1ms, r.between(1ms, 40s));
            if (n == 4) due[i] = time::instant::max();
            queue.arm(bells[i], due[i]);
        }
        const time::instant first = *std::ranges::min_element(due);
        BOOST_REQUIRE((queue.next().value_or(time::instant::max()) <= first));
        BOOST_REQUIRE(queue.size() == static_cast<std::size_t>(std::ranges::count_if(
                                          due, [](auto d) { return d != time::instant::max(); })));
        early += queue.next() < first;
        queue.fire(now);
        BOOST_REQUIRE((*std::ranges::min_element(due) > now));
    }
    BOOST_TEST(early < 5000U); // of 10000 times
}

BOOST_AUTO_TEST_CASE(a_timer_that_is_moved_into_the_past_fires_with_those_of_its_time) {
    time::timer_queue queue;
    bell moved;
    bool moved_rang = false;
    moved.ring = [&](time::instant) { moved_rang = true; };
    bell mover;
    mover.ring = [&](time::instant) { queue.arm(moved, start + 1s); };
    queue.arm(mover, start);
    queue.arm(moved, start + 10s);
    queue.fire(start + 2s);
    BOOST_TEST(moved_rang);
}

BOOST_AUTO_TEST_CASE(the_end_of_time_never_comes) {
    time::timer_queue queue;
    bell b;
    queue.arm(b, time::instant::max());
    BOOST_TEST(!b.armed());
    BOOST_TEST(!queue.next().has_value());
}

BOOST_AUTO_TEST_SUITE_END()
