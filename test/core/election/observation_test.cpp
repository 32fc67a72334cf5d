#include "core/election/observation.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>

namespace redlock::core {
namespace {

using namespace std::chrono_literals;
using action = observation::action;

const instant now{1h};
const leader_mark known{7, 3}, earlier{7, 2}, later{7, 4}, next_term{8, 1};

/// That has looked and rests.
observation resting(const leader_mark& mark = known) {
    observation o(mark);
    o.start();
    o.found(mark, now);
    return o;
}

BOOST_AUTO_TEST_SUITE(observation_suite)

BOOST_AUTO_TEST_CASE(it_looks_at_once_and_tells_what_is_news) {
    for (const leader_mark& seen : {later, next_term}) {
        observation o(known);
        BOOST_TEST((o.start().what == action::look));
        BOOST_TEST((o.found(seen, now).what == action::tell));
        BOOST_TEST((o.changed().what == action::look)); // that one is over
    }
    observation o(known);
    o.start();
    BOOST_TEST((o.found_nobody(now).what == action::tell));
    BOOST_TEST((o.mark_of_nobody() == leader_knowledge(known).mark_of_nobody()));
}

BOOST_AUTO_TEST_CASE(what_came_before_or_is_known_is_told_to_nobody) {
    for (const leader_mark& seen : {known, earlier, leader_mark{6, 9}}) {
        observation o(known);
        o.start();
        const auto s = o.found(seen, now);
        BOOST_TEST((s.what == action::wait));
        BOOST_TEST((s.until == now + look_plan::with_news));
    }
    observation knows_nobody(leader_knowledge(known).mark_of_nobody());
    knows_nobody.start();
    BOOST_TEST((knows_nobody.found_nobody(now).what == action::wait));
    BOOST_TEST((knows_nobody.changed().what == action::look));
    BOOST_TEST((knows_nobody.found(known, now).what == action::tell)); // who was missed for a while
}

BOOST_AUTO_TEST_CASE(a_change_makes_it_look_once_more_also_while_it_looks) {
    observation o = resting();
    BOOST_TEST((o.changed().what == action::look));
    BOOST_TEST((o.changed().what == action::go_on)); // one look at a time
    BOOST_TEST((o.changed().what == action::go_on));
    BOOST_TEST((o.found(known, now).what == action::look));
    BOOST_TEST((o.found(known, now).what == action::wait));
}

BOOST_AUTO_TEST_CASE(it_looks_again_when_nothing_is_heard) {
    observation o = resting();
    BOOST_TEST((o.time_passed().what == action::look));
    BOOST_TEST((o.time_passed().what == action::go_on));
    BOOST_TEST((o.found(later, now).what == action::tell));
}

// However often it hears that a connection is there.
BOOST_AUTO_TEST_CASE(a_look_that_failed_is_made_again_after_a_pause) {
    observation o(known);
    o.start();
    o.changed();
    const auto s = o.unanswered(now);
    BOOST_TEST((s.what == action::wait));
    BOOST_TEST((s.until == now + look_plan::without_news));
    BOOST_TEST((o.time_passed().what == action::look));
    BOOST_TEST((o.found(known, now).what == action::wait));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::core
