#include "core/flow/command_time.hpp"

#include <boost/test/unit_test.hpp>

using namespace std::chrono_literals;
using redlock::core::command_time;

BOOST_AUTO_TEST_SUITE(command_time_suite)

BOOST_AUTO_TEST_CASE(near_nodes_have_what_is_configured) {
    BOOST_CHECK(command_time(50ms, 0ms) == 50ms);
    BOOST_CHECK(command_time(50ms, 6ms) == 50ms);
    BOOST_CHECK(command_time(2s, 100ms) == 2s);
}

BOOST_AUTO_TEST_CASE(far_nodes_have_eight_round_trips_and_no_more_than_a_second) {
    BOOST_CHECK(command_time(50ms, 7ms) == 56ms);
    BOOST_CHECK(command_time(50ms, 30ms) == 240ms);
    BOOST_CHECK(command_time(1ms, 30ms) == 240ms);
    BOOST_CHECK(command_time(50ms, 124ms) == 992ms);
    BOOST_CHECK(command_time(50ms, 126ms) == 1s);
    BOOST_CHECK(command_time(50ms, std::chrono::nanoseconds::max()) == 1s);
    BOOST_CHECK(command_time(5s, std::chrono::nanoseconds::max()) == 5s);
}

BOOST_AUTO_TEST_SUITE_END()
