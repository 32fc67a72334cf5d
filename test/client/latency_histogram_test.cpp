#include <redlock/latency_histogram.hpp>

#include <boost/test/unit_test.hpp>

namespace redlock::test {
namespace {

using namespace std::chrono_literals;
using seconds = std::chrono::duration<double>;

const latency_histogram ten_values{
    .buckets = {{1ms, 2ms, 4}, {4ms, 8ms, 5}, {1h, std::chrono::nanoseconds::max(), 1}},
    .count = 10,
    .sum = seconds(1)};

BOOST_AUTO_TEST_SUITE(histogram_of_latencies)

BOOST_AUTO_TEST_CASE(a_percentile_is_interpolated_in_its_bucket) {
    BOOST_TEST(ten_values.percentile(0).count() == 0.001);
    BOOST_TEST(ten_values.percentile(20).count() == 0.0015);
    BOOST_TEST(ten_values.percentile(40).count() == 0.002);
    BOOST_TEST(ten_values.percentile(90).count() == 0.008);
}

BOOST_AUTO_TEST_CASE(of_the_last_bucket_only_the_lower_bound_is_known) {
    BOOST_TEST(ten_values.percentile(95).count() == 3600.0);
    BOOST_TEST(ten_values.percentile(100).count() == 3600.0);
    BOOST_TEST(ten_values.percentile(1000).count() == 3600.0);
    BOOST_TEST(ten_values.percentile(-1).count() == 0.001);
}

BOOST_AUTO_TEST_CASE(without_values_there_is_nothing_to_tell) {
    const latency_histogram none;
    BOOST_TEST(none.percentile(50).count() == 0.0);
    BOOST_TEST(none.count_up_to(1h) == 0u);
}

BOOST_AUTO_TEST_CASE(values_are_counted_up_to_a_bound) {
    BOOST_TEST(ten_values.count_up_to(1ms) == 0u);
    BOOST_TEST(ten_values.count_up_to(2ms) == 4u);
    BOOST_TEST(ten_values.count_up_to(7ms) == 4u);
    BOOST_TEST(ten_values.count_up_to(8ms) == 9u);
    BOOST_TEST(ten_values.count_up_to(std::chrono::nanoseconds::max()) == 10u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
