// Leaders that are lost, and campaigns that fail, on an engine in memory.

#include "election_fixture.hpp"

#include <redlock/observer.hpp>

#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

namespace redlock::test {
namespace {

BOOST_FIXTURE_TEST_SUITE(election_loss, election_fixture, *boost::unit_test::precondition(engine_in_hand))

// CURATOR-696, CURATOR-620: whoever has lost the lead is not told of beside the one who has it.
BOOST_AUTO_TEST_CASE(a_leader_that_was_lost_stops_and_is_never_told_of_again) {
    std::stop_source stop;
    lock_options options = patiently();
    options.stop = &stop;
    leadership leads = campaign(first, "one", options);
    const leader_info seen = observe();
    auto next = ask(second, "two");
    settle();
    lose();
    BOOST_TEST(stop.stop_requested());
    BOOST_TEST(!leads.valid());
    BOOST_TEST(proclaim(leads, "still me") == errc::lease_lost);
    BOOST_REQUIRE(complete(next));
    const leader_info after = observe(seen.mark);
    BOOST_TEST((after.mark == leader_mark{next.value().term(), 1}));
    BOOST_TEST(after.value == "two");
    BOOST_TEST(unlock(leads) == errc::lease_lost);
    BOOST_TEST(observe().value == "two");
}

// etcd #9921: who stops being able to renew is nobody's leader once its key has run out. CURATOR-202: then
// another is.
BOOST_AUTO_TEST_CASE(who_dies_is_told_of_no_longer_than_his_key_lives) {
    lock_options options = patiently();
    options.renew = false;
    leadership leads = campaign(first, "one", options);
    const leader_info seen = observe();
    auto told = begin_to_observe(seen.mark);
    pass(long_ttl - 5s);
    BOOST_TEST(!told.done());
    pass(10s);
    BOOST_TEST(!expect(told).present);
    BOOST_TEST(!leads.valid());
    leadership next = campaign(second, "two");
    BOOST_TEST(next.term() > leads.term());
}

BOOST_AUTO_TEST_CASE(renewals_keep_what_is_proclaimed) {
    leadership leads = campaign(first, "one");
    auto told = begin_to_observe(observe().mark);
    for (int i = 0; i < 6; ++i)
        pass(long_ttl / 3 + 30s);
    BOOST_TEST(leads.valid());
    BOOST_TEST(!told.done());
    BOOST_TEST(observe().value == "one");
}

// etcd #21128: a campaign that fails behind the grant leaves neither key nor value.
BOOST_AUTO_TEST_CASE(a_campaign_whose_value_is_not_taken_leaves_nothing) {
    struct fails_then : redlock::observer {
        void granted(std::string_view, std::chrono::nanoseconds) noexcept override { hand.fail_next(1); }
        explicit fails_then(testing::memory_handle& h) : hand(h) {}
        testing::memory_handle& hand;
    };
    config c = settings();
    c.observer = std::make_shared<fails_then>(*hand);
    client fails(context.get_executor(), c);
    BOOST_TEST(refusal(fails, "me", once()) == errc::no_quorum);
    settle();
    BOOST_TEST(!is_held());
    BOOST_TEST(!observe().present);
    BOOST_TEST(fails.metrics().held == 0u);
    // Who has time tries again.
    leadership leads = campaign(fails, "me");
    BOOST_TEST(observe().value == "me");
}

BOOST_AUTO_TEST_CASE(a_campaign_that_loses_its_key_before_its_value_stands_begins_anew) {
    struct loses_then : redlock::observer {
        void granted(std::string_view, std::chrono::nanoseconds) noexcept override {
            if (times-- > 0) hand.lose(key);
        }
        loses_then(testing::memory_handle& h, std::string k) : hand(h), key(std::move(k)) {}
        testing::memory_handle& hand;
        const std::string key;
        int times = 2;
    };
    config c = settings();
    const auto loses = std::make_shared<loses_then>(*hand, prefix + "key");
    c.observer = loses;
    client unlucky(context.get_executor(), c);
    leadership leads = campaign(unlucky, "me");
    BOOST_TEST(leads.valid());
    BOOST_TEST(loses->times < 0);
    BOOST_TEST((observe().mark == leader_mark{leads.term(), 1}));
    BOOST_TEST(!unlock(leads));
    loses->times = 1;
    BOOST_TEST(refusal(unlucky, "me", once()) == errc::no_quorum);
    settle();
    BOOST_TEST(!is_held());
}

BOOST_AUTO_TEST_CASE(who_begins_anew_waits_no_longer_than_it_said) {
    struct held_by_others_then : redlock::observer {
        void granted(std::string_view, std::chrono::nanoseconds) noexcept override { hand.hold(key, 24h); }
        held_by_others_then(testing::memory_handle& h, std::string k) : hand(h), key(std::move(k)) {}
        testing::memory_handle& hand;
        const std::string key;
    };
    config c = settings();
    c.observer = std::make_shared<held_by_others_then>(*hand, prefix + "key");
    client unlucky(context.get_executor(), c);
    leadership leads = campaign(first, "one");
    lock_options brief = patiently();
    brief.wait = 2min;
    auto waiting_for_it = ask(unlucky, "two", brief);
    settle();
    pass(90s);
    BOOST_TEST(!unlock(leads));
    settle();
    BOOST_TEST(unlucky.metrics().grants == 1u);
    BOOST_TEST(!waiting_for_it.done());
    pass(40s);
    BOOST_REQUIRE(waiting_for_it.done());
    BOOST_TEST(waiting_for_it.error() == errc::wait_timeout);
}

BOOST_AUTO_TEST_CASE(a_proclamation_that_fails_is_repeated_with_the_next_renewal) {
    leadership leads = campaign(first, "one");
    auto told = begin_to_observe(observe().mark);
    hand->fail_next(1);
    BOOST_TEST(proclaim(leads, "two") == errc::no_quorum);
    BOOST_TEST(leads.valid());
    BOOST_TEST(!told.done());
    pass(long_ttl / 3 + 30s);
    BOOST_TEST(expect(told).value == "two");
}

// etcd #22123: who could not be told of the resignation hears of it by the ttl, and nobody leads meanwhile.
BOOST_AUTO_TEST_CASE(a_resignation_that_fails_ends_by_the_ttl) {
    leadership leads = campaign(first, "one");
    hand->fail_next(1);
    BOOST_TEST(unlock(leads) == errc::no_quorum);
    BOOST_TEST(!leads.valid());
    auto told = begin_to_observe(observe().mark);
    auto next = ask(second, "two");
    settle();
    BOOST_TEST((!next.done() && !told.done()));
    pass(long_ttl + 1s);
    BOOST_REQUIRE(complete(next));
    const leader_info nobody = expect(told);
    BOOST_TEST(!nobody.present);
    BOOST_TEST(nobody.mark.term == leads.term());
    BOOST_TEST(next.value().term() > leads.term());
    const leader_info after = observe(nobody.mark);
    BOOST_TEST((after.mark == leader_mark{next.value().term(), 1}));
    BOOST_TEST(after.value == "two");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
