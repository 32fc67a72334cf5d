// An owner who locks a key that he holds already.

#include "zookeeper_fixture.hpp"

namespace redlock::test {
namespace {

struct owner_fixture : zookeeper_fixture {
    lock_options mine(lock_options options = fenced()) const {
        options.owner = &me;
        return options;
    }
    lock_options of(const owner& somebody) const {
        return {.ttl = long_ttl, .wait = 0ms, .owner = &somebody};
    }

    client locks = make_client(), others = make_client();
    const owner me;
};

BOOST_AUTO_TEST_SUITE(owner_suite, *boost::unit_test::fixture<shared_server>())

BOOST_FIXTURE_TEST_CASE(an_owner_enters_again_without_a_word_to_the_servers, owner_fixture) {
    lease outer = lock(locks, "key", mine());
    const std::uint64_t before = locks.metrics().nodes.at(0).commands;
    lease inner = lock(locks, "key", mine());
    BOOST_TEST(locks.metrics().nodes.at(0).commands == before);
    BOOST_TEST((outer.valid() && inner.valid()));
    BOOST_TEST(try_lock(locks) == errc::held);
    BOOST_TEST(try_lock(others) == errc::held);
    const owner somebody_else;
    BOOST_TEST(try_lock(locks, "key", of(somebody_else)) == errc::held);
    BOOST_TEST(try_lock(others, "key", of(me)) == errc::held);
}

BOOST_FIXTURE_TEST_CASE(the_last_unlock_gives_it_back_in_any_order, owner_fixture) {
    for (const bool inner_first : {false, true}) {
        lease outer = lock(locks, "key", mine()), inner = lock(locks, "key", mine());
        const std::uint64_t token = outer.fencing_token().value();
        BOOST_TEST(inner.fencing_token().value() == token);
        lease& first = inner_first ? inner : outer;
        lease& last = inner_first ? outer : inner;
        BOOST_TEST(!unlock(first));
        BOOST_TEST((!first.valid() && last.valid()));
        BOOST_TEST(!check(others, token));
        BOOST_TEST(try_lock(others) == errc::held);
        BOOST_TEST(!unlock(last));
        BOOST_TEST(check(others, token) == errc::lease_lost);
        BOOST_TEST(!try_lock(others));
    }
}

BOOST_FIXTURE_TEST_CASE(who_waits_gets_it_behind_the_last, owner_fixture) {
    lease outer = lock(locks, "key", mine()), inner = lock(locks, "key", mine());
    outcome<lease> next;
    others.async_lock("key", patiently(), next.handler());
    BOOST_REQUIRE(run_until([&] { return inspect(locks).waiting.value_or(0) == 1; }));
    BOOST_TEST(!unlock(outer));
    BOOST_TEST(inspect(locks).waiting.value() == 1u);
    BOOST_TEST(!next.done());
    BOOST_TEST(!unlock(inner));
    complete(next);
    BOOST_TEST(!next.error());
}

BOOST_FIXTURE_TEST_CASE(after_a_loss_nobody_enters_again_until_all_are_unlocked, owner_fixture) {
    lease outer = lock(locks, "key", mine(fenced(900ms))), inner = lock(locks, "key", mine(fenced(900ms)));
    const std::uint64_t token = outer.fencing_token().value();
    outcome<> lost, lost_inside;
    outer.async_wait_lost(lost.handler());
    inner.async_wait_lost(lost_inside.handler());
    outcome<break_report> broken;
    others.async_break(inspect(others), broken.handler());
    complete(broken);
    BOOST_TEST(broken.value().removed == 1u);
    complete(lost);
    complete(lost_inside);
    BOOST_TEST(try_lock(locks, "key", mine()) == errc::lease_lost);
    BOOST_TEST(unlock(inner) == errc::lease_lost);
    BOOST_TEST(try_lock(locks, "key", mine()) == errc::lease_lost);
    BOOST_TEST(unlock(outer) == errc::lease_lost);
    lease anew = lock(locks, "key", mine());
    BOOST_TEST(anew.fencing_token().value() > token);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
