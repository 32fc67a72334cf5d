// Callers of other clients that have waited for longer, and what the engine knows of who holds a key.

#include "lessee_fixture.hpp"

namespace redlock::test {
namespace {

struct waited_longer_test_fixture : lessee_fixture {
    waited_longer_test_fixture() : lessee_fixture(1) {}
    core::instant not_before() const { return engine.contests.back()->wanted.not_before; }
};

BOOST_FIXTURE_TEST_SUITE(waited_longer, waited_longer_test_fixture)

BOOST_AUTO_TEST_CASE(a_key_goes_back_for_one_who_has_waited_longer_than_the_next) {
    lock_caller first(*this), second(*this), third(*this);
    BOOST_TEST(grant(10s));
    engine.longest = second.claim.get();
    first.unlock();
    BOOST_TEST(bool(second.held));
    BOOST_TEST(engine.released.empty());
    pass(1s);
    second.unlock();
    BOOST_TEST(!third.held);
    BOOST_TEST(engine.released.size() == 1u);
    BOOST_TEST(engine.contests.size() == 2u);
    BOOST_TEST(engine.contests.back()->wanted.claim == third.claim);
    BOOST_TEST(lessee->counts().handoffs == 1u);
    // It has its place behind them, and need not hold off as well.
    BOOST_TEST((not_before() <= clock));
}

BOOST_AUTO_TEST_CASE(who_is_claimed_again_wants_what_it_wanted) {
    const auto leads = engine.claim_key("", redlock::engine::key_name::of_leader("name"), true);
    const auto again = engine.claim_again(*leads, "", true);
    BOOST_TEST(again->leads());
    BOOST_TEST(again->full_key.view() == leads->full_key.view());
    BOOST_TEST(
        !engine.claim_again(*engine.claim_key("", {detail::key_text("key")}, true), "", true)->leads());
}

BOOST_AUTO_TEST_CASE(after_enough_in_a_row_the_next_holds_off_for_those_who_have_no_place) {
    lock_caller first(*this), second(*this), third(*this), fourth(*this);
    BOOST_TEST(grant(10s));
    first.unlock();
    pass(20ms);
    second.unlock();
    BOOST_TEST(!third.held);
    BOOST_TEST((not_before() == clock + 20ms));
    // What was to be left to others then is nothing to those who come behind.
    BOOST_TEST(grant(10s));
    engine.longest = third.claim.get();
    third.unlock();
    BOOST_TEST(!fourth.held);
    BOOST_TEST((not_before() <= clock));
}

BOOST_AUTO_TEST_CASE(who_is_cancelled_as_the_lease_comes_passes_it_on_in_the_same_order) {
    for (const bool others : {true, false}) {
        lessee_fixture at;
        lock_caller first(at), second(at), third(at);
        BOOST_TEST(at.grant(10s));
        if (others) at.engine.longest = second.claim.get();
        at.turn([&] {
            first.held->let_go();
            second.acquire->cancel();
        });
        BOOST_TEST((second.refused == errc{}));
        BOOST_TEST(!third.held == others);
        BOOST_TEST(at.engine.released.size() == std::size_t{others});
    }
}

BOOST_AUTO_TEST_CASE(without_a_caller_that_waits_nobody_is_asked) {
    lock_caller only(*this);
    BOOST_TEST(grant(10s));
    engine.longest = only.claim.get();
    only.unlock();
    BOOST_TEST(engine.released.size() == 1u);
}

BOOST_AUTO_TEST_CASE(the_engine_knows_which_claim_is_held) {
    lock_caller first(*this), second(*this);
    BOOST_TEST(engine.holder_of("key") == nullptr);
    BOOST_TEST(grant(10s));
    BOOST_TEST(engine.holder_of("key") == first.claim.get());
    BOOST_TEST(engine.holder_of("other") == nullptr);
    first.unlock(); // the keys stay as they are
    BOOST_TEST(engine.holder_of("key") == first.claim.get());
    turn([&] { second.held->lose(); });
    BOOST_TEST(engine.holder_of("key") == nullptr);
    const lock_caller third(*this);
    BOOST_TEST(engine.holder_of("key") == nullptr);
    BOOST_TEST(grant(10s));
    BOOST_TEST(engine.holder_of("key") == third.claim.get());
}

BOOST_AUTO_TEST_CASE(a_lease_that_is_lost_on_its_way_is_held_by_nobody) {
    lock_caller first(*this), second(*this, {.ttl = 20s});
    BOOST_TEST(grant(10s));
    first.unlock();
    BOOST_TEST(engine.holder_of("key") == first.claim.get());
    decide(engine::outcome::gone);
    BOOST_TEST(engine.holder_of("key") == nullptr);
    BOOST_TEST(engine.contests.back()->wanted.claim == second.claim);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
