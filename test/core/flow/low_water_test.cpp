#include "core/flow/low_water.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

namespace redlock::core {
namespace {

using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(low_water_mark_of_a_connection)

BOOST_AUTO_TEST_CASE(few_replies_are_wanted_as_they_come) {
    BOOST_TEST(low_water_mark(0, 10ms, 0ns) == 1u);
    BOOST_TEST(low_water_mark(63, 10ms, 0ns) == 1u);
    BOOST_TEST(low_water_mark(64, 10ms, 0ns) > 1u);
}

BOOST_AUTO_TEST_CASE(a_third_of_those_that_wait_at_the_server_may_come_first) {
    BOOST_TEST(low_water_mark(900, 10ms, 0ns) == 900u); // 300 replies of three bytes
    BOOST_TEST(low_water_mark(900, 10ms, 1ms) == 720u); // a fifth is on its way
    BOOST_TEST(low_water_mark(900, 10ms, 2500us) == 450u);
}

BOOST_AUTO_TEST_CASE(where_the_network_takes_the_time_nothing_is_left_unread) {
    BOOST_TEST(low_water_mark(10'000, 10ms, 5ms) == 1u);
    BOOST_TEST(low_water_mark(10'000, 10ms, 20ms) == 1u);
    BOOST_TEST(low_water_mark(1000, 10ms, 4900us) == 1u); // 20 wait
    BOOST_TEST(low_water_mark(10'000, 0ns, 0ns) == 1u);   // nothing is known yet
}

BOOST_AUTO_TEST_CASE(it_never_asks_for_more_than_is_to_come) {
    for (std::size_t awaited = 0; awaited < 10'000; ++awaited)
        BOOST_REQUIRE(low_water_mark(awaited, 1h, 0ns) <= std::max<std::size_t>(1, 3 * awaited));
    BOOST_TEST(low_water_mark(1'000'000, 1h, 0ns) == 4096u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::core
