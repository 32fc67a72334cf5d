// What whoever unlocks a lease that leaves its key behind is told, and how long the engine is asked for that.

#include "lease/lease_waiter.hpp"
#include "lessee_fixture.hpp"

#include <optional>

namespace redlock::test {
namespace {

struct kept_unlock final : lock::lease_waiter {
    void answered(const boost::system::error_code& how) noexcept override {
        BOOST_TEST(!outcome.has_value());
        outcome = how;
    }
    std::optional<boost::system::error_code> outcome;
};

struct kept_unlock_fixture : lessee_fixture {
    /// Of a lease that keeps its key for an hour.
    boost::system::error_code outcome_of(engine::outcome how) {
        lock_caller caller(*this, {.ttl = 10s, .keep = 1h});
        BOOST_TEST(grant(10s));
        pass(1s);
        kept_unlock by;
        turn([&] { caller.held->unlock(by); });
        BOOST_TEST(!by.outcome.has_value());
        BOOST_REQUIRE(engine.renewals.size() == 1u);
        BOOST_TEST((engine.renewals.back()->life == 1h - 1s));
        decide(how);
        caller.held.reset();
        BOOST_REQUIRE(by.outcome.has_value());
        return *by.outcome;
    }
    std::size_t asked() const { return engine.renewals.size(); }
};

BOOST_FIXTURE_TEST_SUITE(unlock_of_kept_keys, kept_unlock_fixture)

BOOST_AUTO_TEST_CASE(one_that_stays_was_unlocked) {
    BOOST_TEST(!outcome_of(engine::outcome::confirmed));
    pass(9s);
    BOOST_TEST(asked() == 1u);
    BOOST_TEST(engine.released.empty());
}

BOOST_AUTO_TEST_CASE(one_that_is_renewed_meanwhile_stays_also_when_the_client_closes) {
    lock_caller caller(*this, {.ttl = 10s, .keep = 1h});
    BOOST_TEST(grant(10s));
    pass(5s);
    BOOST_REQUIRE(asked() == 1u);
    kept_unlock by;
    turn([&] { caller.held->unlock(by); });
    turn([&] { lessee->begin_closing(); });
    BOOST_TEST(engine.is_closing);
    BOOST_TEST(asked() == 1u);
    decide(engine::outcome::confirmed);
    BOOST_REQUIRE(asked() == 2u);
    BOOST_TEST((engine.renewals.back()->life == 1h - 5s));
    BOOST_TEST(!by.outcome.has_value());
    decide(engine::outcome::confirmed);
    BOOST_REQUIRE(by.outcome.has_value());
    BOOST_TEST(!*by.outcome);
    BOOST_TEST(engine.released.empty());
    caller.held.reset();
}

BOOST_AUTO_TEST_CASE(one_that_was_gone_had_been_lost) {
    BOOST_TEST(outcome_of(engine::outcome::gone) == errc::lease_lost);
    pass(9s);
    BOOST_TEST(asked() == 1u);
}

// Nodes that did not answer are asked again for as long as the lease would have been valid.
BOOST_AUTO_TEST_CASE(of_one_that_nobody_knows_of_the_reason_is_told_and_it_is_tried_again) {
    BOOST_TEST(outcome_of(engine::outcome::inconclusive) == errc::node_timeout);
    pass(1s - 1ns);
    BOOST_TEST(asked() == 1u);
    pass(1ns);
    BOOST_REQUIRE(asked() == 2u);
    BOOST_TEST((engine.renewals.back()->life == 1h - 2s));
    decide(engine::outcome::inconclusive);
    for (int i = 0; i < 20 && asked() < 100; ++i) {
        const std::size_t before = asked();
        pass(1s);
        if (asked() > before) decide(engine::outcome::inconclusive);
    }
    BOOST_TEST(asked() == 9u); // every second until the validity ends, a little before the tenth
    BOOST_TEST(engine.released.empty());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
