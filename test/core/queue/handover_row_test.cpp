// For how long a key is handed on without being free.

#include "core/queue/handover_row.hpp"

#include <boost/test/unit_test.hpp>

using namespace redlock::core;
using namespace std::chrono_literals;

namespace {
constexpr instant row_begun{1h};
}

BOOST_AUTO_TEST_SUITE(handed_on_in_a_row)

BOOST_AUTO_TEST_CASE(a_key_that_was_free_begins_no_row) {
    const handover_row row;
    BOOST_TEST((row.length(row_begun + 1h) == 0ns));
    BOOST_TEST(!row.is_over(row_begun + 1h));
}

BOOST_AUTO_TEST_CASE(it_is_over_after_a_time) {
    handover_row row;
    row.handed(30ms, 1000, row_begun);
    BOOST_TEST((row.length(row_begun) == 30ms + 100us));
    BOOST_TEST(!row.is_over(row_begun + 69ms));
    BOOST_TEST(row.is_over(row_begun + 70ms));
    BOOST_TEST((row.length(row_begun + 1h) == handover_row::longest));
}

BOOST_AUTO_TEST_CASE(or_after_so_many) {
    nanoseconds length{};
    int count = 0;
    for (bool over = false; !over; ++count) {
        handover_row row;
        row.handed(length, 10, row_begun);
        length = row.length(row_begun);
        over = row.is_over(row_begun);
    }
    BOOST_TEST(count == 10);
}

BOOST_AUTO_TEST_CASE(the_longest_that_is_told_counts_and_nothing_beyond_the_bounds) {
    handover_row row;
    row.handed(-5s, 64, row_begun);
    row.handed(50ms, 64, row_begun);
    row.handed(20ms, 64, row_begun);
    BOOST_TEST((row.length(row_begun) > 50ms && row.length(row_begun) < 52ms));
    row.handed(nanoseconds::max(), 64, row_begun);
    BOOST_TEST((row.length(row_begun) == handover_row::longest));
}

BOOST_AUTO_TEST_SUITE_END()
