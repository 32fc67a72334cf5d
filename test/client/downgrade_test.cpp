// Leases for writing that become leases for reading, on real nodes.

#include "downgrade_fixture.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>

#include <atomic>
#include <deque>
#include <stop_token>
#include <string>

namespace redlock::test {
namespace {

namespace asio = boost::asio;

using direct_downgrades = downgrades_on<read_write_fixture>;

BOOST_FIXTURE_TEST_SUITE(downgrades, direct_downgrades)

BOOST_AUTO_TEST_CASE(readers_get_in_and_writers_do_not) {
    lock_options options = to_write();
    options.fencing = true;
    lease held = lock(first, "key", options);
    const auto token = held.fencing_token().value();
    BOOST_TEST(!downgrade(held));
    BOOST_TEST((held.valid() && held.remaining() > long_ttl / 2));
    BOOST_TEST(held.fencing_token().value() == token);
    BOOST_TEST(becomes_free("key"));
    BOOST_TEST(run_until([&] { return nodes_with_readers() == 5; }));
    for (client* who : {&first, &second}) {
        BOOST_TEST(comes_to_be_read(*who));
        BOOST_TEST(try_lock(*who, "key", to_write(once())) == errc::held);
    }
    BOOST_TEST(!extend(held, 2 * long_ttl));
    BOOST_TEST(!unlock(held));
    BOOST_TEST(nothing_is_left());
    lease next = lock(second, "key", options);
    BOOST_TEST(next.fencing_token().value() > token);
}

BOOST_AUTO_TEST_CASE(all_who_wait_to_read_come_in_and_a_writer_waits_for_them) {
    lease held = lock(first, "key", to_write());
    std::deque<outcome<lease>> readers(10);
    for (std::size_t i = 0; i < readers.size(); ++i)
        (i % 2 == 0 ? first : second).async_lock("key", to_read(), readers[i].handler());
    settle();
    BOOST_TEST(!downgrade(held));
    for (auto& reader : readers) {
        BOOST_REQUIRE(run_until([&] { return reader.done(); }));
        BOOST_TEST(!reader.error());
    }
    BOOST_TEST(read_write_fixture::readers() == readers.size() + 1);
    outcome<lease> here, there;
    first.async_lock("key", to_write(), here.handler());
    second.async_lock("key", to_write(), there.handler());
    settle();
    readers.clear();
    settle();
    BOOST_TEST((!here.done() && !there.done()));
    BOOST_TEST(!unlock(held));
    BOOST_REQUIRE(run_until([&] { return here.done() || there.done(); }));
    auto& next = here.done() ? here : there;
    auto& last = here.done() ? there : here;
    BOOST_TEST((!next.error() && !last.done()));
    BOOST_TEST(!unlock(next.value()));
    BOOST_REQUIRE(run_until([&] { return last.done(); }));
    BOOST_TEST(!unlock(last.value()));
    BOOST_TEST(nothing_is_left());
}

// The key is not handed to who waits to write: it is free for a moment, in which readers get in. CURATOR-621:
// a writer that waited got in beside who had stepped down to read.
BOOST_AUTO_TEST_CASE(readers_get_in_beside_writers_that_stand_in_the_queues) {
    for (int i = 0; i < 10; ++i) {
        lease held = lock(first, "key", to_write());
        outcome<lease> writer, reader;
        second.async_lock("key", to_write(), writer.handler());
        settle(20ms);
        first.async_lock("key", to_read(), reader.handler());
        settle(20ms);
        BOOST_TEST(!downgrade(held));
        settle(20ms);
        BOOST_TEST(!writer.done());
        BOOST_TEST(!unlock(held));
        BOOST_REQUIRE(run_until([&] { return reader.done() || writer.done(); }));
        auto& one = reader.done() ? reader : writer;
        auto& other = reader.done() ? writer : reader;
        BOOST_TEST(!unlock(one.value()));
        BOOST_REQUIRE(run_until([&] { return other.done(); }));
        BOOST_TEST(!unlock(other.value()));
    }
    BOOST_TEST(nothing_is_left());
}

BOOST_AUTO_TEST_CASE(a_writer_elsewhere_never_overlaps) {
    bool over = false;
    int written = 0, read = 0, together = 0;
    int writing = 0, reading = 0;
    const auto take_turns = [&](client& by) -> asio::awaitable<void> {
        const lock_options options = to_write();
        while (!over) {
            lease held = co_await by.async_lock("key", options);
            together += writing + reading > 0;
            ++writing, ++written;
            co_await asio::post(asio::deferred);
            --writing, ++reading;
            co_await held.async_downgrade();
            for (int i = 0; i < 3; ++i) {
                co_await asio::post(asio::deferred);
                together += writing > 0;
                ++read;
            }
            --reading;
            co_await held.async_unlock();
        }
    };
    for (client* who : {&first, &second})
        for (int i = 0; i < 3; ++i)
            asio::co_spawn(context, take_turns(*who), asio::detached);
    BOOST_TEST(run_until([&] { return written > 100; }));
    over = true;
    BOOST_TEST(run_until([&] {
        return first.metrics().held + second.metrics().held == 0 &&
               first.metrics().waiting + second.metrics().waiting == 0;
    }));
    BOOST_TEST(together == 0);
    BOOST_TEST(read >= written);
    BOOST_TEST(nothing_is_left());
}

BOOST_AUTO_TEST_CASE(a_minority_may_be_away_and_comes_back) {
    nodes[0].kill();
    nodes[1].kill();
    lock_options brief = to_write();
    brief.ttl = 900ms;
    lease held = lock(first, "key", brief);
    BOOST_TEST(!downgrade(held));
    nodes[0].restart();
    nodes[1].restart();
    BOOST_TEST(run_until([&] { return nodes_with_readers() == 5; })); // its renewals repair them
    BOOST_TEST(held.valid());
    BOOST_TEST(try_lock(second, "key", to_write(once())) == errc::held);
    BOOST_TEST(!unlock(held));
    BOOST_TEST(nothing_is_left());
}

BOOST_AUTO_TEST_CASE(without_a_majority_it_stays_a_lease_for_writing) {
    lease held = lock(first, "key", to_write());
    for (std::size_t i = 0; i < 3; ++i)
        nodes[i].stop();
    const error_code why = downgrade(held);
    BOOST_TEST(why == errc::no_quorum);
    BOOST_TEST(held.valid());
    for (std::size_t i = 0; i < 3; ++i)
        nodes[i].resume();
    BOOST_TEST(run_until([&] { return nodes_with_readers() == 0; })); // what it had entered is taken away
    BOOST_TEST(try_lock(second, "key", to_read(once())) == errc::held);
    BOOST_TEST(!extend(held, long_ttl));
    BOOST_TEST(!downgrade(held));
    BOOST_TEST(comes_to_be_read(second));
    BOOST_TEST(!unlock(held));
    BOOST_TEST(nothing_is_left());
}

BOOST_AUTO_TEST_CASE(what_a_majority_does_not_have_is_lost) {
    std::stop_source stop;
    lock_options options = to_write();
    options.stop = &stop;
    lease held = lock(first, "key", options);
    BOOST_REQUIRE(run_until([&] { return nodes.holders("key") == 5; }));
    for (std::size_t i = 0; i < 3; ++i)
        nodes[i].command({"FLUSHALL"});
    BOOST_TEST(downgrade(held) == errc::lease_lost);
    BOOST_TEST((!held.valid() && stop.stop_requested()));
    BOOST_TEST(nothing_is_left());
}

BOOST_AUTO_TEST_CASE(a_node_that_has_lost_the_key_does_not_count_and_is_repaired) {
    lock_options brief = to_write();
    brief.ttl = 900ms;
    brief.renew = false;
    for (const std::size_t lost : {1u, 2u}) {
        brief.renew = lost == 2;
        lease held = lock(first, "key", brief);
        BOOST_REQUIRE(run_until([&] { return nodes.holders("key") == 5; }));
        for (std::size_t i = 0; i < lost; ++i)
            nodes[i].command({"DEL", "key"});
        BOOST_TEST(!downgrade(held));
        BOOST_TEST(held.valid());
        if (brief.renew) BOOST_TEST(run_until([&] { return nodes_with_readers() == 5; }));
        BOOST_TEST(!unlock(held));
        BOOST_TEST(nothing_is_left());
    }
}

BOOST_AUTO_TEST_CASE(a_crash_behind_it_costs_a_writer_the_ttl) {
    asio::io_context of_its_own;
    {
        client dying(of_its_own.get_executor(), settings());
        outcome<lease> got;
        lock_options brief = to_write();
        brief.ttl = 700ms;
        brief.renew = false;
        dying.async_lock("key", brief, got.handler());
        while (!got.done())
            of_its_own.run_one();
        outcome<> downgraded;
        got.value().async_downgrade(downgraded.handler());
        while (!downgraded.done())
            of_its_own.run_one();
        BOOST_TEST(!downgraded.error());
        of_its_own.stop(); // nothing is given back
        lease next = lock(second, "key", to_write());
        BOOST_TEST(next.valid());
        BOOST_TEST(!got.value().valid());
        BOOST_TEST(!unlock(next));
    }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
