// An owner who locks a key that he holds already, on a real service.

#include "owner_service.hpp"

namespace redlock::test {
namespace {

struct owner_fixture : owner_service {
    lock_options mine(lock_options options = fenced()) const {
        options.owner = &me;
        return options;
    }
    std::uint64_t commands() const { return locks.metrics().nodes.at(0).commands; }
    bool is_held() { return inspect(others).holder.has_value(); }
    unsigned break_it() {
        outcome<break_report> broken;
        others.async_break(inspect(others), broken.handler());
        complete(broken);
        return broken.value().removed;
    }

    client locks = make_client(), others = make_client();
    const owner me;
};

BOOST_AUTO_TEST_SUITE(service_owner_suite, *boost::unit_test::fixture<owner_servers>())

BOOST_FIXTURE_TEST_CASE(an_owner_enters_again_without_a_word_to_the_servers, owner_fixture) {
    lease outer = lock(locks, "key", mine());
    const std::uint64_t before = commands();
    lease inner = lock(locks, "key", mine());
    BOOST_TEST(commands() == before);
    BOOST_TEST((outer.valid() && inner.valid()));
    BOOST_TEST(places() == 1u);
    BOOST_TEST(try_lock(locks) == errc::held);
    BOOST_TEST(try_lock(others) == errc::held);
    const owner somebody_else;
    BOOST_TEST(try_lock(locks, "key", {.ttl = long_ttl, .wait = 0ms, .owner = &somebody_else}) == errc::held);
    BOOST_TEST(try_lock(others, "key", mine({.ttl = long_ttl, .wait = 0ms})) == errc::held);
}

BOOST_FIXTURE_TEST_CASE(the_last_unlock_gives_it_back_in_any_order, owner_fixture) {
    for (const bool inner_first : {false, true}) {
        lease outer = lock(locks, "key", mine()), inner = lock(locks, "key", mine());
        lease& first = inner_first ? inner : outer;
        lease& last = inner_first ? outer : inner;
        BOOST_TEST(!unlock(first));
        BOOST_TEST((!first.valid() && last.valid()));
        BOOST_TEST(places() == 1u);
        BOOST_TEST(is_held());
        BOOST_TEST(try_lock(others) == errc::held);
        BOOST_TEST(!unlock(last));
        BOOST_TEST(places() == 0u);
        BOOST_TEST(!is_held());
        BOOST_TEST(!try_lock(others));
    }
}

BOOST_FIXTURE_TEST_CASE(who_waits_gets_it_behind_the_last, owner_fixture) {
    lease outer = lock(locks, "key", mine()), inner = lock(locks, "key", mine());
    outcome<lease> next;
    others.async_lock("key", patiently(), next.handler());
    BOOST_REQUIRE(run_until([&] { return inspect(locks).waiting.value_or(0) == 1; }));
    BOOST_TEST(!unlock(outer));
    BOOST_TEST(is_held());
    BOOST_TEST(inspect(locks).waiting.value_or(0) == 1u);
    BOOST_TEST(!next.done());
    BOOST_TEST(!unlock(inner));
    complete(next);
    BOOST_TEST(!next.error());
}

BOOST_FIXTURE_TEST_CASE(both_have_one_fencing_token_which_is_current_until_the_last, owner_fixture) {
    lease outer = lock(locks, "key", mine()), inner = lock(locks, "key", mine());
    const std::uint64_t token = outer.fencing_token().value();
    BOOST_TEST(inner.fencing_token().value() == token);
    BOOST_TEST(!unlock(outer));
    BOOST_TEST(!check(others, token));
    BOOST_TEST(!unlock(inner));
    BOOST_TEST(check(others, token) == errc::lease_lost);
    lease anew = lock(locks, "key", mine());
    BOOST_TEST(anew.fencing_token().value() > token);
}

BOOST_FIXTURE_TEST_CASE(both_are_renewed_and_a_longer_ttl_extends_the_life_of_the_key, owner_fixture) {
    lease outer = lock(locks, "key", mine(fenced(1s))), inner = lock(locks, "key", mine(fenced(1s)));
    BOOST_REQUIRE(run_until([&] { return locks.metrics().renewals >= 4; }));
    BOOST_TEST((outer.valid() && inner.valid()));
    BOOST_TEST(!key_lives_for(long_ttl / 2));
    lease innermost = lock(locks, "key", mine());
    BOOST_TEST(run_until([&] { return outer.remaining() > long_ttl / 2; }));
    BOOST_TEST(inner.remaining() > long_ttl / 2);
    BOOST_TEST(key_lives_for(long_ttl / 2));
}

BOOST_FIXTURE_TEST_CASE(after_a_loss_nobody_enters_again_until_all_are_unlocked, owner_fixture) {
    lease outer = lock(locks, "key", mine(fenced(900ms))), inner = lock(locks, "key", mine(fenced(900ms)));
    const std::uint64_t token = outer.fencing_token().value();
    outcome<> lost, lost_inside;
    outer.async_wait_lost(lost.handler());
    inner.async_wait_lost(lost_inside.handler());
    BOOST_TEST(break_it() == 1u);
    complete(lost);
    complete(lost_inside);
    BOOST_TEST((!lost.error() && !lost_inside.error()));
    BOOST_TEST(try_lock(locks, "key", mine()) == errc::lease_lost);
    BOOST_TEST(places() == 0u);
    BOOST_TEST(unlock(inner) == errc::lease_lost);
    BOOST_TEST(try_lock(locks, "key", mine()) == errc::lease_lost);
    BOOST_TEST(unlock(outer) == errc::lease_lost);
    lease anew = lock(locks, "key", mine());
    BOOST_TEST(anew.fencing_token().value() > token);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
