#include "core/flow/round_trips.hpp"

#include <boost/test/unit_test.hpp>

using redlock::core::round_trips;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(round_trip_figures)

BOOST_AUTO_TEST_CASE(least_and_median_are_those_of_all) {
    round_trips seen;
    BOOST_TEST(seen.empty());
    for (const auto took : {5us, 1us, 9us, 3us})
        seen.add(took, 0s, {});
    BOOST_TEST(!seen.empty());
    BOOST_TEST((seen.least() == 1us));
    BOOST_TEST((seen.median() == 5us));
    seen.add(2us, 0s, {});
    BOOST_TEST((seen.median() == 3us));
    BOOST_TEST(!seen.clock().has_value());
}

BOOST_AUTO_TEST_CASE(the_quickest_answer_says_how_far_the_clock_is_ahead) {
    round_trips seen;
    seen.add(100us, 1'000'000us, 1'250'000us);
    BOOST_TEST((seen.clock()->ahead == 249'950us + 500ns));
    BOOST_TEST((seen.clock()->uncertainty == 50us + 500ns));
    // A slower one and one without a time change nothing, however much they say.
    seen.add(200us, 2'000'000us, 9'000'000us);
    seen.add(1us, 2'000'000us, {});
    BOOST_TEST((seen.clock()->ahead == 249'950us + 500ns));
    seen.add(10us, 3'000'000us, 2'500'000us);
    BOOST_TEST((seen.clock()->ahead == -500'005us + 500ns));
}

// Whenever within the round trip the server reads its clock, the truth is within the uncertainty.
BOOST_AUTO_TEST_CASE(the_true_offset_lies_within_the_uncertainty) {
    constexpr auto truth = 12'345'678ns;
    for (auto read_after = 0ns; read_after <= 2'000ns; read_after += 100ns) {
        round_trips seen;
        seen.add(2'000ns, 777ns, std::chrono::floor<std::chrono::microseconds>(777ns + read_after + truth));
        const auto error = seen.clock()->ahead - truth;
        BOOST_TEST((error <= seen.clock()->uncertainty && -error <= seen.clock()->uncertainty));
    }
}

BOOST_AUTO_TEST_SUITE_END()
