// Locks of three Redis nodes and a database together.

#include "pair_fixture.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <vector>

namespace redlock::test {
namespace {

using clock = std::chrono::steady_clock;

struct double_lock_test_fixture : pair_fixture {
    client locks = make_client();
    client others = make_client();
};

BOOST_FIXTURE_TEST_SUITE(double_lock, double_lock_test_fixture)

BOOST_AUTO_TEST_CASE(a_lock_is_on_both_until_it_is_given_back) {
    lease held = lock(locks);
    BOOST_TEST(held.valid());
    BOOST_TEST(nodes.holders("key") == 3u);
    BOOST_TEST(held_rows() == "1");
    BOOST_TEST(try_lock(others) == errc::held);
    BOOST_TEST(!unlock(held));
    BOOST_TEST(becomes_free());
    BOOST_TEST(!try_lock(others));
}

BOOST_AUTO_TEST_CASE(the_fencing_token_is_that_of_the_backup) {
    lease held = lock(locks, "key", fenced());
    const std::uint64_t token = held.fencing_token().value();
    BOOST_TEST(database.query("SELECT fence FROM redlock WHERE key = 'key'").at(0) == std::to_string(token));
    BOOST_TEST(nodes.holders("key:redlock-fence") == 0u);
    BOOST_TEST(!check(others, token));
    BOOST_TEST(!unlock(held));
    BOOST_TEST(check(others, token) == errc::lease_lost);
    lease next = lock(others, "key", fenced());
    BOOST_TEST(next.fencing_token().value() > token);
}

BOOST_AUTO_TEST_CASE(who_is_handed_a_lease_gets_a_new_token) {
    lease held = lock(locks, "key", fenced());
    const std::uint64_t token = held.fencing_token().value();
    outcome<lease> next;
    locks.async_lock("key", fenced(), next.handler());
    BOOST_TEST(!unlock(held));
    complete(next);
    BOOST_TEST(!next.error());
    BOOST_TEST(locks.metrics().handoffs == 1u);
    BOOST_TEST(next.value().fencing_token().value() > token);
    BOOST_TEST(!check(others, next.value().fencing_token().value()));
}

BOOST_AUTO_TEST_CASE(what_the_backup_refuses_is_given_back_to_the_nodes) {
    client in_database(context.get_executor(), database_alone());
    lease held = lock(in_database);
    BOOST_TEST(try_lock(locks) == errc::held);
    BOOST_TEST(run_until([&] { return !is_on_some_node("key"); }));
    BOOST_TEST(!unlock(held));
    BOOST_TEST(!try_lock(locks));
}

BOOST_AUTO_TEST_CASE(what_the_nodes_refuse_is_not_asked_of_the_backup) {
    client on_nodes(context.get_executor(), nodes_alone());
    lease held = lock(on_nodes);
    BOOST_TEST(!try_lock(others, "another")); // which makes the table
    const auto before = database.query("SELECT count(*) FROM redlock WHERE key = 'key'");
    BOOST_TEST(try_lock(locks) == errc::held);
    BOOST_TEST(database.query("SELECT count(*) FROM redlock WHERE key = 'key'") == before);
}

BOOST_AUTO_TEST_CASE(the_nodes_are_not_held_for_long_by_one_who_waits_for_the_backup) {
    client in_database(context.get_executor(), database_alone());
    client on_nodes(context.get_executor(), nodes_alone());
    lease held = lock(in_database);
    outcome<lease> next;
    locks.async_lock("key", patiently(1s), next.handler());
    BOOST_TEST(run_until([&] { return is_on_some_node("key"); }));
    // Somebody else gets the key of the nodes meanwhile, who waits for his turn there.
    lease between = lock(on_nodes, "key");
    BOOST_TEST(!next.done());
    BOOST_TEST(!unlock(between));
    BOOST_TEST(!unlock(held));
    complete(next);
    BOOST_TEST(!next.error());
    BOOST_TEST(next.value().valid());
    BOOST_TEST(!unlock(next.value()));
    BOOST_TEST(becomes_free());
}

BOOST_AUTO_TEST_CASE(who_waits_is_not_late_by_more_than_his_wait) {
    client in_database(context.get_executor(), database_alone());
    lease held = lock(in_database);
    const auto since = clock::now();
    BOOST_TEST(try_lock(locks, "key", {.ttl = 400ms, .wait = 1s}) == errc::wait_timeout);
    BOOST_TEST((clock::now() - since >= 1s));
    BOOST_TEST((clock::now() - since < 5s));
    BOOST_TEST(run_until([&] { return !is_on_some_node("key"); }));
}

BOOST_AUTO_TEST_CASE(a_lease_that_is_lost_on_the_nodes_is_lost_and_given_back) {
    lease held = lock(locks, "key", patiently(1s));
    BOOST_TEST(!held.stop_token().stop_requested());
    lose_on_nodes();
    client on_nodes(context.get_executor(), nodes_alone());
    lease of_others = lock(on_nodes);
    BOOST_TEST(run_until([&] { return held.stop_token().stop_requested(); }));
    BOOST_TEST(!held.valid());
    BOOST_TEST(run_until([&] { return held_rows() == "0"; }));
    BOOST_TEST(unlock(held) == errc::lease_lost);
    BOOST_TEST(of_others.valid());
}

BOOST_AUTO_TEST_CASE(a_lease_that_is_lost_in_the_backup_is_lost_and_given_back) {
    lease held = lock(locks, "key", patiently(1s));
    lose_in_database();
    BOOST_TEST(run_until([&] { return held.stop_token().stop_requested(); }));
    BOOST_TEST(!held.valid());
    BOOST_TEST(run_until([&] { return !is_on_some_node("key"); }));
    BOOST_TEST(unlock(held) == errc::lease_lost);
}

BOOST_AUTO_TEST_CASE(a_lease_is_renewed_on_both) {
    lease held = lock(locks, "key", patiently(800ms));
    BOOST_TEST(run_until([&] { return locks.metrics().renewals >= 6; }));
    BOOST_TEST(held.valid());
    BOOST_TEST(nodes.holders("key") == 3u);
    BOOST_TEST(held_rows() == "1");
    BOOST_TEST(!unlock(held));
}

BOOST_AUTO_TEST_CASE(clients_hand_a_lock_to_each_other) {
    std::vector<client> crowd;
    for (int i = 0; i < 4; ++i)
        crowd.push_back(make_client());
    std::vector<outcome<lease>> got(20);
    std::vector<std::uint64_t> tokens;
    for (std::size_t i = 0; i < got.size(); ++i)
        crowd[i % crowd.size()].async_lock("key", fenced(), got[i].handler());
    std::vector<bool> served(got.size());
    while (tokens.size() < got.size()) {
        const auto next = [&] {
            for (std::size_t i = 0; i < got.size(); ++i)
                if (got[i].done() && !served[i]) return i;
            return got.size();
        };
        BOOST_REQUIRE(run_until([&] { return next() < got.size(); }));
        const std::size_t who = next();
        served[who] = true;
        BOOST_REQUIRE(!got[who].error());
        BOOST_TEST(next() == got.size());
        tokens.push_back(got[who].value().fencing_token().value());
        BOOST_TEST(!unlock(got[who].value()));
    }
    BOOST_TEST(std::ranges::is_sorted(tokens));
    BOOST_TEST(becomes_free());
}

BOOST_AUTO_TEST_CASE(permits_are_taken_from_both) {
    const auto one_of_two = [](std::chrono::milliseconds wait) {
        lock_options options{.ttl = long_ttl, .wait = wait};
        options.permits = 2;
        return options;
    };
    client third = make_client();
    lease one = lock(locks, "key", one_of_two(5s));
    lease another = lock(others, "key", one_of_two(5s));
    BOOST_TEST(held_rows() == "2");
    BOOST_TEST(try_lock(third, "key", one_of_two(0ms)) == errc::held);
    BOOST_TEST(!unlock(one));
    BOOST_TEST(!try_lock(third, "key", one_of_two(5s)));
}

BOOST_AUTO_TEST_CASE(a_kept_key_stays_on_both) {
    lock_options options{.ttl = 5s};
    options.keep = 1500ms;
    lease held = lock(locks, "key", options);
    BOOST_TEST(!unlock(held));
    BOOST_TEST(is_on_some_node("key"));
    BOOST_TEST(held_rows() == "1");
    BOOST_TEST(becomes_free());
}

BOOST_AUTO_TEST_CASE(what_is_not_of_exclusive_locks_is_unsupported) {
    lock_options reading = once();
    reading.mode = mode::read;
    BOOST_TEST(try_lock(locks, "key", reading) == errc::unsupported);
    reading.mode = mode::write;
    BOOST_TEST(try_lock(locks, "key", reading) == errc::unsupported);
    outcome<leadership> leads;
    locks.async_campaign("name", "value", once(), leads.handler());
    complete(leads);
    BOOST_TEST(leads.error() == errc::unsupported);
    BOOST_TEST(!is_on_some_node("key"));
}

BOOST_AUTO_TEST_CASE(closing_gives_back_to_both) {
    lease held = lock(locks);
    outcome<lease> waits;
    others.async_lock("key", patiently(), waits.handler());
    close(locks);
    BOOST_TEST(held.stop_token().stop_requested());
    complete(waits);
    BOOST_TEST(!waits.error());
    close(others);
    BOOST_TEST(becomes_free());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
