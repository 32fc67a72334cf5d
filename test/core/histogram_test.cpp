#include "core/histogram.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdint>

using namespace redlock;
using namespace redlock::core;
using namespace std::chrono_literals;

namespace {

std::uint64_t count_of(const histogram& h) {
    std::uint64_t count = 0;
    for (std::size_t bucket = 0; bucket < histogram::buckets; ++bucket)
        count += h.in_bucket(bucket);
    return count;
}

} // namespace

BOOST_AUTO_TEST_SUITE(histogram_of_durations)

BOOST_AUTO_TEST_CASE(buckets_follow_each_other_without_a_gap) {
    BOOST_TEST((histogram::lower_bound_of(0) == 0ns));
    for (std::size_t bucket = 0; bucket + 1 < histogram::buckets; ++bucket) {
        const nanoseconds bound = histogram::upper_bound_of(bucket);
        BOOST_REQUIRE((bound > histogram::lower_bound_of(bucket)));
        BOOST_REQUIRE((histogram::lower_bound_of(bucket + 1) == bound));
        BOOST_REQUIRE(histogram::bucket_of(bound) == bucket);
        BOOST_REQUIRE(histogram::bucket_of(bound + 1ns) == bucket + 1);
    }
    BOOST_TEST((histogram::lower_bound_of(histogram::buckets - 1) == histogram::longest));
    BOOST_TEST((histogram::upper_bound_of(histogram::buckets - 1) == nanoseconds::max()));
}

BOOST_AUTO_TEST_CASE(a_value_is_known_to_an_eighth) {
    for (nanoseconds d = 2us; d < histogram::longest; d += d / 7) {
        const std::size_t bucket = histogram::bucket_of(d);
        BOOST_REQUIRE((histogram::lower_bound_of(bucket) < d && d <= histogram::upper_bound_of(bucket)));
        BOOST_REQUIRE((8 * (histogram::upper_bound_of(bucket) - histogram::lower_bound_of(bucket)) <= d));
    }
}

BOOST_AUTO_TEST_CASE(every_power_of_two_nanoseconds_is_a_bound) {
    for (nanoseconds d{1 << 10}; d <= histogram::longest; d *= 2)
        BOOST_TEST((histogram::upper_bound_of(histogram::bucket_of(d)) == d));
}

BOOST_AUTO_TEST_CASE(what_is_out_of_range_counts_at_its_ends) {
    histogram h;
    h.record(-1s);
    h.record(nanoseconds::min());
    h.record(0ns);
    h.record(nanoseconds::max());
    BOOST_TEST(h.in_bucket(0) == 3u);
    BOOST_TEST(h.in_bucket(histogram::buckets - 1) == 1u);
    BOOST_TEST(count_of(h) == 4u);
}

BOOST_AUTO_TEST_CASE(it_knows_which_buckets_are_in_use) {
    histogram h;
    BOOST_TEST(h.first_used() >= h.end_of_used());
    h.record(5ms);
    BOOST_TEST(h.first_used() == histogram::bucket_of(5ms));
    BOOST_TEST(h.end_of_used() == histogram::bucket_of(5ms) + 1);
    h.record(0ns);
    h.record(nanoseconds::max());
    BOOST_TEST(h.first_used() == 0u);
    BOOST_TEST(h.end_of_used() == histogram::buckets);
}

BOOST_AUTO_TEST_CASE(the_sum_outgrows_what_a_duration_holds) {
    histogram h;
    h.record(3ms);
    h.record(4ms);
    BOOST_TEST(h.sum() == 7e6);
    for (int i = 0; i < 10; ++i)
        h.record(nanoseconds::max());
    BOOST_TEST(h.sum() > 9e19);
    BOOST_TEST(count_of(h) == 12u);
}

BOOST_AUTO_TEST_SUITE_END()
