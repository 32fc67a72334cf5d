#include "lease_fixture.hpp"

#include <redlock/observer.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <deque>
#include <functional>

namespace redlock::test {
namespace {

namespace asio = boost::asio;

/// Does something between the hand-over of a lease and the next caller's turn.
struct between final : observer {
    void handed_over(std::string_view, std::chrono::nanoseconds) noexcept override {
        if (act) act();
    }
    std::function<void()> act;
};

struct handoff_test_fixture : lease_fixture {
    handoff_test_fixture()
        : meanwhile(std::make_shared<between>()), locks(context.get_executor(), watched()) {}

    config watched() const {
        config c = settings();
        c.observer = meanwhile;
        return c;
    }

    // A caller of the same client, or of another one, in the queue.
    outcome<lease> queue(client& by, const lock_options& options = patiently()) {
        outcome<lease> result;
        by.async_lock("key", options, result.handler());
        settle();
        BOOST_TEST(!result.done());
        return result;
    }
    std::string holder() { return inspect(asks).holder.value_or("nobody"); }

    const std::shared_ptr<between> meanwhile;
    client locks;
    client asks = make_client();
};

lock_options fenced() {
    lock_options options = patiently();
    options.fencing = true;
    return options;
}

lock_options for_ttl(std::chrono::milliseconds ttl) {
    lock_options options = patiently();
    options.ttl = ttl;
    return options;
}

BOOST_FIXTURE_TEST_SUITE(handoff_suite, handoff_test_fixture, *boost::unit_test::precondition(engine_in_hand))

// A tenth of 600 s, less the 6 s that its validity is short of that for drift.
BOOST_AUTO_TEST_CASE(a_lease_that_is_not_renewed_is_handed_on_as_it_is_for_a_tenth_of_its_ttl) {
    lock_options options = patiently();
    options.renew = false;
    for (const auto& [age, as_it_is] : {std::pair(50s, true), std::pair(57s, false)}) {
        lease held = lock(locks, "key", options);
        outcome<lease> next = queue(locks, options);
        pass(age);
        hand->fail_next(1000, errc::node_timeout);
        BOOST_TEST(!unlock(held));
        BOOST_REQUIRE(complete(next));
        BOOST_TEST(!next.error() == as_it_is);
        hand->fail_next(0);
        if (as_it_is) BOOST_TEST(!unlock(next.value()));
    }
}

// The keys would not live as long as they are to.
BOOST_AUTO_TEST_CASE(for_another_ttl_or_another_life_of_the_keys_the_engine_is_asked) {
    lock_options longer_life = patiently();
    longer_life.lock_delay = 10s;
    lock_options shorter_ttl = for_ttl(long_ttl - 10s);
    shorter_ttl.lock_delay = 10s;
    for (const lock_options& options : {longer_life, shorter_ttl}) {
        lease held = lock(locks);
        outcome<lease> next = queue(locks, options);
        hand->fail_next(1000, errc::node_timeout);
        BOOST_TEST(!unlock(held));
        BOOST_REQUIRE(complete(next));
        BOOST_TEST((next.error() == errc::node_timeout));
        hand->fail_next(0);
        (void)lose();
    }
}

BOOST_AUTO_TEST_CASE(the_next_caller_of_the_client_gets_the_lease_as_it_is) {
    lease held = lock(locks);
    outcome<lease> next = queue(locks);
    const std::string before = holder();
    hand->fail_next(1); // which nobody asks for
    BOOST_TEST(!unlock(held));
    BOOST_REQUIRE(complete(next));
    BOOST_TEST(next.value().valid());
    hand->fail_next(0);
    BOOST_TEST(holder() == before);
    BOOST_TEST(locks.metrics().handoffs == 1u);
    BOOST_TEST(locks.metrics().grants == 2u);
    BOOST_TEST(lose());
    BOOST_TEST(!next.value().valid());
}

BOOST_AUTO_TEST_CASE(after_so_many_in_a_row_others_have_their_turn) {
    config c = settings();
    c.handoff_limit = 2;
    client greedy(context.get_executor(), c), others = make_client();
    lease held = lock(greedy);
    outcome<lease> theirs = queue(others);
    std::deque<outcome<lease>> ours;
    for (int i = 0; i < 4; ++i)
        ours.push_back(queue(greedy));
    for (std::size_t i = 0; i < 2; ++i) {
        BOOST_TEST(!unlock(held));
        BOOST_REQUIRE(complete(ours[i]));
        held = std::move(ours[i].value());
        BOOST_TEST(!theirs.done());
    }
    BOOST_TEST(!unlock(held));
    BOOST_REQUIRE(complete(theirs));
    BOOST_TEST(!ours[2].done());
    BOOST_TEST(greedy.metrics().handoffs == 2u);
    BOOST_TEST(!unlock(theirs.value()));
    BOOST_REQUIRE(complete(ours[2]));
    BOOST_TEST(greedy.metrics().remote_handoffs == 1u);
    BOOST_TEST(!unlock(ours[2].value()));
    BOOST_TEST(complete(ours[3]));
}

BOOST_AUTO_TEST_CASE(with_fencing_each_has_a_token_of_its_own) {
    lease held = lock(locks, "key", fenced());
    outcome<lease> next = queue(locks, fenced());
    const std::uint64_t first = held.fencing_token().value();
    BOOST_TEST(!unlock(held));
    BOOST_REQUIRE(complete(next));
    BOOST_TEST(next.value().fencing_token().value() > first);
    BOOST_TEST(locks.metrics().handoffs == 1u);
    BOOST_TEST(check(asks, first) == errc::lease_lost);
    BOOST_TEST(!check(asks, *next.value().fencing_token()));
}

BOOST_AUTO_TEST_CASE(fencing_can_begin_and_end_with_a_hand_over) {
    lease held = lock(locks);
    outcome<lease> second = queue(locks, fenced()), third = queue(locks);
    BOOST_TEST(!unlock(held));
    BOOST_REQUIRE(complete(second));
    BOOST_TEST(second.value().fencing_token().has_value());
    BOOST_TEST(!unlock(second.value()));
    BOOST_REQUIRE(complete(third));
    BOOST_TEST(!third.value().fencing_token());
    BOOST_TEST(third.value().valid());
}

BOOST_AUTO_TEST_CASE(another_ttl_is_asked_for) {
    lease held = lock(locks);
    outcome<lease> next = queue(locks, for_ttl(2 * long_ttl));
    BOOST_TEST(!unlock(held));
    BOOST_REQUIRE(complete(next));
    BOOST_TEST((next.value().remaining() > 1100s));
    BOOST_TEST((inspect(asks).nodes.at(0).remaining.value() > 1100s));
    BOOST_TEST(locks.metrics().handoffs == 1u);
}

// The next gets the turn, although the one in between got nothing.
BOOST_AUTO_TEST_CASE(a_confirmation_that_fails_passes_the_turn_on) {
    lease held = lock(locks);
    outcome<lease> second = queue(locks, for_ttl(2 * long_ttl)), third = queue(locks);
    hand->fail_next(1, errc::node_timeout);
    BOOST_TEST(!unlock(held));
    BOOST_REQUIRE(complete(second));
    BOOST_TEST(second.error() == errc::node_timeout);
    BOOST_REQUIRE(complete(third));
    BOOST_TEST(third.value().valid());
}

BOOST_AUTO_TEST_CASE(a_token_that_is_not_had_passes_the_turn_on) {
    lease held = lock(locks, "key", fenced());
    outcome<lease> second = queue(locks, fenced()), third = queue(locks, fenced());
    hand->fail_next(1);
    BOOST_TEST(!unlock(held));
    BOOST_REQUIRE(complete(second));
    BOOST_TEST(second.error() == errc::no_quorum);
    BOOST_REQUIRE(complete(third));
    BOOST_TEST(third.value().valid());
}

BOOST_AUTO_TEST_CASE(what_was_lost_on_its_way_is_had_anew) {
    for (const lock_options& options : {for_ttl(2 * long_ttl), fenced()}) {
        lock_options first = patiently();
        first.fencing = options.fencing;
        lease held = lock(locks, "key", first);
        outcome<lease> next = queue(locks, options);
        const std::string before = holder();
        meanwhile->act = [&] { hand->lose(prefix + "key"); };
        BOOST_TEST(!unlock(held));
        meanwhile->act = nullptr;
        BOOST_REQUIRE(complete(next));
        BOOST_TEST(!next.error());
        BOOST_TEST(holder() != before);
        settle();
        BOOST_TEST(next.value().valid());
        BOOST_TEST(!unlock(next.value()));
    }
}

BOOST_AUTO_TEST_CASE(what_was_lost_on_its_way_and_not_asked_for_is_lost) {
    lease held = lock(locks);
    outcome<lease> next = queue(locks);
    meanwhile->act = [&] { hand->lose(prefix + "key"); };
    BOOST_TEST(!unlock(held));
    BOOST_REQUIRE(complete(next));
    settle();
    BOOST_TEST(!next.value().valid());
    BOOST_TEST(next.value().stop_token().stop_requested());
    BOOST_TEST(locks.metrics().lost_by_majority == 1u);
}

// Somebody else may have it in between.
BOOST_AUTO_TEST_CASE(what_somebody_else_has_by_then_is_waited_for) {
    lease held = lock(locks, "key", fenced());
    outcome<lease> next = queue(locks, fenced());
    meanwhile->act = [&] { hand->hold(prefix + "key", 100s); };
    BOOST_TEST(!unlock(held));
    settle();
    BOOST_TEST(!next.done());
    pass(101s);
    BOOST_REQUIRE(next.done());
    BOOST_TEST(next.value().valid());
}

// The cancellation and the unlock are dealt with in one turn.
BOOST_AUTO_TEST_CASE(who_is_cancelled_as_the_lease_comes_passes_it_on) {
    lease held = lock(locks);
    for (const bool somebody_is_left : {true, false}) {
        asio::cancellation_signal cancel;
        outcome<lease> second, third;
        locks.async_lock("key", patiently(), asio::bind_cancellation_slot(cancel.slot(), second.handler()));
        settle();
        if (somebody_is_left) third = queue(locks);
        cancel.emit(asio::cancellation_type::total);
        BOOST_TEST(!unlock(held));
        settle();
        BOOST_TEST(second.completions() == 1);
        BOOST_TEST(second.error() == asio::error::operation_aborted);
        BOOST_TEST(is_held() == somebody_is_left);
        if (!somebody_is_left) continue;
        BOOST_REQUIRE(third.done());
        held = std::move(third.value());
        BOOST_TEST(held.valid());
    }
    BOOST_TEST(locks.metrics().handoffs == 2u);
}

BOOST_AUTO_TEST_CASE(a_caller_that_gave_up_is_passed_over) {
    lease held = lock(locks);
    lock_options impatient = patiently();
    impatient.wait = 100s;
    outcome<lease> second = queue(locks, impatient), third = queue(locks);
    pass(101s);
    BOOST_TEST(second.error() == errc::wait_timeout);
    BOOST_TEST(!unlock(held));
    BOOST_REQUIRE(complete(third));
    BOOST_TEST(third.value().valid());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
