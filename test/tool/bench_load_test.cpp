#include "tool/bench/load/arrival_schedule.hpp"
#include "tool/bench/load/key_distribution.hpp"
#include "tool/bench/load/latency_counts.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

namespace redlock::tool {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;
using time_point = arrival_schedule::time_point;

BOOST_AUTO_TEST_SUITE(bench_load)

BOOST_AUTO_TEST_CASE(every_length_has_a_bucket_that_is_not_much_longer) {
    for (std::size_t i = 0; i < latency_counts::buckets; ++i)
        BOOST_TEST(latency_counts::bucket_of(latency_counts::top_of(i)) == i);
    for (std::int64_t length = 1; length < 2'000'000'000'000; length = length * 5 / 4 + 1) {
        const auto top = latency_counts::top_of(latency_counts::bucket_of(nanoseconds(length)));
        BOOST_TEST(top.count() >= length);
        BOOST_TEST(static_cast<double>(top.count()) <= static_cast<double>(length) * (1 + 1.0 / 32));
    }
    BOOST_TEST(latency_counts::bucket_of(nanoseconds(-1)) == 0u);
    BOOST_TEST(latency_counts::bucket_of(nanoseconds::max()) == latency_counts::buckets - 1);
}

BOOST_AUTO_TEST_CASE(percentiles_are_those_of_the_values) {
    latency_counts counts;
    BOOST_TEST(counts.percentile(99).count() == 0);
    latency_counts odd;
    for (int i = 1; i <= 1000; ++i)
        (i % 2 == 0 ? counts : odd).record(microseconds(i));
    counts.merge(odd);
    BOOST_TEST(counts.count() == 1000u);
    BOOST_TEST((counts.mean() == nanoseconds(500'500)));
    BOOST_TEST((counts.max() == milliseconds(1)));
    for (const double percent : {1.0, 50.0, 90.0, 99.0, 100.0}) {
        const auto found = static_cast<double>(counts.percentile(percent).count());
        BOOST_TEST(found >= percent * 1e4);
        BOOST_TEST(found <= percent * 1e4 * (1 + 1.0 / 32));
    }
}

// The bounds are six standard deviations away, and the sequence is always the same.
BOOST_AUTO_TEST_CASE(keys_come_as_often_as_zipf_says) {
    constexpr int draws = 200'000;
    for (const double exponent : {0.5, 1.0, 2.5}) {
        const key_distribution keys(key_shape::zipf, 50, exponent);
        std::mt19937_64 random(7);
        std::vector<int> seen(50);
        for (int i = 0; i < draws; ++i)
            ++seen.at(keys.draw(random));
        double all = 0;
        for (int k = 1; k <= 50; ++k)
            all += std::pow(k, -exponent);
        for (int k = 1; k <= 50; ++k) {
            const double expected = draws * std::pow(k, -exponent) / all;
            BOOST_TEST(std::abs(seen[static_cast<std::size_t>(k - 1)] - expected) <= 6 * std::sqrt(expected));
        }
    }
}

BOOST_AUTO_TEST_CASE(one_key_and_keys_alike) {
    std::mt19937_64 random(7);
    const key_distribution one(key_shape::one, 1000, 1);
    const key_distribution alike(key_shape::uniform, 10, 1);
    const key_distribution many(key_shape::zipf, 1'000'000'000, 1);
    std::vector<int> seen(10);
    for (int i = 0; i < 10'000; ++i) {
        BOOST_TEST(one.draw(random) == 0u);
        ++seen.at(alike.draw(random));
        BOOST_TEST(many.draw(random) < 1'000'000'000u);
    }
    for (const int number : seen)
        BOOST_TEST(std::abs(number - 1000) < 200);
}

BOOST_AUTO_TEST_CASE(even_arrivals_do_not_drift) {
    const time_point begin{seconds(100)};
    arrival_schedule schedule(begin, 3, false, 0);
    for (int i = 0; i < 3'000; ++i)
        schedule.next();
    const auto off = schedule.next() - begin - nanoseconds(3001 * std::int64_t{1'000'000'000} / 3);
    BOOST_TEST(std::abs(nanoseconds(off).count()) < 1000);
}

BOOST_AUTO_TEST_CASE(poisson_arrivals_have_the_rate_and_its_variance) {
    const time_point begin{};
    arrival_schedule schedule(begin, 100, true, 7);
    std::vector<int> in_second(1000);
    for (time_point t = schedule.next(); t < begin + seconds(1000); t = schedule.next())
        ++in_second.at(static_cast<std::size_t>((t - begin) / seconds(1)));
    double mean = 0;
    double squares = 0;
    for (const int n : in_second) {
        mean += n / 1000.0;
        squares += n * n / 1000.0;
    }
    BOOST_TEST(std::abs(mean - 100) < 2);
    BOOST_TEST(std::abs(squares - mean * mean - 100) < 30);
}

BOOST_AUTO_TEST_CASE(what_is_due_waits_in_order_up_to_the_limit) {
    const time_point begin{};
    const auto at = [&](int n) { return begin + milliseconds(10 * n); };
    arrival_queue queue(arrival_schedule(begin, 100, false, 0), 3);
    BOOST_TEST((queue.take(begin) == at(1)));
    BOOST_TEST((queue.take(begin) == at(2)));
    queue.advance(at(7) + milliseconds(1));
    BOOST_TEST(queue.waiting() == 3u);
    BOOST_TEST(queue.dropped() == 2u);
    BOOST_TEST((queue.take(at(7)) == at(3)));
    BOOST_TEST((queue.take(at(8) + milliseconds(1)) == at(4)));
    BOOST_TEST(queue.waiting() == 2u);
    BOOST_TEST((queue.take(at(8)) == at(5)));
    BOOST_TEST((queue.take(at(8)) == at(8)));
    BOOST_TEST((queue.take(at(8)) == at(9)));
    BOOST_TEST(queue.dropped() == 2u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::tool
