#include "core/backoff.hpp"
#include "core/validity.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

using namespace redlock;
using namespace redlock::core;
using namespace std::chrono_literals;

namespace {

constexpr instant start{std::chrono::hours(1)};

} // namespace

BOOST_AUTO_TEST_SUITE(validity_of_a_grant)

BOOST_AUTO_TEST_CASE(it_is_the_ttl_less_drift_counted_from_the_sending) {
    const drift_allowance drift;
    // 1 % of 10 s and 2 ms, rounded up to the next nanosecond.
    BOOST_TEST((drift.of(10s) == 102ms + 1ns));
    BOOST_TEST((valid_until(start, 10s, drift) == start + 9898ms - 1ns));
}

BOOST_AUTO_TEST_CASE(a_ttl_within_the_drift_is_never_valid) {
    const drift_allowance drift{.factor = 0.01, .floor = 2ms};
    BOOST_TEST((valid_until(start, 2ms, drift) == start));
    BOOST_TEST((valid_until(start, 0ms, drift) == start));
    BOOST_TEST((valid_until(start, 3ms, drift) > start));
}

BOOST_AUTO_TEST_CASE(extreme_values_saturate) {
    // As a double that is one more than fits.
    BOOST_TEST((drift_allowance{1.0, 0ns}.of(nanoseconds::max()) == nanoseconds::max()));
    const drift_allowance drift;
    BOOST_TEST((drift_allowance{.factor = 0.49, .floor = nanoseconds::max()}.of(nanoseconds::max()) ==
                nanoseconds::max()));
    BOOST_TEST((valid_until(instant::max() - 1s, 10s, drift) == instant::max()));
    BOOST_TEST((valid_until(start, nanoseconds::max(), drift) > start + std::chrono::hours(24 * 365 * 200)));
    BOOST_TEST((saturating_add(instant::max(), 1ns) == instant::max()));
    BOOST_TEST((saturating_add(instant::min(), -1ns) == instant::min()));
    BOOST_TEST((saturating_add(start, -1ns) == start - 1ns));
    BOOST_TEST((saturating_nanoseconds(std::chrono::milliseconds::max()) == nanoseconds::max()));
    BOOST_TEST((saturating_nanoseconds(std::chrono::milliseconds::min()) == nanoseconds::min()));
    BOOST_TEST((saturating_nanoseconds(5ms) == nanoseconds(5'000'000)));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(backoff_between_tries)

BOOST_AUTO_TEST_CASE(pauses_double_up_to_the_limit_and_vary_by_half) {
    core::random r(1);
    backoff pauses(10ms, 100ms);
    for (const nanoseconds bound : {10ms, 20ms, 40ms, 80ms, 100ms, 100ms}) {
        const nanoseconds pause = pauses.next(r);
        BOOST_TEST((pause >= bound / 2));
        BOOST_TEST((pause < bound));
    }
    pauses.reset();
    BOOST_TEST((pauses.next(r) < 10ms));
}

BOOST_AUTO_TEST_CASE(skipped_pauses_count_like_those_that_were_made) {
    for (const unsigned skipped : {0U, 1U, 3U, 4U, 200U}) {
        backoff made(10ms, 100ms);
        backoff jumped(10ms, 100ms);
        core::random r(1);
        for (unsigned i = 0; i < skipped; ++i)
            made.next(r);
        jumped.skip(skipped);
        core::random one(2);
        core::random other(2);
        BOOST_TEST((made.next(one) == jumped.next(other)));
    }
}

BOOST_AUTO_TEST_CASE(two_contenders_hardly_ever_pause_alike) {
    core::random one(1);
    core::random other(2);
    backoff first(10ms, 100ms);
    backoff second(10ms, 100ms);
    unsigned close = 0;
    for (int i = 0; i < 1000; ++i)
        close += std::chrono::abs(first.next(one) - second.next(other)) < 100us;
    BOOST_TEST(close < 20U); // 2 in 500 are expected
}

BOOST_AUTO_TEST_CASE(fractions_fill_the_unit_interval_evenly) {
    core::random r(7);
    unsigned tenths[10] = {};
    for (int i = 0; i < 100'000; ++i)
        ++tenths[static_cast<unsigned>(r.fraction() * 10)];
    BOOST_TEST(*std::ranges::min_element(tenths) > 9'500U);
    BOOST_TEST(*std::ranges::max_element(tenths) < 10'500U);
}

BOOST_AUTO_TEST_SUITE_END()
