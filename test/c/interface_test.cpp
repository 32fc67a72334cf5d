// The interface for C, with the engine in memory; from_c.c is what a C compiler makes of it.

#include "c/c_fixture.hpp"
#include "c/from_c.h"
#include "support/eventually.hpp"

#include <redlock/lock_options.hpp>
#include <redlock/redlock.h>
#include <redlock/testing.hpp>
#include <redlock/version.hpp>

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <future>
#include <string>
#include <string_view>
#include <thread>

namespace redlock::test {

namespace {

/// Counts how often a lease was lost.
struct losses {
    void count_in(redlock_lock_options& o) {
        o.lost = [](void* self) { ++static_cast<losses*>(self)->calls; };
        o.lost_context = this;
    }
    std::atomic<int> calls = 0;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(interface, c_fixture)

BOOST_AUTO_TEST_CASE(a_c_compiler_takes_it) {
    const char* const wrong = lock_from_c(("memory://" + name).c_str());
    BOOST_TEST(!wrong, wrong);
    BOOST_TEST(redlock_version() == std::string_view(version()));
}

BOOST_AUTO_TEST_CASE(what_is_held_is_refused_waited_for_and_given_back) {
    const client_pointer other = another();
    redlock_lease* const held = lock("key");
    BOOST_TEST(redlock_valid(held) == 1);
    BOOST_TEST(redlock_remaining(held) > 1000);
    BOOST_TEST(redlock_remaining(held) <= 10'000);
    BOOST_TEST(redlock_fencing_token(held) == 0u);
    BOOST_TEST(redlock_slot(held) == 0u);
    redlock_lock_options brief = options();
    brief.wait = 10;
    redlock_lease* none = held;
    BOOST_TEST(redlock_lock(other.get(), "key", &brief, &none) == REDLOCK_WAIT_TIMEOUT);
    BOOST_TEST(!none);
    BOOST_TEST(redlock_extend(held, 60'000) == REDLOCK_OK);
    BOOST_TEST(redlock_remaining(held) > 30'000);
    BOOST_TEST(redlock_unlock(held) == REDLOCK_OK);
    redlock_lease* next = nullptr;
    BOOST_TEST(redlock_lock(other.get(), "key", &brief, &next) == REDLOCK_OK);
    redlock_lease_destroy(next);
    redlock_unlock(lock("key"));
}

BOOST_AUTO_TEST_CASE(options_have_the_defaults_of_the_library) {
    const redlock_lock_options o = options();
    const redlock::lock_options known;
    BOOST_TEST(o.ttl == known.ttl.count());
    BOOST_TEST(o.wait == REDLOCK_FOREVER);
    BOOST_TEST(o.max_hold == REDLOCK_FOREVER);
    BOOST_TEST(o.stop_margin == known.stop_margin.count());
    BOOST_TEST(o.lock_delay == known.lock_delay.count());
    BOOST_TEST(o.keep == known.keep.count());
    BOOST_TEST((o.renew != 0) == known.renew);
    BOOST_TEST((o.fencing != 0) == known.fencing);
    BOOST_TEST(o.mode == static_cast<int>(known.mode));
    BOOST_TEST(o.permits == known.permits);
    BOOST_TEST((!o.stop && !o.lost && !o.lost_context));
}

BOOST_AUTO_TEST_CASE(every_option_reaches_the_lock) {
    redlock_lock_options o = options();
    o.mode = REDLOCK_READ;
    redlock_lease* const one = lock("shared", &o);
    redlock_lease* const two = lock("shared", &o);
    o.mode = REDLOCK_WRITE;
    o.wait = 0;
    redlock_lease* none = nullptr;
    BOOST_TEST(redlock_lock(locks.get(), "shared", &o, &none) == REDLOCK_HELD);
    BOOST_TEST(redlock_unlock(one) == REDLOCK_OK);
    BOOST_TEST(redlock_unlock(two) == REDLOCK_OK);

    o = options();
    o.permits = 2;
    redlock_lease* const first = lock("pool", &o);
    redlock_lease* const second = lock("pool", &o);
    BOOST_TEST(redlock_slot(first) + redlock_slot(second) == 1u);
    redlock_lease_destroy(first);
    redlock_lease_destroy(second);

    o = options();
    o.fencing = 1;
    o.ttl = 5'000;
    redlock_lease* const fenced = lock("fenced", &o);
    const uint64_t token = redlock_fencing_token(fenced);
    BOOST_TEST(token >= 1u);
    BOOST_TEST(redlock_remaining(fenced) <= 5'000);
    redlock_unlock(fenced);
    redlock_lease* const again = lock("fenced", &o);
    BOOST_TEST(redlock_fencing_token(again) > token);
    redlock_unlock(again);

    o = options();
    o.keep = 60'000;
    redlock_unlock(lock("nightly", &o));
    o.wait = 0;
    BOOST_TEST(redlock_lock(locks.get(), "nightly", &o, &none) == REDLOCK_HELD);
}

BOOST_AUTO_TEST_CASE(a_stop_ends_the_wait) {
    const client_pointer other = another();
    redlock_lease* const held = lock("key");
    redlock_stop* const stop = redlock_stop_create();
    redlock_lock_options o = options();
    o.stop = stop;
    o.wait = 60'000;
    std::promise<redlock_status> end;
    {
        const std::jthread waiting([&] {
            redlock_lease* none = nullptr;
            end.set_value(redlock_lock(other.get(), "key", &o, &none));
        });
        BOOST_REQUIRE(eventually([&] { return store.waiting("key") == 1u; }));
        redlock_stop_request(stop);
    }
    BOOST_TEST(end.get_future().get() == REDLOCK_CANCELLED);
    redlock_stop_destroy(stop);
    BOOST_TEST(redlock_unlock(held) == REDLOCK_OK);
}

BOOST_AUTO_TEST_CASE(a_loss_is_told_once_and_an_unlock_is_none) {
    losses lost, kept;
    redlock_lock_options o = options();
    lost.count_in(o);
    redlock_lease* const one = lock("one", &o);
    kept.count_in(o);
    redlock_lease* const two = lock("two", &o);
    BOOST_TEST(store.lose("one"));
    BOOST_TEST(eventually([&] { return lost.calls == 1; }));
    BOOST_TEST(redlock_valid(one) == 0);
    BOOST_TEST(redlock_remaining(one) == 0);
    BOOST_TEST(redlock_unlock(one) == REDLOCK_LEASE_LOST);
    BOOST_TEST(redlock_unlock(two) == REDLOCK_OK);
    BOOST_TEST(lost.calls == 1);
    BOOST_TEST(kept.calls == 0);
}

BOOST_AUTO_TEST_CASE(the_end_of_a_client_is_a_loss_and_leaves_leases_to_be_destroyed) {
    losses lost;
    redlock_lock_options o = options();
    lost.count_in(o);
    redlock_lease* const held = lock("key", &o);
    redlock_lease* const other = lock("other");
    locks = another();
    BOOST_TEST(lost.calls == 1);
    BOOST_TEST(redlock_valid(held) == 0);
    BOOST_TEST(redlock_extend(held, 1000) == REDLOCK_CLOSED);
    BOOST_TEST(redlock_unlock(held) == REDLOCK_CLOSED);
    redlock_lease_destroy(other);
    redlock_unlock(lock("key"));
}

// It would wait for itself there. The lease is freed nevertheless.
BOOST_AUTO_TEST_CASE(a_lease_may_be_unlocked_where_its_loss_is_told) {
    struct holder {
        redlock_lease* lease = nullptr;
        std::promise<redlock_status> end;
    } all;
    redlock_lock_options o = options();
    o.lost = [](void* self) {
        holder& h = *static_cast<holder*>(self);
        h.end.set_value(redlock_unlock(h.lease));
    };
    o.lost_context = &all;
    all.lease = lock("key", &o);
    BOOST_TEST(store.lose("key"));
    BOOST_TEST(all.end.get_future().get() == REDLOCK_WOULD_DEADLOCK);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace redlock::test
