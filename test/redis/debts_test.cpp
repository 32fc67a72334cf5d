#include "engines/redis/rounds/debts.hpp"
#include "support/any_token.hpp"

#include <boost/test/unit_test.hpp>

using namespace redlock;
using namespace redlock::redis;
using namespace std::chrono_literals;

namespace {

constexpr time::instant start{std::chrono::hours(1)};

debt owed(std::string_view key, time::instant until, bool written) {
    return {.owed = std::make_shared<claim>("", detail::key_text(key), test::any_token()),
            .until = until,
            .written = written};
}

} // namespace

BOOST_AUTO_TEST_SUITE(debts_of_a_node)

BOOST_AUTO_TEST_CASE(on_the_same_connection_only_what_was_never_written_is_sent_again) {
    debts open;
    open.add(owed("written", start + 1s, true), start);
    open.add(owed("unwritten", start + 1s, false), start);
    const auto due = open.take(false, start);
    BOOST_REQUIRE(due.size() == 1U);
    BOOST_TEST(due.front().owed->key() == "unwritten");
    // A sign of life says nothing of what has not arrived yet: the connection may break before it does.
    const auto later = open.take(true, start);
    BOOST_REQUIRE(later.size() == 1U);
    BOOST_TEST(later.front().owed->key() == "written");
    BOOST_TEST(open.size() == 0U);
}

BOOST_AUTO_TEST_CASE(on_a_new_connection_everything_is_sent_again) {
    debts open;
    open.add(owed("written", start + 1s, true), start);
    open.add(owed("unwritten", start + 1s, false), start);
    BOOST_TEST(open.take(true, start).size() == 2U);
}

BOOST_AUTO_TEST_CASE(what_has_run_out_is_not_owed) {
    debts open;
    open.add(owed("over", start, false), start);
    BOOST_TEST(open.size() == 0U);
    open.add(owed("soon over", start + 1s, false), start);
    BOOST_TEST(open.take(true, start + 1s).empty());
}

BOOST_AUTO_TEST_CASE(a_node_that_stays_away_costs_memory_for_the_keys_that_still_live_only) {
    debts open;
    std::size_t most = 0;
    for (int i = 0; i < 100'000; ++i) {
        const time::instant now = start + i * 1ms;
        open.add(owed("k", now + 100ms, false), now);
        most = std::max(most, open.size());
    }
    BOOST_TEST(most <= 200U);
    BOOST_TEST(most >
               150U); // it looks for those that have run out once as many again have come, not for each
}

BOOST_AUTO_TEST_CASE(there_is_a_limit_whatever_the_ttl) {
    debts open;
    for (std::size_t i = 0; i < debts::limit + 10; ++i)
        open.add(owed("k", start + 1h, false), start);
    BOOST_TEST(open.size() <= debts::limit);
    BOOST_TEST(open.size() == debts::limit - debts::limit / 16 + 10); // the oldest go, many at a time
}

BOOST_AUTO_TEST_SUITE_END()
