#include "core/flow/usual_round_trip.hpp"

#include <boost/test/unit_test.hpp>

using redlock::core::usual_round_trip;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(usual_round_trip_figures)

BOOST_AUTO_TEST_CASE(nothing_is_known_before_the_first) {
    usual_round_trip trip;
    BOOST_TEST((trip.estimate() == 0ns));
    trip.add(100us);
    BOOST_TEST((trip.estimate() == 100us));
}

BOOST_AUTO_TEST_CASE(two_answers_of_five_that_waited_to_be_read_hardly_count) {
    usual_round_trip trip;
    for (int i = 0; i < 200; ++i)
        trip.add(i % 5 < 3 ? 100us : 1000us);
    BOOST_TEST((trip.estimate() > 100us));
    BOOST_TEST((trip.estimate() < 250us));
}

BOOST_AUTO_TEST_CASE(a_way_that_became_longer_or_shorter_is_found_out) {
    usual_round_trip trip;
    trip.add(100us);
    for (int i = 0; i < 300; ++i)
        trip.add(1000us);
    BOOST_TEST((trip.estimate() > 950us));
    for (int i = 0; i < 40; ++i)
        trip.add(100us);
    BOOST_TEST((trip.estimate() < 110us));
}

BOOST_AUTO_TEST_SUITE_END()
