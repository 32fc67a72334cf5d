#include "read_write_fixture.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <deque>
#include <stop_token>
#include <string>
#include <vector>

namespace redlock::test {
namespace {

namespace asio = boost::asio;

BOOST_FIXTURE_TEST_SUITE(read_write, read_write_fixture)

BOOST_AUTO_TEST_CASE(readers_hold_it_together_and_keep_writers_out) {
    lease one = lock(first, "key", to_read());
    lease two = lock(first, "key", to_read());
    lease three = lock(second, "key", to_read(once()));
    BOOST_TEST((one.valid() && two.valid() && three.valid()));
    BOOST_TEST(readers() == 3u);
    BOOST_TEST(nodes.holders("key") == 0u);
    BOOST_TEST(try_lock(second, "key", to_write(once())) == errc::held);
    BOOST_TEST(try_lock(first, "key", to_write(once())) == errc::held);
    BOOST_TEST(becomes_free("key")); // the writer gave up what it had
    BOOST_TEST(!try_lock(second, "key", to_read(once())));
    BOOST_TEST(!unlock(one));
    BOOST_TEST(!unlock(two));
    BOOST_TEST(try_lock(second, "key", to_write(once())) == errc::held);
    BOOST_TEST(!unlock(three));
    BOOST_TEST(!try_lock(second, "key", to_write(once())));
    BOOST_TEST(nothing_is_left());
}

BOOST_AUTO_TEST_CASE(a_writer_keeps_everybody_out) {
    lease held = lock(first, "key", to_write());
    for (client* who : {&first, &second}) {
        BOOST_TEST(try_lock(*who, "key", to_read(once())) == errc::held);
        BOOST_TEST(try_lock(*who, "key", to_write(once())) == errc::held);
        BOOST_TEST(try_lock(*who, "key", once()) == errc::held);
    }
    BOOST_TEST(readers() == 0u);
    BOOST_TEST(!unlock(held));
    BOOST_TEST(nothing_is_left());
}

BOOST_AUTO_TEST_CASE(a_writer_waits_for_readers_and_keeps_new_ones_out) {
    lease one = lock(first, "key", to_read());
    lease two = lock(second, "key", to_read());
    outcome<lease> writer;
    second.async_lock("key", to_write(), writer.handler());
    BOOST_REQUIRE(run_until([&] { return nodes.holders("key") == 5; }));
    BOOST_TEST(try_lock(first, "key", to_read(once())) == errc::held);
    BOOST_TEST(!unlock(one));
    settle();
    BOOST_TEST(!writer.done());
    const auto left = std::chrono::steady_clock::now();
    BOOST_TEST(!unlock(two));
    BOOST_REQUIRE(run_until([&] { return writer.done(); }));
    BOOST_TEST((std::chrono::steady_clock::now() - left < 2s)); // it is told, and does not wait for the ttl
    BOOST_TEST(!writer.error());
    BOOST_TEST(writer.value().valid());
    BOOST_TEST(!unlock(writer.value()));
    BOOST_TEST(nothing_is_left());
}

BOOST_AUTO_TEST_CASE(readers_wait_for_a_writer_and_come_in_together) {
    lease held = lock(first, "key", to_write());
    std::deque<outcome<lease>> waiting(12);
    for (std::size_t i = 0; i < waiting.size(); ++i)
        (i % 2 == 0 ? first : second).async_lock("key", to_read(), waiting[i].handler());
    settle();
    for (auto& reader : waiting)
        BOOST_TEST(!reader.done());
    BOOST_TEST(first.metrics().waiting + second.metrics().waiting == waiting.size());
    BOOST_TEST(!unlock(held));
    for (auto& reader : waiting) {
        BOOST_REQUIRE(run_until([&] { return reader.done(); }));
        BOOST_TEST(!reader.error());
        BOOST_TEST(reader.value().valid());
    }
    BOOST_TEST(readers() == waiting.size());
    waiting.clear();
    settle(1ms);
    BOOST_TEST(nothing_is_left());
}

BOOST_AUTO_TEST_CASE(readers_and_writers_of_one_client_wait_beside_each_other) {
    for (int i = 0; i < 10; ++i) {
        lease held = lock(first, "key", to_write());
        outcome<lease> reader, writer;
        second.async_lock("key", i % 2 == 0 ? to_read() : to_write(), reader.handler());
        settle(2ms);
        second.async_lock("key", i % 2 == 0 ? to_write() : to_read(), writer.handler());
        settle(10ms);
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

// kazoo #649: a writer and a reader that waited for another writer were not woken.
BOOST_AUTO_TEST_CASE(a_writer_and_a_reader_elsewhere_are_both_served_behind_a_writer) {
    client third(context.get_executor(), settings());
    for (const client* each : {&first, &second, &third})
        BOOST_REQUIRE(becomes_ready(*each));
    for (int i = 0; i < 10; ++i) {
        lease held = lock(first, "key", to_write());
        outcome<lease> writer, reader;
        const auto waits = [&](client& by, const lock_options& options, outcome<lease>& got) {
            by.async_lock("key", options, got.handler());
            BOOST_REQUIRE(run_until([&] { return by.metrics().waiting == 1; }));
            settle(10ms);
        };
        if (i % 2 == 0) waits(second, to_write(), writer);
        waits(third, to_read(), reader);
        if (i % 2 == 1) waits(second, to_write(), writer);
        const auto released = std::chrono::steady_clock::now();
        BOOST_TEST(!unlock(held));
        BOOST_REQUIRE(run_until([&] { return writer.done() || reader.done(); }));
        auto& one = writer.done() ? writer : reader;
        auto& other = writer.done() ? reader : writer;
        BOOST_REQUIRE(!one.error());
        BOOST_TEST(!other.done());
        BOOST_TEST(!unlock(one.value()));
        BOOST_REQUIRE(run_until([&] { return other.done(); }));
        BOOST_REQUIRE(!other.error());
        BOOST_TEST(!unlock(other.value()));
        BOOST_TEST((std::chrono::steady_clock::now() - released < 10s)); // the ttl is far longer
    }
    BOOST_TEST(nothing_is_left());
}

BOOST_AUTO_TEST_CASE(writers_hand_over_to_each_other) {
    lease held = lock(first, "key", to_write());
    outcome<lease> here, there;
    first.async_lock("key", to_write(), here.handler());
    second.async_lock("key", to_write(), there.handler());
    settle();
    BOOST_TEST(!unlock(held));
    BOOST_REQUIRE(run_until([&] { return here.done() || there.done(); }));
    auto& next = here.done() ? here : there;
    auto& last = here.done() ? there : here;
    BOOST_TEST(!next.error());
    BOOST_TEST(!last.done());
    BOOST_TEST(!unlock(next.value()));
    BOOST_REQUIRE(run_until([&] { return last.done(); }));
    BOOST_TEST(!unlock(last.value()));
    BOOST_TEST(nothing_is_left());
}

BOOST_AUTO_TEST_CASE(readers_get_in_under_a_flood_of_writers) {
    bool over = false;
    int written = 0;
    const auto flood = [](client& by, bool& end, int& count) -> asio::awaitable<void> {
        const lock_options options = to_write();
        while (!end) {
            lease held = co_await by.async_lock("key", options);
            ++count;
            co_await held.async_unlock();
        }
    };
    for (client* who : {&first, &second})
        for (int i = 0; i < 4; ++i)
            asio::co_spawn(context, flood(*who, over, written), asio::detached);
    BOOST_REQUIRE(run_until([&] { return written > 20; }));
    for (int i = 0; i < 5; ++i) {
        lock_options options = to_read();
        options.wait = 10s;
        outcome<lease> reader;
        first.async_lock("key", options, reader.handler());
        BOOST_REQUIRE(run_until([&] { return reader.done(); }));
        BOOST_TEST(!reader.error());
        BOOST_TEST(!unlock(reader.value()));
    }
    over = true;
    BOOST_TEST(run_until([&] {
        return first.metrics().held + second.metrics().held == 0 &&
               first.metrics().waiting + second.metrics().waiting == 0;
    }));
}

BOOST_AUTO_TEST_CASE(a_writer_gets_in_under_a_flood_of_readers) {
    bool over = false;
    const auto flood = [](client& by, bool& end) -> asio::awaitable<void> {
        const lock_options options = to_read();
        while (!end) {
            lease held = co_await by.async_lock("key", options);
            asio::steady_timer timer(co_await asio::this_coro::executor, 2ms);
            co_await timer.async_wait(asio::deferred);
            co_await held.async_unlock();
        }
    };
    for (client* who : {&first, &second})
        for (int i = 0; i < 4; ++i)
            asio::co_spawn(context, flood(*who, over), asio::detached);
    BOOST_REQUIRE(run_until([&] { return readers() > 2; }));
    for (int i = 0; i < 5; ++i) {
        lock_options options = to_write();
        options.wait = 10s;
        outcome<lease> writer;
        second.async_lock("key", options, writer.handler());
        BOOST_REQUIRE(run_until([&] { return writer.done(); }));
        BOOST_TEST(!writer.error());
        BOOST_TEST(!unlock(writer.value()));
    }
    over = true;
    BOOST_TEST(run_until([&] {
        return first.metrics().held + second.metrics().held == 0 &&
               first.metrics().waiting + second.metrics().waiting == 0;
    }));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
