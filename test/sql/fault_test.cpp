// A database that crashes, stops, is cut off, and fails over.

#include "database_under_test.hpp"
#include "support/fault_proxy.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <memory>

namespace redlock::test {
namespace {

namespace asio = boost::asio;

struct fault_test_fixture : tested_fixture {
    /// With a network of its own.
    client make_distant_client(std::chrono::milliseconds patience = 300ms) {
        config c = settings(tested_server::uri_over(network.port()));
        c.node_timeout = patience;
        return client(context.get_executor(), c);
    }

    fault_proxy network{database.port()};
    client locks = make_client();
};

BOOST_FIXTURE_TEST_SUITE(fault_suite, fault_test_fixture)

BOOST_AUTO_TEST_CASE(a_lease_outlives_a_crash_of_the_database) {
    lease held = lock(locks, "key", fenced(20s));
    database.crash();
    database.start();
    BOOST_TEST(reconnects(locks));
    outcome<> extended;
    held.async_extend(20s, extended.handler());
    complete(extended);
    BOOST_TEST(!extended.error());
    client others = make_client();
    BOOST_TEST(try_lock(others) == errc::held);
    BOOST_TEST(!unlock(held));
    BOOST_TEST(!try_lock(others));
}

BOOST_AUTO_TEST_CASE(a_database_that_is_away_is_no_quorum_and_says_why) {
    BOOST_REQUIRE(!try_lock(locks));
    database.crash();
    BOOST_TEST(run_until([&] { return locks.metrics().nodes.at(0).state == "unavailable"; }));
    BOOST_TEST(try_lock(locks) == errc::no_quorum);
    const auto node = locks.metrics().nodes.at(0);
    BOOST_TEST(node.last_error_text.starts_with(node.node));
    database.start();
    BOOST_TEST(run_until([&] { return !try_lock(locks); }));
}

BOOST_AUTO_TEST_CASE(who_waits_goes_on_waiting_when_the_database_comes_back) {
    client others = make_client();
    lease held = lock(locks);
    outcome<lease> next;
    others.async_lock("key", patiently(), next.handler());
    BOOST_REQUIRE(run_until([&] { return one_waits(locks, others); }));
    database.crash();
    database.start();
    BOOST_TEST(reconnects(locks));
    BOOST_TEST(!next.done());
    BOOST_TEST(!unlock(held));
    complete(next);
    BOOST_TEST(!next.error());
}

BOOST_AUTO_TEST_CASE(a_stopped_database_is_given_up_in_time_and_keeps_no_key_of_a_late_grant) {
    client distant = make_distant_client();
    BOOST_REQUIRE(run_until([&] { return !try_lock(distant); }));
    database.stop();
    const auto since = std::chrono::steady_clock::now();
    BOOST_TEST(try_lock(distant, "late") == errc::no_quorum);
    BOOST_TEST((std::chrono::steady_clock::now() - since < 5s));
    database.resume();
    BOOST_TEST(becomes_free());
}

// What was granted is lost on its way; the client asks whether it has it only to give it back.
BOOST_AUTO_TEST_CASE(a_lost_reply_leaves_nothing_behind) {
    client distant = make_distant_client();
    // Some ask twice for a key that has no row yet.
    BOOST_REQUIRE(run_until([&] { return !try_lock(distant, "unheard"); }));
    network.freeze(direction::to_client);
    BOOST_TEST(try_lock(distant, "unheard") == errc::no_quorum);
    BOOST_TEST(run_until([&] { return held_rows() == "1"; }));
    network.pass();
    BOOST_TEST(becomes_free());
}

BOOST_AUTO_TEST_CASE(a_lost_release_is_made_good) {
    client distant = make_distant_client();
    lease held = lock_briefly(distant, "key", patiently());
    network.freeze(direction::to_server);
    BOOST_TEST(unlock(held) == errc::no_quorum);
    BOOST_TEST(held_rows() == "1");
    network.pass();
    BOOST_TEST(becomes_free());
}

// As for a change of the table, or its rewriting.
BOOST_AUTO_TEST_CASE(a_release_that_finds_the_table_locked_is_made_good_when_it_no_longer_is) {
    client distant = make_distant_client();
    lease held = lock_briefly(distant, "key", patiently());
    const auto locker = database.lock_table("redlock", 4s);
    BOOST_REQUIRE(eventually([&] { return database.has_locked_table(); }));
    BOOST_TEST(unlock(held) == errc::no_quorum);
    BOOST_TEST(run_until([&] { return locker->wait(0ms).has_value(); }));
    BOOST_TEST(becomes_free());
}

BOOST_AUTO_TEST_CASE(a_lease_that_cannot_be_renewed_is_lost_before_its_row_ends) {
    client distant = make_distant_client();
    lease held = lock_briefly(distant, "key", patiently(1s));
    network.black_hole();
    outcome<> lost;
    held.async_wait_lost(lost.handler());
    complete(lost);
    BOOST_TEST(!lost.error());
    BOOST_TEST(held.stop_token().stop_requested());
    lease next = lock(locks);
    BOOST_TEST(!held.valid());
}

// Cancelled behind each handler that runs for it, cut off at each, it leaves no row held.
BOOST_AUTO_TEST_CASE(a_lock_that_is_interrupted_at_any_step_leaves_nothing_behind) {
    for (const int how : {0, 1, 2})
        for (int steps = 0; steps < 12; ++steps)
            BOOST_TEST_CONTEXT("way " << how << " after " << steps << " steps") {
                event_loop own;
                config c = settings(tested_server::uri_over(network.port()));
                c.node_timeout =
                    usual_timeout; // one that closes gives back what it has for four times as long
                auto distant = std::make_unique<client>(own.context.get_executor(), c);
                // One that waits for a connection first, and one that has it.
                if (steps % 2 == 0) {
                    outcome<key_report> looked;
                    distant->async_inspect("key", looked.handler());
                    BOOST_REQUIRE(own.run_until([&] { return looked.done(); }));
                }
                asio::cancellation_signal cancel;
                outcome<lease> wanted;
                distant->async_lock("key", patiently(),
                                    asio::bind_cancellation_slot(cancel.slot(), wanted.handler()));
                for (int i = 0; i < steps && !wanted.done(); ++i)
                    own.context.run_one_for(20ms);
                if (how == 0) cancel.emit(asio::cancellation_type::terminal);
                if (how == 1) network.reset_connections();
                if (how == 2) distant.reset();
                BOOST_TEST(own.run_until([&] { return wanted.done(); }));
                BOOST_TEST(wanted.completions() == 1);
                wanted.drop_values();
                BOOST_TEST(becomes_free(own));
                // What is on its way yet is taken back by the client, and nobody else.
                distant.reset();
                own.context.restart();
                own.context.run_for(patience);
                BOOST_TEST(own.context.stopped());
                BOOST_TEST(held_rows() == "0");
            }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
