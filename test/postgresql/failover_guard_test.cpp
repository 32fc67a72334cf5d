// When a database must not grant: after a promotion, and after a start that may have forgotten commits.

#include "engines/sql/failover_guard.hpp"
#include "engines/sql/fence.hpp"

#include <boost/test/unit_test.hpp>

namespace redlock::sql {
namespace {

using namespace std::chrono_literals;
using core::instant;

constexpr instant now{1h};

server_facts settled() { return {.timeline = 3, .first_timeline = true, .on_timeline = 1h, .uptime = 1h}; }

BOOST_AUTO_TEST_SUITE(failover_guard_suite)

BOOST_AUTO_TEST_CASE(a_server_that_keeps_its_commits_grants_at_once) {
    failover_guard guard(10s);
    server_facts fresh = settled();
    fresh.uptime = 0s;
    fresh.on_timeline = 0s;
    BOOST_TEST(!guard.connected(fresh, now));
    BOOST_TEST(!guard.is_closed(now));
}

BOOST_AUTO_TEST_CASE(a_new_timeline_closes_for_what_is_left_of_the_longest_lock) {
    failover_guard guard(10s);
    server_facts promoted = settled();
    promoted.first_timeline = false;
    promoted.on_timeline = 4s;
    guard.connected(promoted, now);
    BOOST_TEST((guard.closed_until() == now + 6s));
    BOOST_TEST(guard.is_closed(now + 6s - 1ns));
    BOOST_TEST(!guard.is_closed(now + 6s));
}

BOOST_AUTO_TEST_CASE(what_the_client_remembers_counts_where_the_database_forgot) {
    failover_guard guard(10s);
    guard.connected(settled(), now);
    server_facts other = settled();
    other.timeline = 4;
    other.on_timeline = 0s;
    BOOST_TEST(guard.connected(other, now));
    BOOST_TEST((guard.closed_until() == now + 10s));
}

BOOST_AUTO_TEST_CASE(a_start_of_a_server_that_may_lose_commits_closes_too) {
    failover_guard guard(10s);
    server_facts loose = settled();
    loose.keeps_commits = false;
    loose.uptime = 1s;
    BOOST_TEST(guard.connected(loose, now));
    BOOST_TEST((guard.closed_until() == now + 9s));
}

BOOST_AUTO_TEST_CASE(it_never_opens_earlier_than_it_said) {
    failover_guard guard(10s);
    server_facts promoted = settled();
    promoted.first_timeline = false;
    promoted.on_timeline = 0s;
    guard.connected(promoted, now);
    promoted.on_timeline = 1h;
    guard.connected(promoted, now + 1s);
    BOOST_TEST((guard.closed_until() == now + 10s));
}

BOOST_AUTO_TEST_CASE(without_a_guard_nothing_is_closed_but_doubt_is_told) {
    failover_guard guard(0s);
    guard.connected(settled(), now);
    server_facts other = settled();
    other.timeline = 4;
    other.on_timeline = 0s;
    BOOST_TEST(guard.connected(other, now));
    BOOST_TEST(!guard.is_closed(now));
}

BOOST_AUTO_TEST_CASE(fencing_tokens_of_a_later_timeline_are_higher_and_fit) {
    BOOST_TEST(*fence_base(2) > *fence_base(1) + ((std::int64_t{1} << bits_of_counter) - 1));
    BOOST_TEST(*fence_base(highest_timeline) > 0);
    BOOST_TEST(!fence_base(highest_timeline + 1));
    BOOST_TEST(!fence_base(0));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::sql
