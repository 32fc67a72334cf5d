// What locks of other kinds are known to get wrong, on real nodes.

#include "read_write_fixture.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <deque>
#include <string>
#include <vector>

namespace redlock::test {
namespace {

lock_options briefly(mode m, std::chrono::milliseconds ttl = 600ms) {
    lock_options options = to(m);
    options.ttl = ttl;
    return options;
}

struct kinds_fixture : read_write_fixture {
    std::uint64_t renewals() const { return first.metrics().renewals; }
    bool renews(std::uint64_t so_often) {
        const std::uint64_t before = renewals();
        return run_until([&] { return renewals() >= before + so_often; });
    }
};

BOOST_FIXTURE_TEST_SUITE(kinds, kinds_fixture)

// Redisson #1604: their entries ran out, however long they read.
BOOST_AUTO_TEST_CASE(each_of_many_readers_is_renewed) {
    std::vector<lease> readers_here;
    for (int i = 0; i < 40; ++i)
        readers_here.push_back(lock(first, "key", briefly(mode::read, 900ms)));
    BOOST_TEST(renews(40 * 4)); // each lives for longer than its ttl
    for (lease& one : readers_here) {
        BOOST_TEST(one.valid());
        BOOST_TEST(!unlock(one));
    }
    BOOST_TEST(nothing_is_left());
}

// Redisson #7098: readers renewed the entries of those that had died.
BOOST_AUTO_TEST_CASE(nobody_renews_a_reader_that_died) {
    for (auto& node : nodes)
        node.command({"EVAL",
                      "local t=redis.call('time') redis.call('zadd',KEYS[1],t[1]*1000+1500,'dead') return "
                      "redis.call('pexpire',KEYS[1],1500)",
                      "1", readers_of_key});
    lease living = lock(first, "key", briefly(mode::read));
    BOOST_TEST(run_until([&] {
        return nodes[0].command({"ZSCORE", readers_of_key, "dead"}).text.empty() && living.valid();
    }));
    BOOST_TEST(try_lock(second, "key", to_write(once())) == errc::held);
    BOOST_TEST(!unlock(living));
    BOOST_TEST(run_until([&] { return !try_lock(second, "key", to_write(once())); }));
}

// Medallion's DistributedLock has one ttl for all readers.
BOOST_AUTO_TEST_CASE(a_short_reader_does_not_shorten_a_long_one) {
    lease staying = lock(first, "key", to_read());
    lock_options brief = briefly(mode::read, 300ms);
    brief.renew = false;
    lease passing = lock(second, "key", brief);
    BOOST_TEST(run_until([&] { return !passing.valid(); }));
    settle(100ms);
    BOOST_TEST((nodes[0].pttl(readers_of_key) > long_ttl / 2));
    BOOST_TEST(staying.valid());
    BOOST_TEST(try_lock(second, "key", to_write(once())) == errc::held);
    BOOST_TEST(!unlock(staying));
}

// Redisson #4796: they did.
BOOST_AUTO_TEST_CASE(two_readers_that_want_to_write_do_not_wait_for_ever) {
    lease one = lock(first, "key", to_read());
    lease two = lock(second, "key", to_read());
    lock_options writing = to_write();
    writing.wait = 200ms;
    outcome<lease> here, there;
    first.async_lock("key", writing, here.handler());
    second.async_lock("key", writing, there.handler());
    BOOST_REQUIRE(run_until([&] { return here.done() && there.done(); }));
    BOOST_TEST((here.error() == errc::wait_timeout && there.error() == errc::wait_timeout));
    BOOST_TEST((one.valid() && two.valid()));
    BOOST_TEST(!unlock(one));
    BOOST_TEST(!unlock(two));
    BOOST_TEST(nothing_is_left());
}

// Redisson #3891: it slept until the ttl of the one before was over.
BOOST_AUTO_TEST_CASE(the_next_writer_is_woken_by_the_unlock) {
    BOOST_REQUIRE((becomes_ready(first) && becomes_ready(second)));
    for (int i = 0; i < 20; ++i) {
        lease held = lock(first, "key", to_write());
        outcome<lease> here, there;
        first.async_lock("key", to_write(), here.handler());
        second.async_lock("key", to_write(), there.handler());
        settle(10ms);
        const auto began = std::chrono::steady_clock::now();
        BOOST_TEST(!unlock(held));
        for (int n = 0; n < 2; ++n) {
            BOOST_REQUIRE(run_until([&] { return bool(here.value()) || bool(there.value()); }));
            auto& next = here.value() ? here : there;
            BOOST_TEST(!unlock(next.value()));
            next.drop_values();
        }
        BOOST_TEST((std::chrono::steady_clock::now() - began < 10s)); // the ttl is far longer
    }
    BOOST_TEST(nothing_is_left());
}

// Redisson #891: it deleted the whole lock.
BOOST_AUTO_TEST_CASE(an_inner_unlock_leaves_the_outer_lock) {
    const owner me;
    lock_options options = to_write();
    options.owner = &me;
    lease outer = lock(first, "key", options);
    options.ttl = 300ms; // does not shorten it
    lease inner = lock(first, "key", options);
    BOOST_TEST(!unlock(inner));
    BOOST_TEST((outer.valid() && outer.remaining() > long_ttl / 2));
    BOOST_TEST(run_until([&] { return nodes.holders("key") == 5; }));
    BOOST_TEST(try_lock(second, "key", to_write(once())) == errc::held);
    BOOST_TEST(try_lock(second, "key", to_read(once())) == errc::held);
    BOOST_TEST(!unlock(outer));
    BOOST_TEST(nothing_is_left());
}

// Redisson #467, #4050: callers waited for each other.
BOOST_AUTO_TEST_CASE(several_keys_in_any_order_are_got_by_everybody) {
    const std::vector<std::string> orders[] = {
        {"a", "b", "c"}, {"c", "a", "b"}, {"b", "c", "a"}, {"c", "b", "a"}};
    int got = 0;
    const auto take = [](client& by, const std::vector<std::string>& keys,
                         int& count) -> asio::awaitable<void> {
        const lock_options options = patiently();
        for (int i = 0; i < 10; ++i) {
            lease_set all = co_await by.async_lock_all(keys, options);
            ++count;
            co_await all.async_unlock();
        }
    };
    for (const auto& order : orders)
        for (client* who : {&first, &second})
            asio::co_spawn(context, take(*who, order, got), asio::detached);
    BOOST_TEST(run_until([&] { return got == 80; }));
    for (const char* key : {"a", "b", "c"})
        BOOST_TEST(becomes_free(key));
}

// Redisson #4456: those stayed that had been got when the call was over.
BOOST_AUTO_TEST_CASE(of_several_keys_no_part_is_left_behind) {
    lease in_the_way = lock(second, "b");
    lock_options options = patiently();
    options.wait = 100ms;
    const std::vector<std::string> keys{"a", "b", "c"};
    outcome<lease_set> got;
    first.async_lock_all(keys, options, got.handler());
    BOOST_REQUIRE(run_until([&] { return got.done(); }));
    BOOST_TEST(got.error() == errc::wait_timeout);
    BOOST_TEST((becomes_free("a") && becomes_free("c")));
    BOOST_TEST(!unlock(in_the_way));
}

// Five nodes have ten votes for two permits, and three callers would need nine.
BOOST_AUTO_TEST_CASE(two_permits_are_never_three) {
    client third(context.get_executor(), settings());
    client* const clients[] = {&first, &second, &third};
    for (int i = 0; i < 20; ++i) {
        lock_options options = once();
        options.permits = 2;
        std::deque<outcome<lease>> calls(3);
        for (std::size_t n = 0; n < calls.size(); ++n)
            clients[n]->async_lock("key", options, calls[n].handler());
        std::size_t granted = 0;
        for (auto& call : calls) {
            BOOST_REQUIRE(run_until([&] { return call.done(); }));
            granted += !call.error();
            if (call.error()) BOOST_TEST(call.error() == errc::held);
        }
        BOOST_TEST(granted <= 2u);
        calls.clear();
        BOOST_TEST((becomes_free("key:0") && becomes_free("key:1")));
    }
}

BOOST_AUTO_TEST_SUITE_END()

struct slow_kinds : proxied_fixture {
    client locks{context.get_executor(), settings()};
};

BOOST_FIXTURE_TEST_SUITE(kinds_over_slow_nodes, slow_kinds)

// The first gets in and lets the second ask again; by then somebody writes.
BOOST_AUTO_TEST_CASE(a_reader_that_asks_again_keeps_its_deadline) {
    BOOST_REQUIRE(becomes_ready(locks));
    for (auto& node : nodes)
        node.command({"SET", "key", "somebody", "PX", "600000"});
    lock_options options = to_read();
    outcome<lease> one, two;
    locks.async_lock("key", options, one.handler());
    options.wait = 2500ms;
    const auto began = std::chrono::steady_clock::now();
    locks.async_lock("key", options, two.handler());
    BOOST_REQUIRE(run_until([&] { return locks.metrics().refusals > 0; }));
    for (auto& proxy : proxies)
        proxy.delay(300ms);
    for (auto& node : nodes)
        node.command({"DEL", "key"});
    BOOST_REQUIRE(run_until([&] { return one.done(); }));
    BOOST_TEST(!one.error());
    for (auto& node : nodes)
        node.command({"SET", "key", "another", "PX", "600000"});
    BOOST_REQUIRE(run_until([&] { return two.done(); }));
    const auto waited = std::chrono::steady_clock::now() - began;
    BOOST_TEST(two.error() == errc::wait_timeout);
    BOOST_TEST((waited >= 2500ms && waited < 2500ms + 3s)); // and a command at most
    BOOST_TEST(!unlock(one.value()));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
