// Locks in a real database.

#include "database_under_test.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace redlock::test {
namespace {

namespace asio = boost::asio;

struct engine_test_fixture : tested_fixture {
    client locks = make_client(), others = make_client();
};

BOOST_FIXTURE_TEST_SUITE(engine_suite, engine_test_fixture)

BOOST_AUTO_TEST_CASE(a_lock_is_a_row_that_others_cannot_take_until_it_is_given_back) {
    lease held = lock(locks);
    BOOST_TEST(held.valid());
    BOOST_TEST(try_lock(others) == errc::held);
    BOOST_TEST(held_rows() == "1");
    BOOST_TEST(!unlock(held));
    BOOST_TEST(held_rows() == "0");
    BOOST_TEST(!try_lock(others));
}

BOOST_AUTO_TEST_CASE(the_validity_counts_from_the_sending_and_is_shorter_than_the_row_lives) {
    lease held = lock(locks, "key", patiently(10s));
    const auto row = std::stoll(database
                                    .query(fmt::format("SELECT {} FROM redlock WHERE {} = 'key'",
                                                       tested_server::left, tested_server::key_column))
                                    .at(0));
    BOOST_TEST(held.remaining() < 10s);
    BOOST_TEST((held.remaining() < std::chrono::milliseconds(row)));
}

BOOST_AUTO_TEST_CASE(who_waits_is_told_of_the_release_and_does_not_wait_for_the_end_of_the_row) {
    lease held = lock(locks);
    outcome<lease> next;
    others.async_lock("key", patiently(), next.handler());
    BOOST_REQUIRE(run_until([&] { return one_waits(locks, others); }));
    BOOST_TEST(!unlock(held));
    complete(next);
    BOOST_TEST(!next.error());
    BOOST_TEST(next.value().valid());
    BOOST_TEST(others.metrics().remote_handoffs == 1u);
}

BOOST_AUTO_TEST_CASE(a_row_of_a_dead_holder_is_taken_when_it_ends_and_not_before) {
    {
        event_loop doomed;
        client dies(doomed.context.get_executor(), settings());
        outcome<lease> granted;
        dies.async_lock("key", patiently(700ms), granted.handler());
        BOOST_REQUIRE(doomed.run_until([&] { return granted.done(); }));
        BOOST_REQUIRE(!granted.error());
        // Its loop goes, and with it whoever could renew or give back.
    }
    const auto since = std::chrono::steady_clock::now();
    BOOST_TEST(try_lock(others) == errc::held);
    lease held = lock(others);
    BOOST_TEST(held.valid());
    BOOST_TEST((std::chrono::steady_clock::now() - since < 5s));
}

BOOST_AUTO_TEST_CASE(a_wait_that_is_over_ends_with_its_own_code) {
    lease held = lock(locks);
    BOOST_TEST(try_lock(others, "key", {.ttl = long_ttl, .wait = 100ms}) == errc::wait_timeout);
}

BOOST_AUTO_TEST_CASE(a_lease_is_renewed_for_longer_than_its_row_would_live) {
    lease held = lock_briefly(locks, "key", patiently(brief_ttl));
    BOOST_TEST(run_until([&] { return locks.metrics().renewals >= 4; }));
    BOOST_TEST(held.valid());
    BOOST_TEST(try_lock(others) == errc::held);
}

BOOST_AUTO_TEST_CASE(a_lock_delay_keeps_others_out_behind_an_unclean_end) {
    lease held = lock(locks, "key", {.ttl = 300ms, .renew = false, .lock_delay = 600s});
    outcome<> lost;
    held.async_wait_lost(lost.handler());
    complete(lost);
    BOOST_TEST(run_until([&] { return !held.valid(); }));
    BOOST_TEST(try_lock(others) == errc::held);
}

BOOST_AUTO_TEST_CASE(fencing_tokens_rise_from_grant_to_grant_and_key_to_key) {
    std::map<std::string, std::uint64_t> highest;
    for (int i = 0; i < 10; ++i) {
        const std::string key = i % 3 == 0 ? "key" : "other";
        lease held = lock(i % 2 == 0 ? locks : others, key, fenced());
        std::uint64_t& last = highest[tested_server::has_one_counter ? "" : key];
        BOOST_TEST(held.fencing_token().value() > last);
        last = *held.fencing_token();
        BOOST_TEST(!check(others, last, key));
        BOOST_TEST(!unlock(held));
        BOOST_TEST(check(others, last, key) == errc::lease_lost);
    }
}

BOOST_AUTO_TEST_CASE(a_lease_that_is_handed_on_here_gets_a_token_of_its_own) {
    lease first = lock(locks, "key", fenced());
    const std::uint64_t token = *first.fencing_token();
    outcome<lease> next;
    locks.async_lock("key", fenced(), next.handler());
    BOOST_TEST(!unlock(first));
    complete(next);
    BOOST_TEST(!next.error());
    BOOST_TEST(*next.value().fencing_token() > token);
    BOOST_TEST(check(others, token) == errc::lease_lost);
    BOOST_TEST(!check(others, *next.value().fencing_token()));
}

BOOST_AUTO_TEST_CASE(keys_may_have_any_bytes_up_to_the_limit) {
    for (const std::string& key : {std::string("a'b\"c\\d"), std::string("\xff\xfe\x00z", 4),
                                   std::string(2048, 'k'), std::string(4096, 'k')}) {
        lease held = lock(locks, key, fenced());
        BOOST_TEST(try_lock(others, key) == errc::held);
        BOOST_TEST(!check(others, *held.fencing_token(), key));
        BOOST_TEST(inspect(others, key).holder.has_value());
        BOOST_TEST(!unlock(held));
    }
    BOOST_TEST(try_lock(locks, std::string(4097, 'k')) == errc::invalid_key);
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
    BOOST_TEST(held_rows() == std::to_string(count));
    const auto commands = locks.metrics().nodes.at(0).commands;
    BOOST_TEST(commands < 60u);
    all.clear();
    BOOST_TEST(becomes_free());
}

BOOST_AUTO_TEST_CASE(inspect_and_break_see_and_end_the_lease_of_another) {
    lease held = lock(locks, "key", fenced());
    const key_report shown = inspect(others);
    BOOST_TEST(shown.holder.has_value());
    BOOST_TEST((shown.nodes.at(0).fence == held.fencing_token()));
    BOOST_TEST(shown.nodes.at(0).product == tested_product);
    outcome<break_report> broken;
    others.async_break(shown, broken.handler());
    complete(broken);
    BOOST_TEST(!broken.error());
    BOOST_TEST(broken.value().removed == 1u);
    BOOST_TEST(!try_lock(others));
    outcome<break_report> again;
    others.async_break(shown, again.handler());
    complete(again);
    BOOST_TEST((again.value().nodes.at(0).outcome == removal::changed));
}

BOOST_AUTO_TEST_CASE(several_keys_and_permits_are_made_of_leases) {
    outcome<lease_set> both;
    locks.async_lock_all({"a", "b"}, once(), both.handler());
    complete(both);
    BOOST_TEST(!both.error());
    BOOST_TEST(try_lock(others, "a") == errc::held);
    both.drop_values();
    BOOST_TEST(becomes_free());

    lease one = lock(locks, "pool", {.ttl = long_ttl, .permits = 2});
    lease two = lock(others, "pool", {.ttl = long_ttl, .permits = 2});
    BOOST_TEST(one.slot() != two.slot());
    BOOST_TEST(try_lock(others, "pool", {.ttl = long_ttl, .wait = 0ms, .permits = 2}) == errc::held);
}

BOOST_AUTO_TEST_CASE(what_a_database_has_not_is_refused_at_the_call) {
    for (const mode m : {mode::read, mode::write}) {
        BOOST_TEST(try_lock(locks, "book", {.ttl = long_ttl, .mode = m}) == errc::unsupported);
        const owner me;
        const error_code entered = try_lock(locks, "book", {.ttl = long_ttl, .mode = m, .owner = &me});
        BOOST_TEST(entered == (m == mode::write ? errc::unsupported : errc::invalid_option));
    }
    outcome<lease_set> both;
    locks.async_lock_all({"a", "b"}, {.ttl = long_ttl, .mode = mode::write}, both.handler());
    complete(both);
    BOOST_TEST(both.error() == errc::unsupported);
    outcome<leadership> leads;
    locks.async_campaign("book", "me", once(), leads.handler());
    complete(leads);
    BOOST_TEST(leads.error() == errc::unsupported);
    outcome<leader_info> seen;
    locks.async_observe("book", {}, seen.handler());
    complete(seen);
    BOOST_TEST(seen.error() == errc::unsupported);
    lease held = lock(locks, "book", once());
    outcome<> downgraded;
    held.async_downgrade(downgraded.handler());
    complete(downgraded);
    BOOST_TEST(downgraded.error() == errc::invalid_option); // there is none that could be
    BOOST_TEST(locks.metrics().waiting == 0u);
}

BOOST_AUTO_TEST_CASE(a_cancelled_wait_leaves_nothing_behind) {
    lease held = lock(locks);
    asio::cancellation_signal cancel;
    outcome<lease> waits;
    others.async_lock("key", patiently(), asio::bind_cancellation_slot(cancel.slot(), waits.handler()));
    BOOST_REQUIRE(run_until([&] { return one_waits(locks, others); }));
    cancel.emit(asio::cancellation_type::terminal);
    complete(waits);
    BOOST_TEST(waits.error() == asio::error::operation_aborted);
    BOOST_TEST(!unlock(held));
    BOOST_TEST(becomes_free()); // a try that was under way is given back
    // Nobody pays for a waiter that is gone.
    BOOST_TEST(run_until([&] {
        return others.metrics().waiting == 0 &&
               (!tested_server::counts_waiters || inspect(locks).waiting.value_or(1) == 0);
    }));
}

BOOST_AUTO_TEST_CASE(rows_that_nobody_has_had_for_long_go_and_held_ones_stay) {
    lease held = lock(locks);
    database.add_spent_rows(1500);
    BOOST_TEST(run_until(4 * patience, [&] {
        return database
                   .query(
                       fmt::format("SELECT count(*) FROM redlock WHERE {} <> ''", tested_server::key_column))
                   .at(0) == "1";
    }));
    BOOST_TEST(held.valid());
    BOOST_TEST(!unlock(held));
}

BOOST_AUTO_TEST_CASE(closing_gives_everything_back) {
    lease a = lock(locks, "a"), b = lock(locks, "b");
    close(locks);
    BOOST_TEST(held_rows() == "0");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
