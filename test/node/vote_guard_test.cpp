#include "engines/redis/node/server/vote_guard.hpp"

#include <boost/test/unit_test.hpp>

using namespace std::chrono_literals;
using redlock::core::instant;
using redlock::node::server_info;
using redlock::node::vote_guard;

namespace {

constexpr redlock::core::drift_allowance drift{.factor = 0.01, .floor = 2ms};
const instant now(1h);

server_info running_for(std::chrono::seconds uptime) {
    server_info server;
    server.uptime = uptime;
    return server;
}

/// A guard that has read a clock which is ahead of ours by this much.
struct vote_guard_test_fixture {
    vote_guard guard{10s, drift};

    bool read(std::chrono::milliseconds ahead, instant at, std::chrono::milliseconds round_trip = 1ms) {
        const auto server = std::chrono::duration_cast<std::chrono::microseconds>(at.time_since_epoch() +
                                                                                  ahead + round_trip / 2);
        return guard.read_clock(server, at, at + round_trip);
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(vote_guard_suite, vote_guard_test_fixture)

// A server that was started at 10.9 s says at 11 s that it has run for one.
BOOST_AUTO_TEST_CASE(a_node_votes_once_it_has_surely_run_for_the_largest_ttl) {
    guard.connected(running_for(3s), now);
    BOOST_CHECK(guard.votes_from() == now + 8s);
    BOOST_TEST(guard.reason() == "was started 3 s ago, and stays out until that is restart_guard (10000 ms)");
    guard.connected(running_for(0s), now + 1s);
    BOOST_CHECK(guard.votes_from() == now + 11s);
    guard.connected(running_for(1s), now + 2s);
    BOOST_CHECK(guard.votes_from() == now + 12s);
}

BOOST_AUTO_TEST_CASE(a_node_that_has_run_for_long_votes_at_once) {
    guard.connected(running_for(11s), now);
    BOOST_CHECK(guard.votes_from() <= now);
}

BOOST_AUTO_TEST_CASE(a_node_that_does_not_tell_may_have_started_just_now) {
    guard.connected(running_for(-1s), now);
    BOOST_CHECK(guard.votes_from() == now + 10s);
    BOOST_TEST(guard.reason().find("does not tell") != std::string::npos);
}

// More seconds than any server has run for tell nothing, and would not fit into the nanoseconds there are.
BOOST_AUTO_TEST_CASE(an_uptime_that_cannot_be_is_none) {
    for (const char* told : {"9223372036854775807", "9223372037", "4000000000"}) {
        server_info server;
        redlock::node::read_info(std::string("uptime_in_seconds:") + told + "\r\n", server);
        BOOST_TEST(server.uptime.count() == -1, told);
        vote_guard asked(10s, drift);
        asked.connected(server, now);
        BOOST_CHECK(asked.votes_from() == now + 10s);
        BOOST_TEST(asked.reason().find("does not tell") != std::string::npos);
    }
    server_info old;
    redlock::node::read_info("uptime_in_seconds:3000000000\r\n", old);
    BOOST_TEST(old.uptime.count() == 3'000'000'000);
}

BOOST_AUTO_TEST_CASE(without_a_guard_every_node_votes) {
    vote_guard off(0s, drift);
    BOOST_TEST(!off.on());
    off.connected(running_for(0s), now);
    BOOST_TEST(!off.read_clock(1s, now, now));
    BOOST_TEST(!off.read_clock(100s, now, now));
    off.leads_group("first", now, 3s);
    BOOST_CHECK(off.votes_from() <= now);
}

BOOST_AUTO_TEST_CASE(a_clock_that_keeps_within_the_drift_does_not_jump) {
    BOOST_TEST(!read(500ms, now));
    BOOST_TEST(!read(501ms, now + 1s));
    // A slow round trip tells less, and accuses nobody.
    BOOST_TEST(!read(540ms, now + 2s, 200ms));
    BOOST_TEST(!read(510ms, now + 3s));
    // 1 % of a minute, either way.
    BOOST_TEST(!read(1100ms, now + 63s));
    BOOST_TEST(!read(510ms, now + 123s));
    BOOST_CHECK(guard.votes_from() <= now);
}

BOOST_AUTO_TEST_CASE(a_clock_that_jumps_keeps_the_node_out) {
    BOOST_TEST(!read(0ms, now));
    BOOST_TEST(read(100ms, now + 1s));
    BOOST_CHECK(guard.votes_from() == now + 1s + 1ms + 10s);
    BOOST_TEST(guard.reason().find("clock that jumped by ") != std::string::npos);
    // From there on it is as good as any other.
    BOOST_TEST(!read(100ms, now + 2s));
    BOOST_TEST(read(0ms, now + 3s));
    BOOST_CHECK(guard.votes_from() == now + 3s + 1ms + 10s);
}

BOOST_AUTO_TEST_CASE(a_promoted_server_stays_out_for_longer_than_anybody_believed_in_its_master) {
    guard.connected(running_for(1000s), now);
    guard.leads_group("first", now - 4s, 3s);
    BOOST_CHECK(guard.votes_from() == now + 9s);
    BOOST_TEST(guard.reason() ==
               "has a new master, and stays out for restart_guard (10000 ms) and 3000 ms more");
    // Connected to once more it is the same, whatever its Sentinels say by then.
    guard.leads_group("first", now + 60s, 3s);
    BOOST_CHECK(guard.votes_from() == now + 9s);
    guard.leads_group("second", now + 60s, 3s);
    BOOST_CHECK(guard.votes_from() == now + 73s);
    guard.leads_group("first", now + 90s, 3s);
    BOOST_CHECK(guard.votes_from() == now + 103s);
}

BOOST_AUTO_TEST_CASE(a_master_that_has_led_for_long_votes_at_once) {
    guard.leads_group("first", now - 13s, 3s);
    BOOST_CHECK(guard.votes_from() <= now);
}

// The user may be forbidden to ask.
BOOST_AUTO_TEST_CASE(one_that_does_not_tell_its_replication_id_may_be_another_each_time) {
    guard.leads_group("", now, 3s);
    guard.leads_group("", now + 60s, 3s);
    BOOST_CHECK(guard.votes_from() == now + 73s);
}

BOOST_AUTO_TEST_CASE(the_clock_of_a_new_master_has_not_jumped) {
    guard.leads_group("first", now - 60s, 3s);
    BOOST_TEST(!read(0ms, now));
    guard.leads_group("second", now - 60s, 3s);
    BOOST_TEST(!read(500ms, now + 1s));
    BOOST_CHECK(guard.votes_from() <= now);
}

BOOST_AUTO_TEST_CASE(the_later_of_two_reasons_counts) {
    BOOST_TEST(!read(0ms, now));
    BOOST_TEST(read(1s, now + 1s));
    const instant until = guard.votes_from();
    guard.connected(running_for(9s), now + 2s);
    BOOST_CHECK(guard.votes_from() == until);
}

BOOST_AUTO_TEST_SUITE_END()
