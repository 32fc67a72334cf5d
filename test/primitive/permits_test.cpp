#include "permits_fixture.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <deque>
#include <memory>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

namespace redlock::test {
namespace {

namespace asio = boost::asio;

BOOST_FIXTURE_TEST_SUITE(permits_suite, permits_fixture, *boost::unit_test::precondition(engine_in_hand))

BOOST_AUTO_TEST_CASE(so_many_hold_it_and_no_more) {
    std::vector<lease> held;
    std::set<unsigned> slots;
    for (int i = 0; i < 3; ++i) {
        held.push_back(lock(i % 2 == 0 ? locks : other, "key", of(3)));
        slots.insert(held.back().slot());
        BOOST_TEST(held.back().key() == "key");
        BOOST_TEST(is_held(slot_key(held.back().slot())));
    }
    BOOST_TEST((slots == std::set<unsigned>{0, 1, 2}));
    BOOST_TEST(try_lock(locks, "key", of(3, once())) == errc::held);
    BOOST_TEST(try_lock(other, "key", of(3, once())) == errc::held);
    BOOST_TEST(!unlock(held[1]));
    BOOST_TEST(!try_lock(other, "key", of(3, once())));
}

BOOST_AUTO_TEST_CASE(a_single_attempt_finds_the_one_that_is_free) {
    for (unsigned free = 0; free < 5; ++free) {
        for (unsigned slot = 0; slot < 5; ++slot)
            if (slot != free) hold(24h, slot_key(slot));
        lease held = lock(locks, "key", of(5, once()));
        BOOST_TEST(held.slot() == free);
        BOOST_TEST(!unlock(held));
        free_all(5);
    }
}

BOOST_AUTO_TEST_CASE(a_waiting_call_gets_whatever_comes_first) {
    for (unsigned comes = 0; comes < 3; ++comes) {
        take_all(3);
        outcome<lease> got;
        locks.async_lock("key", of(3), got.handler());
        BOOST_REQUIRE(come_to_wait(3));
        BOOST_TEST(locks.metrics().waiting == 1u);
        lose(slot_key(comes));
        BOOST_REQUIRE(complete(got));
        BOOST_TEST(got.value().slot() == comes);
        settle();
        BOOST_TEST(slots_waited_for(3) == 0u);
        got.drop_values();
        settle();
        free_all(3);
    }
}

BOOST_AUTO_TEST_CASE(callers_of_one_client_are_served_in_their_order) {
    lease first = lock(locks, "key", of(2));
    lease second = lock(locks, "key", of(2));
    std::deque<outcome<lease>> waiters(6);
    for (auto& w : waiters) {
        locks.async_lock("key", of(2), w.handler());
        settle();
    }
    BOOST_TEST(locks.metrics().waiting == 6u);
    BOOST_TEST(slots_waited_for(2) == 0u); // they wait here
    for (std::size_t i = 0; i < waiters.size(); ++i) {
        BOOST_TEST(!unlock(i % 2 == 0 ? first : second));
        BOOST_REQUIRE(complete(waiters[i]));
        BOOST_TEST(waiters[i].value().valid());
        for (std::size_t later = i + 1; later < waiters.size(); ++later)
            BOOST_TEST(!waiters[later].done());
        (i % 2 == 0 ? first : second) = std::move(waiters[i].value());
    }
    BOOST_TEST(locks.metrics().handoffs == 6u);
    BOOST_TEST(locks.metrics().waiting == 0u);
}

BOOST_AUTO_TEST_CASE(a_client_has_one_place_for_all_its_callers) {
    take_all(2);
    std::deque<outcome<lease>> waiters(10);
    for (auto& w : waiters)
        locks.async_lock("key", of(2), w.handler());
    BOOST_REQUIRE(come_to_wait(2));
    free_all(2);
    for (auto& w : waiters) {
        BOOST_REQUIRE(complete(w));
        BOOST_TEST(!w.error());
        BOOST_TEST(slots_held(2) <= 2u);
        w.drop_values();
    }
    settle();
    BOOST_TEST(slots_held(2) == 0u);
}

BOOST_AUTO_TEST_CASE(callers_on_other_terms_wait_beside_each_other) {
    take_all(2);
    lock_options longer = of(2);
    longer.ttl = 2 * long_ttl;
    lock_options fenced = of(2);
    fenced.fencing = true;
    std::deque<outcome<lease>> waiters(3);
    locks.async_lock("key", of(2), waiters[0].handler());
    locks.async_lock("key", longer, waiters[1].handler());
    locks.async_lock("key", fenced, waiters[2].handler());
    BOOST_REQUIRE(run_until([&] { return locks.metrics().waiting == 3; }));
    free_all(2);
    for (int served = 0; served < 3; ++served) {
        const auto ready = [&](auto& w) { return w.done() && bool(w.value()); };
        BOOST_REQUIRE(run_until([&] { return std::any_of(waiters.begin(), waiters.end(), ready); }));
        auto& w = *std::find_if(waiters.begin(), waiters.end(), ready);
        BOOST_TEST(w.value().fencing_token().has_value() == (&w == &waiters[2]));
        w.drop_values();
        settle();
    }
    BOOST_TEST(slots_held(2) == 0u);
}

BOOST_AUTO_TEST_CASE(the_wait_ends_when_it_is_over) {
    lease first = lock(other, "key", of(2));
    lease second = lock(other, "key", of(2));
    lock_options options = of(2);
    options.wait = 60s;
    outcome<lease> got, later;
    locks.async_lock("key", options, got.handler());
    locks.async_lock("key", of(2), later.handler());
    BOOST_REQUIRE(come_to_wait(2));
    pass(61s);
    BOOST_REQUIRE(complete(got));
    BOOST_TEST(got.error() == errc::wait_timeout);
    BOOST_TEST(slots_waited_for(2) == 2u);
    BOOST_TEST(!unlock(second));
    BOOST_REQUIRE(complete(later));
    BOOST_TEST(!later.error());
}

BOOST_AUTO_TEST_CASE(who_was_cancelled_waits_no_more) {
    take_all(2);
    asio::cancellation_signal cancel;
    outcome<lease> got;
    locks.async_lock("key", of(2), asio::bind_cancellation_slot(cancel.slot(), got.handler()));
    BOOST_REQUIRE(come_to_wait(2));
    cancel.emit(asio::cancellation_type::partial);
    BOOST_REQUIRE(complete(got));
    BOOST_TEST(got.error() == asio::error::operation_aborted);
    settle();
    BOOST_TEST(slots_waited_for(2) == 0u);
    BOOST_TEST(locks.metrics().cancelled == 1u);
}

BOOST_AUTO_TEST_CASE(a_permit_that_comes_when_nobody_waits_goes_back) {
    take_all(2);
    asio::cancellation_signal cancel;
    outcome<lease> got;
    locks.async_lock("key", of(2), asio::bind_cancellation_slot(cancel.slot(), got.handler()));
    BOOST_REQUIRE(come_to_wait(2));
    hand->lose(prefix + slot_key(0));
    hand->lose(prefix + slot_key(1));
    cancel.emit(asio::cancellation_type::total);
    BOOST_REQUIRE(complete(got));
    got.drop_values();
    settle();
    BOOST_TEST(slots_held(2) == 0u);
}

BOOST_AUTO_TEST_CASE(a_closed_client_ends_waiting_calls) {
    take_all(2);
    std::deque<outcome<lease>> waiters(3);
    for (auto& w : waiters)
        locks.async_lock("key", of(2), w.handler());
    BOOST_REQUIRE(come_to_wait(2));
    close(locks);
    for (auto& w : waiters) {
        BOOST_TEST(w.done());
        BOOST_TEST(w.error() == errc::closed);
    }
    BOOST_TEST(slots_waited_for(2) == 0u);
}

BOOST_AUTO_TEST_CASE(a_failing_engine_ends_a_call) {
    hand->fail_next(1);
    BOOST_TEST(try_lock(locks, "key", of(2, once())) == errc::no_quorum);
    take_all(2);
    hand->fail_next(100);
    outcome<lease> got;
    locks.async_lock("key", of(2), got.handler());
    BOOST_REQUIRE(complete(got));
    BOOST_TEST(got.error() == errc::no_quorum);
    hand->fail_next(0);
    BOOST_TEST(locks.metrics().waiting == 0u);
}

BOOST_AUTO_TEST_CASE(stop_is_requested_for_the_holder_of_the_permit) {
    std::stop_source stops[2];
    std::vector<lease> held;
    for (std::stop_source& stop : stops) {
        lock_options options = of(2);
        options.stop = &stop;
        held.push_back(lock(locks, "key", options));
    }
    std::stop_source waiting_stop;
    lock_options options = of(2);
    options.stop = &waiting_stop;
    outcome<lease> got;
    locks.async_lock("key", options, got.handler());
    settle();
    lose(slot_key(held[1].slot()));
    BOOST_TEST(!stops[0].stop_requested());
    BOOST_TEST(stops[1].stop_requested());
    BOOST_TEST(held[0].valid());
    BOOST_REQUIRE(complete(got));
    BOOST_TEST(!waiting_stop.stop_requested());
    lose(slot_key(got.value().slot()));
    BOOST_TEST(waiting_stop.stop_requested());
}

BOOST_AUTO_TEST_CASE(a_permit_that_is_not_needed_is_not_kept) {
    lock_options kept = of(8, once());
    kept.keep = 1h;
    take_all(4);
    lease held = lock(locks, "key", kept); // perhaps out of several that were free
    settle();
    BOOST_TEST(slots_held(8) == 5u);
    BOOST_TEST(!unlock(held));
    BOOST_TEST(slots_held(8) == 5u);
}

BOOST_AUTO_TEST_CASE(what_no_caller_got_does_not_count) {
    lease in_the_way = lock(other, "key", of(4));
    for (unsigned i = 1; i <= 40; ++i) {
        lease held = lock(locks, "key", of(4)); // asks for two where the first is taken
        BOOST_TEST(!unlock(held));
        settle();
        BOOST_TEST(locks.metrics().grants == i);
        BOOST_TEST(locks.metrics().unlocks == i);
    }
}

BOOST_AUTO_TEST_CASE(a_plain_lock_of_a_permits_key_is_no_permit) {
    lease plain = lock(locks, slot_key(1));
    hold(24h, slot_key(0));
    outcome<lease> got;
    locks.async_lock("key", of(2), got.handler());
    BOOST_REQUIRE(run_until([&] { return waiting(slot_key(0)) == 1; }));
    BOOST_TEST(!unlock(plain));
    BOOST_REQUIRE(complete(got));
    BOOST_TEST(got.value().slot() == 1u);
    BOOST_TEST(got.value().key() == "key");
}

BOOST_AUTO_TEST_CASE(one_permit_is_a_lock_like_any_other) {
    lease held = lock(locks, "key", of(1));
    BOOST_TEST(is_held("key"));
    BOOST_TEST(held.slot() == 0u);
    // With a key of its own, beside those of permits.
    BOOST_TEST(!try_lock(other, "key", of(2, once())));
}

BOOST_AUTO_TEST_CASE(of_two_numbers_the_larger_may_be_held) {
    lease few[] = {lock(locks, "key", of(2)), lock(locks, "key", of(2))};
    BOOST_TEST(try_lock(other, "key", of(2, once())) == errc::held);
    lease more[] = {lock(other, "key", of(4)), lock(other, "key", of(4))};
    BOOST_TEST(slots_held(4) == 4u);
    BOOST_TEST(try_lock(other, "key", of(4, once())) == errc::held);
    BOOST_TEST(try_lock(locks, "key", of(2, once())) == errc::held);
    // Whoever waits for few of them is not served by the others.
    outcome<lease> waits;
    locks.async_lock("key", of(2), waits.handler());
    BOOST_REQUIRE(run_until([&] { return locks.metrics().waiting == 1; }));
    for (lease& one : more)
        BOOST_TEST(!unlock(one));
    settle();
    BOOST_TEST(!waits.done());
    BOOST_TEST(!unlock(few[0]));
    BOOST_REQUIRE(complete(waits));
    BOOST_TEST(waits.value().slot() < 2u);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_asked_for_is_refused) {
    BOOST_TEST(try_lock(locks, "key", of(0, once())) == errc::invalid_option);
    BOOST_TEST(try_lock(locks, "key", of(65, once())) == errc::invalid_option);
    BOOST_TEST(!try_lock(locks, "key", of(64, once())));
    const std::string longest(max_key_size - prefix.size(), 'k');
    BOOST_TEST(try_lock(locks, longest, of(2, once())) == errc::invalid_key);
    BOOST_TEST(!try_lock(locks, longest.substr(3), of(2, once())));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
