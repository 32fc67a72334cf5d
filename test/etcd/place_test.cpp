// The place of a waiter: each event in each of its states.

#include "engines/etcd/rule/place.hpp"

#include <boost/test/unit_test.hpp>

#include <ostream>
#include <vector>

namespace redlock::etcd {

std::ostream& operator<<(std::ostream& to, place::action a) { return to << static_cast<int>(a); }
std::ostream& operator<<(std::ostream& to, place::remains r) { return to << static_cast<int>(r); }

namespace {

using namespace std::chrono_literals;
using action = place::action;
using remains = place::remains;
using kind = verdict::kind;

constexpr core::instant begin{1h};
constexpr core::instant timeout = begin + 60s;

struct place_fixture {
    place waits{true, timeout};
    place once{false, timeout};
    core::random draws{1};

    place::step say(place& p, verdict v, core::instant now = begin, bool lives = true) {
        return p.answered(v, lives, now, draws);
    }
    /// As far as being behind that one.
    void queue(place& p, std::int64_t predecessor = 7) {
        p.start();
        p.has_lease();
        BOOST_TEST(say(p, {.what = kind::behind, .predecessor = predecessor}).what == action::watch);
    }
    /// As far as having looked once more.
    void settle(place& p, std::int64_t predecessor = 7) {
        queue(p, predecessor);
        BOOST_TEST(p.watching().what == action::confirm);
        BOOST_TEST(say(p, {.what = kind::behind, .predecessor = predecessor}).what == action::wait);
    }
};

BOOST_FIXTURE_TEST_SUITE(place_suite, place_fixture)

BOOST_AUTO_TEST_CASE(a_free_key_is_taken_with_one_question) {
    BOOST_TEST(once.start().what == action::get_lease);
    BOOST_TEST(once.has_lease().what == action::ask);
    BOOST_TEST(once.asks());
    BOOST_TEST(say(once, {.what = kind::first}).what == action::take);
    BOOST_TEST(!once.has_waited());
}

BOOST_AUTO_TEST_CASE(one_attempt_ends_with_what_it_is_told) {
    for (const auto& [said, why, behind] :
         {std::tuple(verdict{.what = kind::held}, errc::held, remains::nothing),
          {verdict{.what = kind::failed, .why = errc::no_quorum}, errc::no_quorum, remains::nothing},
          {verdict{.what = kind::unknown, .why = errc::no_quorum}, errc::no_quorum, remains::unknown}}) {
        place p(false, timeout);
        p.start();
        p.has_lease();
        const auto end = say(p, said);
        BOOST_TEST(end.what == action::end);
        BOOST_TEST((end.why == why));
        BOOST_TEST(end.behind == behind);
    }
}

BOOST_AUTO_TEST_CASE(it_looks_once_more_when_the_watch_has_begun) {
    queue(waits);
    BOOST_TEST(waits.watching().what == action::confirm);
    BOOST_TEST(say(waits, {.what = kind::first}).what == action::take);
    BOOST_TEST(waits.has_waited());
}

BOOST_AUTO_TEST_CASE(it_confirms_when_the_predecessor_is_gone_and_watches_the_next) {
    settle(waits);
    BOOST_TEST(waits.predecessor_gone().what == action::confirm);
    BOOST_TEST(say(waits, {.what = kind::behind, .predecessor = 3}).what == action::watch);
    BOOST_TEST(waits.watching().what == action::confirm);
    BOOST_TEST(say(waits, {.what = kind::behind, .predecessor = 3}).what == action::wait);
    BOOST_TEST(waits.predecessor_gone().what == action::confirm);
    BOOST_TEST(say(waits, {.what = kind::first}).what == action::take);
}

BOOST_AUTO_TEST_CASE(what_it_hears_while_it_asks_is_not_forgotten) {
    for (const bool gone : {true, false}) {
        place p(true, timeout);
        queue(p);
        p.watching();
        BOOST_TEST((gone ? p.predecessor_gone() : p.watching()).what == action::go_on);
        BOOST_TEST(say(p, {.what = kind::behind, .predecessor = 7}).what == action::confirm);
        BOOST_TEST(say(p, {.what = kind::behind, .predecessor = 7}).what == action::wait);
    }
}

BOOST_AUTO_TEST_CASE(a_watch_that_begins_anew_is_looked_behind) {
    settle(waits);
    BOOST_TEST(waits.watching().what == action::confirm);
}

BOOST_AUTO_TEST_CASE(nobody_relies_on_a_watch_alone) {
    queue(waits);
    BOOST_TEST(waits.time_passed(begin + 10s).what == action::confirm);
    const auto unwatched = say(waits, {.what = kind::behind, .predecessor = 7});
    BOOST_TEST(unwatched.what == action::wait);
    BOOST_TEST((unwatched.until == begin + 10s));
    BOOST_TEST(waits.time_passed(begin + 10s).what == action::confirm);
}

BOOST_AUTO_TEST_CASE(a_wait_that_is_over_leaves_its_key_to_be_deleted) {
    settle(waits);
    const auto end = waits.time_passed(timeout);
    BOOST_TEST(end.what == action::end);
    BOOST_TEST((end.why == errc::wait_timeout));
    BOOST_TEST(end.behind == remains::key);

    place late(true, timeout);
    queue(late);
    late.watching();
    BOOST_TEST(say(late, {.what = kind::behind, .predecessor = 7}, timeout).behind == remains::key);
}

BOOST_AUTO_TEST_CASE(a_place_whose_lease_is_lost_is_taken_anew_from_every_state) {
    const auto lost = [&](auto reach) {
        place p(true, timeout);
        reach(p);
        BOOST_TEST(p.lease_lost().what == action::get_lease);
        BOOST_TEST(p.left_behind() == remains::nothing);
        BOOST_TEST(p.has_lease().what == action::ask);
    };
    lost([&](place& p) { p.start(); });
    lost([&](place& p) { queue(p); });
    lost([&](place& p) { settle(p); });
    // While it asks the answer comes first, and means nothing.
    for (const kind said : {kind::first, kind::behind, kind::displaced, kind::lease_gone, kind::failed}) {
        place p(true, timeout);
        settle(p);
        p.predecessor_gone();
        BOOST_TEST(p.lease_lost().what == action::go_on);
        BOOST_TEST(say(p, {.what = said, .predecessor = 7, .why = errc::no_quorum}).what ==
                   action::get_lease);
    }
}

BOOST_AUTO_TEST_CASE(a_try_that_may_have_been_written_is_made_void_before_another) {
    settle(waits);
    waits.lease_lost();
    waits.has_lease();
    const auto pause = say(waits, {.what = kind::unknown, .why = errc::no_quorum});
    BOOST_TEST(pause.what == action::wait);
    BOOST_TEST(pause.behind == remains::unknown);
    BOOST_TEST(waits.time_passed(pause.until).what == action::get_lease);
}

BOOST_AUTO_TEST_CASE(a_place_is_kept_while_the_cluster_is_away) {
    settle(waits);
    waits.predecessor_gone();
    for (int i = 0; i < 20; ++i) {
        const auto pause = say(waits, {.what = kind::unknown, .why = errc::no_quorum});
        BOOST_TEST(pause.what == action::wait);
        BOOST_TEST(pause.behind == remains::nothing);
        BOOST_TEST((pause.until <= begin + 1s));
        BOOST_TEST(waits.time_passed(pause.until).what == action::confirm);
    }
    BOOST_TEST(say(waits, {.what = kind::first}).what == action::take);
}

BOOST_AUTO_TEST_CASE(what_does_not_pass_by_itself_ends_a_wait) {
    settle(waits);
    waits.predecessor_gone();
    const auto end = say(waits, {.what = kind::failed, .why = errc::permission_denied});
    BOOST_TEST(end.what == action::end);
    BOOST_TEST(end.behind == remains::key);
}

BOOST_AUTO_TEST_CASE(a_grant_under_a_lease_that_is_nearly_over_is_refreshed_and_confirmed) {
    waits.start();
    waits.has_lease();
    BOOST_TEST(say(waits, {.what = kind::first}, begin, false).what == action::refresh);
    BOOST_TEST(waits.refreshed(true, begin, draws).what == action::confirm);
    BOOST_TEST(say(waits, {.what = kind::first}).what == action::take);
    // It was of no use all the same.
    BOOST_TEST(waits.came_too_late(begin).what == action::refresh);
    const auto end = waits.refreshed(false, begin, draws);
    BOOST_TEST(end.what == action::end);
    BOOST_TEST(end.behind == remains::key);
}

BOOST_AUTO_TEST_CASE(one_attempt_does_not_go_on_for_ever) {
    once.start();
    int leases = 0;
    for (auto s = place::step{action::get_lease}; s.what == action::get_lease; ++leases) {
        BOOST_REQUIRE(leases < 10);
        once.has_lease();
        s = say(once, {.what = kind::lease_gone});
    }
    place late(true, timeout);
    late.start();
    late.has_lease();
    say(late, {.what = kind::first});
    int tries = 0;
    for (auto s = late.came_too_late(begin); s.what == action::refresh; ++tries) {
        BOOST_REQUIRE(tries < 10);
        late.refreshed(true, begin, draws);
        say(late, {.what = kind::first});
        s = late.came_too_late(begin);
    }
}

// What it wanted to ask waits for others to be done.
BOOST_AUTO_TEST_CASE(what_is_held_back_is_asked_when_there_is_room) {
    waits.start();
    waits.has_lease();
    BOOST_TEST(waits.predecessor_gone().what == action::go_on);
    BOOST_TEST(waits.let_in(begin, draws).what == action::ask);
    BOOST_TEST(say(waits, {.what = kind::behind, .predecessor = 7}).what == action::watch);
    BOOST_TEST(waits.watching().what == action::confirm);
    BOOST_TEST(waits.predecessor_gone().what == action::go_on);
    BOOST_TEST(waits.let_in(begin, draws).what == action::confirm);
    // It was told before that was asked.
    BOOST_TEST(say(waits, {.what = kind::behind, .predecessor = 7}).what == action::wait);
}

BOOST_AUTO_TEST_CASE(what_is_held_back_is_not_asked_under_a_lease_that_is_lost) {
    waits.start();
    waits.has_lease();
    BOOST_TEST(waits.lease_lost().what == action::go_on);
    BOOST_TEST(waits.let_in(begin, draws).what == action::get_lease);
    BOOST_TEST(waits.has_lease().what == action::ask);
    BOOST_TEST(waits.let_in(begin, draws).what == action::ask);
}

BOOST_AUTO_TEST_CASE(one_that_is_held_back_for_too_long_leaves_what_it_has) {
    waits.start();
    waits.has_lease();
    auto end = waits.not_let_in();
    BOOST_TEST(end.what == action::end);
    BOOST_TEST((end.why == errc::wait_timeout));
    BOOST_TEST(end.behind == remains::nothing);
    place other{true, timeout};
    settle(other);
    BOOST_TEST(other.predecessor_gone().what == action::confirm);
    end = other.not_let_in();
    BOOST_TEST((end.why == errc::wait_timeout));
    BOOST_TEST(end.behind == remains::key);
}

BOOST_AUTO_TEST_CASE(without_a_lease_there_is_no_place) {
    once.start();
    const auto end = once.no_lease(errc::no_quorum, begin, draws);
    BOOST_TEST(end.what == action::end);
    BOOST_TEST(end.behind == remains::nothing);
    settle(waits);
    waits.lease_lost();
    BOOST_TEST(waits.no_lease(errc::no_quorum, begin, draws).what == action::wait);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::etcd
