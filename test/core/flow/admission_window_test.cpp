#include "core/flow/admission_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <vector>

namespace redlock::test::admission {

BOOST_AUTO_TEST_SUITE(window_of_admission)

BOOST_AUTO_TEST_CASE(up_to_its_limit_nobody_waits) {
    admission_window window(2, time_of_round);
    crowd c(3);
    BOOST_TEST(window.enter(c.all[0]));
    BOOST_TEST(window.enter(c.all[1]));
    BOOST_TEST(!window.enter(c.all[2]));
    BOOST_TEST(window.inside() == 2U);
    BOOST_TEST(window.waiting() == 1U);
}

BOOST_AUTO_TEST_CASE(places_are_given_in_order) {
    admission_window window(1, time_of_round);
    crowd c(5);
    for (contender& one : c.all)
        window.enter(one);
    for (int i = 0; i < 4; ++i)
        window.leave();
    const std::vector<int> expected{1, 2, 3, 4};
    BOOST_TEST(c.admitted == expected, boost::test_tools::per_element());
    BOOST_TEST(window.inside() == 1U);
    window.leave();
    BOOST_TEST(window.inside() == 0U);
}

BOOST_AUTO_TEST_CASE(who_withdraws_is_passed_over) {
    admission_window window(1, time_of_round);
    crowd c(4);
    for (contender& one : c.all)
        window.enter(one);
    BOOST_TEST(window.withdraw(c.all[2]));
    BOOST_TEST(!window.withdraw(c.all[2]));
    BOOST_TEST(!window.withdraw(c.all[0])); // inside, not waiting
    window.leave();
    window.leave();
    const std::vector<int> expected{1, 3};
    BOOST_TEST(c.admitted == expected, boost::test_tools::per_element());
    BOOST_TEST(window.waiting() == 0U);
}

BOOST_AUTO_TEST_CASE(newcomers_do_not_overtake_those_who_wait) {
    admission_window window(1, time_of_round);
    crowd c(3);
    window.enter(c.all[0]);
    window.enter(c.all[1]);
    window.leave();
    BOOST_TEST(!window.enter(c.all[2]));
    window.leave();
    BOOST_TEST(c.admitted.back() == 2);
}

BOOST_AUTO_TEST_CASE(whoever_withdraws_first_or_last_leaves_the_others_in_order) {
    admission_window window(1, time_of_round);
    crowd c(6);
    for (int i = 0; i < 5; ++i)
        window.enter(c.all[static_cast<std::size_t>(i)]);
    BOOST_TEST(window.withdraw(c.all[4]));
    BOOST_TEST(window.withdraw(c.all[1]));
    window.enter(c.all[5]);
    window.enter(c.all[1]);
    for (int i = 0; i < 5; ++i)
        window.leave();
    const std::vector<int> expected{2, 3, 5, 1};
    BOOST_TEST(c.admitted == expected, boost::test_tools::per_element());
    BOOST_TEST(window.inside() == 0u);
    BOOST_TEST(window.has_room());
}

BOOST_AUTO_TEST_CASE(who_comes_ahead_is_before_all_others_and_in_order) {
    admission_window window(1, time_of_round);
    crowd c(7);
    window.enter(c.all[0]);
    window.enter(c.all[1]);
    window.enter(c.all[2]);
    BOOST_TEST(!window.enter_ahead(c.all[3]));
    BOOST_TEST(!window.enter_ahead(c.all[4]));
    window.enter(c.all[5]);
    BOOST_TEST(!window.enter_ahead(c.all[6]));
    BOOST_TEST(window.waiting() == 6u);
    for (int i = 0; i < 6; ++i)
        window.leave();
    const std::vector<int> expected{3, 4, 6, 1, 2, 5};
    BOOST_TEST(c.admitted == expected, boost::test_tools::per_element());
    window.leave();
    BOOST_TEST(window.enter_ahead(c.all[0]));
}

BOOST_AUTO_TEST_CASE(whoever_of_those_ahead_withdraws_leaves_the_others_in_order) {
    for (int gone = 1; gone <= 3; ++gone) {
        admission_window window(1, time_of_round);
        crowd c(6);
        window.enter(c.all[0]);
        window.enter(c.all[4]);
        for (int i = 1; i <= 3; ++i)
            window.enter_ahead(c.all[static_cast<std::size_t>(i)]);
        BOOST_TEST(window.withdraw(c.all[static_cast<std::size_t>(gone)]));
        window.enter_ahead(c.all[5]);
        for (int i = 0; i < 4; ++i)
            window.leave();
        std::vector<int> expected{1, 2, 3, 5, 4};
        std::erase(expected, gone);
        BOOST_TEST(c.admitted == expected, boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_CASE(the_only_one_ahead_withdraws_and_another_comes) {
    admission_window window(1, time_of_round);
    crowd c(4);
    window.enter(c.all[0]);
    window.enter(c.all[1]);
    window.enter_ahead(c.all[2]);
    BOOST_TEST(window.withdraw(c.all[2]));
    window.enter_ahead(c.all[3]);
    window.leave();
    window.leave();
    const std::vector<int> expected{3, 1};
    BOOST_TEST(c.admitted == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_window_that_opened_lets_nobody_in_before_those_who_wait) {
    full_window full(100);
    full.window.unanswered(at(0ms), at(50ms));
    for (int i = 0; i < 50; ++i)
        full.window.leave();
    crowd late(2);
    full.window.enter(late.all[0]);
    for (int i = 0; i < 16; ++i)
        full.window.answered(at(60ms), at(61ms));
    BOOST_TEST(full.window.limit() == 52u);
    BOOST_TEST(!full.window.enter_at_once());
    BOOST_TEST(!full.window.enter(late.all[1]));
    full.window.leave();
    BOOST_TEST(late.admitted.size() == 2u);
}

BOOST_AUTO_TEST_CASE(half_of_the_time_is_good_time) {
    full_window full(100);
    full.window.unanswered(at(0ms), at(25ms));
    BOOST_TEST(full.window.limit() == 100u);
    full.window.answered(at(0ms), at(26ms));
    BOOST_TEST(full.window.limit() == 96u);
}

BOOST_AUTO_TEST_CASE(answers_in_good_time_leave_it_open) {
    full_window full(100);
    full.window.answered(at(0ms), at(25ms));
    BOOST_TEST(full.window.limit() == 100U);
}

BOOST_AUTO_TEST_CASE(late_answers_close_it_to_what_would_have_been_in_time) {
    full_window full(100);
    full.window.answered(at(0ms), at(40ms));
    BOOST_TEST(full.window.limit() == 62U);
}

BOOST_AUTO_TEST_CASE(rounds_that_ran_out_halve_it) {
    full_window full(100);
    full.window.unanswered(at(0ms), at(200ms));
    BOOST_TEST(full.window.limit() == 50U);
}

BOOST_AUTO_TEST_CASE(a_refusal_to_send_says_nothing) {
    full_window full(100);
    full.window.unanswered(at(0ms), at(0ms));
    full.window.unanswered(at(1000ms), at(1025ms)); // also long after the beginning
    BOOST_TEST(full.window.limit() == 100U);
}

BOOST_AUTO_TEST_CASE(what_was_sent_before_it_closed_closes_it_no_further) {
    full_window full(100);
    full.window.unanswered(at(1ms), at(51ms));
    full.window.unanswered(at(2ms), at(52ms));
    full.window.unanswered(at(51ms), at(101ms));
    BOOST_TEST(full.window.limit() == 50U);
    full.window.unanswered(at(52ms), at(102ms));
    BOOST_TEST(full.window.limit() == 50U); // of all 100, who are inside still
    for (int i = 0; i < 50; ++i)
        full.window.leave();
    full.window.unanswered(at(103ms), at(153ms));
    BOOST_TEST(full.window.limit() == 25U);
}

BOOST_AUTO_TEST_CASE(it_never_closes_altogether) {
    full_window full(100);
    for (int i = 0; i < 100; ++i)
        full.window.leave();
    full.window.unanswered(at(0ms), at(50ms));
    BOOST_TEST(full.window.limit() == 16U);
    full_window narrow(3);
    narrow.window.unanswered(at(0ms), at(50ms));
    BOOST_TEST(narrow.window.limit() == 3U);
}

BOOST_AUTO_TEST_CASE(who_leaves_a_window_that_opened_lets_several_in) {
    full_window full(100);
    crowd c(20);
    admission_window& window = full.window;
    for (contender& one : c.all)
        window.enter(one);
    window.unanswered(at(0ms), at(50ms));
    for (int i = 0; i < 50; ++i)
        window.leave();
    BOOST_TEST(c.admitted.empty());
    BOOST_TEST(window.inside() == 50U);
    for (int i = 0; i < 80; ++i)
        window.answered(at(60ms), at(61ms));
    window.leave();
    BOOST_TEST(c.admitted.size() == 11U);
    BOOST_TEST(window.inside() == 60U);
}

// What was sent before it closed does not show yet what came of that.
BOOST_AUTO_TEST_CASE(one_burst_closes_it_once) {
    full_window f(100);
    f.window.unanswered(at(0ms), at(30ms));
    const std::size_t closed = f.window.limit();
    BOOST_TEST(closed == 83u); // 25 of 30 ms
    f.window.unanswered(at(10ms), at(60ms));
    f.window.unanswered(at(30ms), at(80ms));
    BOOST_TEST(f.window.limit() == closed);
    f.window.unanswered(at(31ms), at(81ms));
    BOOST_TEST(f.window.limit() == 50u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace redlock::test::admission
