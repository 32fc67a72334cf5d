// Locks that are advisory locks of a session of a real database.

#include "postgres_fixture.hpp"
#include "support/child_process.hpp"
#include "support/environment.hpp"
#include "support/eventually.hpp"
#include "support/fault_proxy.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <string>
#include <vector>

namespace redlock::test {
namespace {

namespace asio = boost::asio;

struct session_fixture : postgres_fixture {
    static std::string as_session(const std::string& uri) { return uri + "?redlock=session"; }
    client make_session_client(const std::string& label = {}) {
        return make_session_client(label, database.uri());
    }
    client make_session_client(const std::string& label, const std::string& uri) {
        config c = settings(as_session(uri));
        c.holder_label = label;
        return client(context.get_executor(), c);
    }
    /// Keys that are locked, as another session sees it.
    std::string locked() const {
        return database
            .query("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1 AND granted")
            .at(0);
    }
    bool becomes_unlocked() {
        return run_until([&] { return locked() == "0"; });
    }
    void end_sessions() const {
        database.query("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND "
                       "objsubid = 1 AND granted");
    }

    client locks = make_session_client("web-1"), others = make_session_client();
};

BOOST_FIXTURE_TEST_SUITE(session_suite, session_fixture)

BOOST_AUTO_TEST_CASE(one_has_it_and_the_next_gets_it_at_the_release) {
    lease held = lock(locks);
    BOOST_TEST(locked() == "1");
    BOOST_TEST(try_lock(others) == errc::held);
    BOOST_TEST(!try_lock(others, "another"));
    outcome<lease> next;
    others.async_lock("key", patiently(), next.handler());
    BOOST_REQUIRE(run_until([&] { return inspect(locks).waiting.value_or(0) == 1; }));
    BOOST_TEST(!unlock(held));
    complete(next);
    BOOST_TEST(!next.error());
    BOOST_TEST(locked() == "1");
    BOOST_TEST(locks.metrics().engine == "postgresql-session");
    next.value() = lease();
    BOOST_TEST(becomes_unlocked());
    // No table is made.
    BOOST_TEST(database.query("SELECT to_regclass('redlock') IS NULL").at(0) == "t");
}

BOOST_AUTO_TEST_CASE(whoever_computes_the_same_number_shares_the_lock) {
    BOOST_REQUIRE(!try_lock(locks));
    process user({"/bin/sh", "-c",
                  "exec psql -X -d '" + database.conninfo() +
                      "' -c \"SELECT pg_advisory_lock(('x' || left(encode(sha256('key'), 'hex'), "
                      "16))::bit(64)::bigint)\" -c 'SELECT pg_sleep(600)'"},
                 {});
    BOOST_REQUIRE(run_until([&] { return locked() == "1"; }));
    BOOST_TEST(try_lock(locks) == errc::held);
    end_sessions();
    BOOST_TEST(!try_lock(locks, "key", patiently()));
}

BOOST_AUTO_TEST_CASE(inspect_says_which_session_has_it) {
    lease held = lock(locks);
    const key_report report = inspect(others);
    BOOST_TEST(report.holder.value_or("").starts_with("process "));
    BOOST_TEST(report.holder_label == "web-1 at 127.0.0.1");
    BOOST_TEST(!report.nodes.at(0).remaining.has_value());
    BOOST_TEST(!unlock(held));
    BOOST_TEST(!inspect(others).holder.has_value());
    BOOST_TEST(inspect(others).holder_label.empty());
}

BOOST_AUTO_TEST_CASE(leases_are_renewed_and_tokens_rise) {
    lease held = lock(locks, "key", fenced(1s));
    const std::uint64_t token = held.fencing_token().value();
    BOOST_REQUIRE(run_until([&] { return locks.metrics().renewals >= 2; }));
    BOOST_TEST(held.valid());
    outcome<lease> handed_on;
    locks.async_lock("key", fenced(1s), handed_on.handler());
    BOOST_TEST(!unlock(held));
    complete(handed_on);
    BOOST_TEST(handed_on.value().fencing_token().value() > token);
    BOOST_TEST(!unlock(handed_on.value()));
    lease last = lock(others, "key", fenced());
    BOOST_TEST(last.fencing_token().value() > token + 1);
}

BOOST_AUTO_TEST_CASE(a_session_that_ends_loses_all_its_leases_at_once) {
    std::vector<lease> held;
    for (const char* key : {"a", "b", "c"})
        held.push_back(lock(locks, key));
    lease theirs = lock(others, "d");
    std::vector<outcome<>> lost(held.size());
    for (std::size_t i = 0; i < held.size(); ++i)
        held[i].async_wait_lost(lost[i].handler());
    database.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'web-1'");
    for (outcome<>& each : lost)
        complete(each);
    for (const lease& each : held)
        BOOST_TEST(!each.valid());
    BOOST_TEST(theirs.valid());
    BOOST_TEST(reconnects(locks));
    BOOST_TEST(locked() == "1");
    // What the old session had is not given back by the new one.
    lease anew = lock(locks, "a");
    BOOST_TEST(unlock(held[0]) == errc::lease_lost);
    BOOST_TEST(try_lock(others, "a") == errc::held);
    BOOST_TEST(anew.valid());
}

BOOST_AUTO_TEST_CASE(who_waits_gets_it_when_the_holder_ends_without_a_word) {
    outcome<lease> next;
    {
        lease held = lock(locks);
        others.async_lock("key", patiently(), next.handler());
        BOOST_REQUIRE(run_until([&] { return inspect(locks).waiting.value_or(0) == 1; }));
        database.query(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'web-1'");
        complete(next);
    }
    BOOST_TEST(!next.error());
}

BOOST_AUTO_TEST_CASE(a_crash_of_the_server_ends_every_lease) {
    lease held = lock(locks);
    outcome<> lost;
    held.async_wait_lost(lost.handler());
    database.crash();
    complete(lost);
    BOOST_TEST(!held.valid());
    database.start();
    BOOST_TEST(run_until([&] { return !try_lock(others); }));
}

BOOST_AUTO_TEST_CASE(a_lease_that_a_stopped_server_lost_stays_locked_until_it_is_unlocked) {
    lease held = lock(locks, "key", patiently(3s));
    outcome<> lost;
    held.async_wait_lost(lost.handler());
    database.stop();
    complete(lost);
    database.resume();
    unlock(held);
    BOOST_TEST(becomes_unlocked());
    BOOST_TEST(run_until([&] { return !try_lock(others); }));
}

BOOST_AUTO_TEST_CASE(who_is_cut_off_loses_them_and_takes_them_anew) {
    fault_proxy network{database.port()};
    client distant = make_session_client("far", postgres_server::uri_over(network.port()));
    lease held = lock_briefly(distant, "key", patiently());
    outcome<> lost;
    held.async_wait_lost(lost.handler());
    network.reset_connections();
    complete(lost);
    // The server may still work for the session before: it is ended first.
    BOOST_TEST(reconnects(distant));
    lease anew = lock_briefly(distant, "key", patiently());
    BOOST_TEST(locked() == "1");
    BOOST_TEST(!unlock(anew));
    BOOST_TEST(becomes_unlocked());
}

BOOST_AUTO_TEST_CASE(what_it_cannot_do_is_unsupported_at_the_call) {
    lock_options wanted = once();
    wanted.keep = 1s;
    BOOST_TEST(try_lock(locks, "key", wanted) == errc::unsupported);
    wanted = once();
    wanted.lock_delay = 1s;
    BOOST_TEST(try_lock(locks, "key", wanted) == errc::unsupported);
    for (const mode m : {mode::read, mode::write}) {
        wanted = once();
        wanted.mode = m;
        BOOST_TEST(try_lock(locks, "key", wanted) == errc::unsupported);
    }
    lease held = lock(locks, "key", fenced());
    BOOST_TEST(check(others, *held.fencing_token()) == errc::unsupported);
    outcome<break_report> broken;
    others.async_break(inspect(others), broken.handler());
    complete(broken);
    BOOST_TEST(broken.error() == errc::unsupported);
    outcome<key_list> listed;
    others.async_list("", listed.handler());
    complete(listed);
    BOOST_TEST(listed.error() == errc::unsupported);
    BOOST_TEST(held.valid());
}

BOOST_AUTO_TEST_CASE(many_keys_of_a_turn_leave_together) {
    constexpr int count = 600;
    std::vector<outcome<lease>> all(count);
    for (int i = 0; i < count; ++i)
        locks.async_lock("key" + std::to_string(i), once(), all[static_cast<std::size_t>(i)].handler());
    for (auto& each : all) {
        complete(each);
        BOOST_TEST(!each.error());
    }
    BOOST_TEST(locked() == std::to_string(count));
    BOOST_TEST(locks.metrics().nodes.at(0).commands < 60u);
    all.clear();
    BOOST_TEST(becomes_unlocked());
}

// Whatever is under way when the caller gives up: nothing stays locked, and the key is to be had.
BOOST_AUTO_TEST_CASE(cancelled_at_every_step_nothing_stays_locked) {
    BOOST_REQUIRE(!try_lock(locks));
    for (const bool is_held : {false, true})
        for (std::size_t steps = 0; steps < 24; ++steps) {
            lease theirs = is_held ? lock(others) : lease();
            asio::cancellation_signal stop;
            outcome<lease> result;
            locks.async_lock("key", patiently(), asio::bind_cancellation_slot(stop.slot(), result.handler()));
            for (std::size_t i = 0; i < steps && !result.done(); ++i)
                context.run_one_for(2ms);
            stop.emit(asio::cancellation_type::all);
            complete(result);
            if (!result.error()) unlock(result.value());
            if (is_held) unlock(theirs);
            BOOST_TEST_CONTEXT("held " << is_held << ", step " << steps) BOOST_TEST(becomes_unlocked());
        }
    BOOST_TEST(!try_lock(others));
}

BOOST_AUTO_TEST_CASE(closing_gives_back_what_is_held) {
    lease held = lock(locks);
    close(locks);
    BOOST_TEST(becomes_unlocked());
    BOOST_TEST(!try_lock(others));
}

BOOST_AUTO_TEST_CASE(what_holds_on_the_engine_in_memory_holds_on_sessions) {
    const environment engine("REDLOCK_LEASE_TEST_ENGINE", as_session(database.uri()));
    child_process suites({REDLOCK_LEASE_TEST});
    std::string all;
    while (const auto line = suites.read_line(10 * patience))
        all += *line + "\n";
    BOOST_TEST(suites.wait(patience).value_or(-1) == 0, all);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(session_limits_suite)

// Locks that the server has taken before it ran out of room are not known one by one: the session ends.
BOOST_AUTO_TEST_CASE(a_server_without_room_for_locks_ends_the_session_and_not_the_client) {
    session_fixture all;
    std::vector<outcome<lease>> wanted(30'000);
    for (std::size_t i = 0; i < wanted.size(); ++i)
        all.locks.async_lock("key" + std::to_string(i), once(), wanted[i].handler());
    std::size_t failed = 0;
    for (auto& each : wanted) {
        all.complete(each);
        failed += each.error().failed();
    }
    BOOST_TEST(failed > 0u);
    wanted.clear();
    BOOST_TEST(all.becomes_unlocked());
    BOOST_TEST(all.run_until([&] { return !all.try_lock(all.locks); }));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
