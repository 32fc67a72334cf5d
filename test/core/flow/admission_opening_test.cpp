// How wide the admission window is, and what shows what the nodes bear.

#include "core/flow/admission_fixture.hpp"

#include <boost/test/unit_test.hpp>

namespace redlock::test::admission {

BOOST_AUTO_TEST_SUITE(opening_of_admission)

BOOST_AUTO_TEST_CASE(it_is_narrow_before_anything_is_known) {
    BOOST_TEST(admission_window(1024, time_of_round).limit() == 32u);
    BOOST_TEST(admission_window(3, time_of_round).limit() == 3u);
}

BOOST_AUTO_TEST_CASE(it_opens_quicker_before_it_has_closed) {
    crowd c(200);
    admission_window window(1024, time_of_round);
    for (contender& one : c.all)
        window.enter(one);
    for (int i = 0; i < 32; ++i)
        window.answered(at(0ms), at(1ms));
    BOOST_TEST(window.limit() == 48u);
    window.answered(at(1ms), at(30ms));
    const std::size_t closed = window.limit();
    for (int i = 0; i < 8; ++i)
        window.answered(at(31ms), at(32ms));
    BOOST_TEST(window.limit() == closed + 1);
}

BOOST_AUTO_TEST_CASE(it_opens_only_where_it_is_in_the_way) {
    crowd c(32);
    admission_window window(1024, time_of_round);
    for (int i = 0; i < 31; ++i)
        window.enter(c.all[static_cast<std::size_t>(i)]);
    for (int i = 0; i < 100; ++i)
        window.answered(at(0ms), at(1ms));
    window.not_reached();
    BOOST_TEST(window.limit() == 32u);
    window.enter(c.all[31]);
    for (int i = 0; i < 2; ++i)
        window.answered(at(0ms), at(1ms));
    BOOST_TEST(window.limit() == 33u);
}

BOOST_AUTO_TEST_CASE(nobody_is_kept_waiting_for_nodes_that_are_not_there) {
    crowd c(100);
    admission_window window(1024, time_of_round);
    for (contender& one : c.all)
        window.enter(one);
    for (int i = 0; i < 32; ++i)
        window.not_reached();
    window.leave();
    BOOST_TEST(window.limit() == 64u);
    BOOST_TEST(window.inside() == 64u);
    window.unanswered(at(0ms), at(50ms));
    window.not_reached(); // a link that was overloaded is no less so when a node leaves
    BOOST_TEST(window.limit() == 32u);
}

// 40 of 100 were answered in 50 ms, so 20 would have been in good time. It never closes altogether.
BOOST_AUTO_TEST_CASE(rounds_that_ran_out_close_it_to_the_pace_of_the_others) {
    full_window f(100);
    for (int i = 0; i < 40; ++i)
        f.window.answered(at(1ms), at(20ms));
    f.window.unanswered(at(1ms), at(51ms));
    BOOST_TEST(f.window.limit() == 20u);
    full_window slow(100);
    for (int i = 0; i < 10; ++i)
        slow.window.answered(at(1ms), at(20ms));
    slow.window.unanswered(at(1ms), at(51ms));
    BOOST_TEST(slow.window.limit() == 16u);
}

BOOST_AUTO_TEST_CASE(answers_of_long_ago_are_no_pace) {
    full_window f(100);
    for (int i = 0; i < 40; ++i)
        f.window.answered(at(1ms), at(2ms));
    f.window.unanswered(at(1000ms), at(1050ms));
    BOOST_TEST(f.window.limit() == 50u);
}

BOOST_AUTO_TEST_CASE(it_opens_again_to_its_limit) {
    full_window full(100);
    full.window.unanswered(at(0ms), at(50ms));
    for (int i = 0; i < 8; ++i)
        full.window.answered(at(60ms), at(61ms));
    BOOST_TEST(full.window.limit() == 51U);
    for (int i = 0; i < 1000; ++i)
        full.window.answered(at(60ms), at(61ms));
    BOOST_TEST(full.window.limit() == 100U);
}

BOOST_AUTO_TEST_CASE(answers_before_it_closed_do_not_count_for_opening_it) {
    full_window full(100);
    full.window.unanswered(at(0ms), at(50ms));
    for (int i = 0; i < 7; ++i)
        full.window.answered(at(60ms), at(61ms));
    full.window.answered(at(51ms), at(101ms));
    full.window.answered(at(110ms), at(111ms));
    BOOST_TEST(full.window.limit() == 50u);
    for (int i = 0; i < 7; ++i)
        full.window.answered(at(110ms), at(111ms));
    BOOST_TEST(full.window.limit() == 51u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace redlock::test::admission
