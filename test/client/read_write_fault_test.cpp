// Readers and writers that crash, are lost, give up or are ended.

#include "read_write_fixture.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <stop_token>
#include <string>
#include <vector>

namespace redlock::test {
namespace {

namespace asio = boost::asio;

BOOST_FIXTURE_TEST_SUITE(read_write_faults, read_write_fixture)

BOOST_AUTO_TEST_CASE(a_reader_that_crashed_costs_a_writer_its_ttl) {
    for (auto& node : nodes) // as it would be without its process
        node.command({"EVAL",
                      "local t=redis.call('time') redis.call('zadd',KEYS[1],t[1]*1000+700,'r') return "
                      "redis.call('pexpire',KEYS[1],700)",
                      "1", readers_of_key});
    const auto began = std::chrono::steady_clock::now();
    lease held = lock(first, "key", to_write());
    BOOST_TEST((std::chrono::steady_clock::now() - began < 5s));
    BOOST_TEST(held.valid());
}

BOOST_AUTO_TEST_CASE(leases_are_renewed_extended_and_repaired) {
    for (const mode m : {mode::read, mode::write}) {
        lock_options brief = to(m);
        brief.ttl = 600ms;
        lease held = lock(first, "key", brief);
        nodes[1].command({"FLUSHALL"});
        const auto renewed = [&] { return first.metrics().renewals >= (m == mode::read ? 3u : 6u); };
        BOOST_TEST(run_until(renewed));
        BOOST_TEST(held.valid());
        const char* const at = m == mode::read ? readers_of_key : "key";
        BOOST_TEST(run_until([&] { return nodes.holders(at) == 5; }));
        BOOST_TEST(!extend(held, long_ttl));
        BOOST_TEST((nodes[0].pttl(at) > long_ttl / 2));
        BOOST_TEST(!unlock(held));
        BOOST_TEST(nothing_is_left());
    }
}

BOOST_AUTO_TEST_CASE(one_of_several_readers_keeps_its_own_time) {
    lock_options brief = to_read();
    brief.ttl = 400ms;
    brief.renew = false;
    lease passing = lock(first, "key", brief);
    lease staying = lock(second, "key", to_read());
    BOOST_TEST(run_until([&] { return !passing.valid(); }));
    BOOST_TEST(staying.valid());
    BOOST_TEST(try_lock(first, "key", to_write(once())) == errc::held);
    BOOST_TEST(!unlock(staying));
    BOOST_TEST(run_until([&] { return !try_lock(first, "key", to_write(once())); }));
}

BOOST_AUTO_TEST_CASE(what_a_majority_lost_is_lost) {
    for (const mode m : {mode::read, mode::write}) {
        lock_options brief = to(m);
        brief.ttl = 900ms;
        std::stop_source stop;
        brief.stop = &stop;
        lease held = lock(first, "key", brief);
        for (std::size_t i = 0; i < 3; ++i) {
            // Somebody of the other kind is there before, so that it cannot be put back.
            if (m == mode::read)
                nodes[i].command({"SET", "key", "somebody", "PX", "60000"});
            else
                nodes[i].command({"ZADD", readers_of_key, "9e15", "somebody"});
            nodes[i].command({"DEL", m == mode::read ? readers_of_key : "key"});
        }
        BOOST_TEST(run_until([&] { return stop.stop_requested(); }));
        BOOST_TEST(!held.valid());
        BOOST_TEST(unlock(held) == errc::lease_lost);
        for (std::size_t i = 0; i < 3; ++i)
            nodes[i].command({"FLUSHALL"});
        BOOST_TEST(nothing_is_left());
    }
}

BOOST_AUTO_TEST_CASE(tokens_rise_from_grant_to_grant_of_either_kind) {
    std::uint64_t last = 0;
    for (int i = 0; i < 6; ++i) {
        lock_options options = i % 2 == 0 ? to_read() : to_write();
        options.fencing = true;
        lease held = lock(i % 3 == 0 ? first : second, "key", options);
        BOOST_TEST(held.fencing_token().value() > last);
        last = held.fencing_token().value();
        BOOST_TEST(!unlock(held));
    }
    lock_options reading = to_read();
    reading.fencing = true;
    lease one = lock(first, "key", reading);
    lease two = lock(second, "key", reading);
    BOOST_TEST(two.fencing_token().value() > one.fencing_token().value());
}

BOOST_AUTO_TEST_CASE(a_wait_ends_when_it_is_over_and_leaves_nothing) {
    lease reader = lock(first, "key", to_read());
    lock_options options = to_write();
    options.wait = 150ms;
    BOOST_TEST(try_lock(second, "key", options) == errc::wait_timeout);
    BOOST_TEST(becomes_free("key"));
    BOOST_TEST(!unlock(reader));
    lease writer = lock(first, "key", to_write());
    options.mode = mode::read;
    BOOST_TEST(try_lock(second, "key", options) == errc::wait_timeout);
    BOOST_TEST(!unlock(writer));
    BOOST_TEST(nothing_is_left());
}

BOOST_AUTO_TEST_CASE(a_cancelled_call_leaves_nothing) {
    for (const mode m : {mode::read, mode::write}) {
        lease in_the_way = lock(first, "key", to(m == mode::read ? mode::write : mode::read));
        asio::cancellation_signal cancel;
        outcome<lease> got;
        second.async_lock("key", to(m), asio::bind_cancellation_slot(cancel.slot(), got.handler()));
        settle();
        cancel.emit(asio::cancellation_type::total);
        BOOST_REQUIRE(run_until([&] { return got.done(); }));
        BOOST_TEST(got.error() == asio::error::operation_aborted);
        BOOST_TEST(!unlock(in_the_way));
        BOOST_TEST(nothing_is_left());
        BOOST_TEST(second.metrics().waiting == 0u);
    }
}

BOOST_AUTO_TEST_CASE(a_closed_client_ends_a_writer_that_waits_for_readers) {
    lease reader = lock(first, "key", to_read());
    outcome<lease> writer, other_writer;
    second.async_lock("key", to_write(), writer.handler());
    second.async_lock("key", to_write(), other_writer.handler());
    BOOST_REQUIRE(run_until([&] { return nodes.holders("key") == 5; }));
    close(second);
    BOOST_TEST(writer.error() == errc::closed);
    BOOST_TEST(other_writer.error() == errc::closed);
    BOOST_TEST(becomes_free("key"));
    BOOST_TEST(!unlock(reader));
    BOOST_TEST(nothing_is_left());
}

BOOST_AUTO_TEST_CASE(nodes_may_be_away) {
    nodes[0].kill();
    nodes[1].kill();
    lease reader = lock(first, "key", to_read());
    BOOST_TEST(try_lock(second, "key", to_write(once())) == errc::held);
    BOOST_TEST(!unlock(reader));
    BOOST_TEST(!try_lock(second, "key", to_write(once())));
    nodes[2].kill();
    BOOST_TEST(try_lock(second, "key", to_read(once())) == errc::no_quorum);
    BOOST_TEST(try_lock(second, "key", to_write(once())) == errc::no_quorum);
}

BOOST_AUTO_TEST_CASE(what_does_not_go_together_is_refused) {
    lock_options options = to_read(once());
    options.permits = 2;
    BOOST_TEST(try_lock(first, "key", options) == errc::invalid_option);
    const owner me;
    options = to_read(once());
    options.owner = &me;
    BOOST_TEST(try_lock(first, "key", options) == errc::invalid_option);
    BOOST_TEST(try_lock(first, "key:redlock-readers", once()) == errc::invalid_key);
    outcome<lease_set> several;
    first.async_lock_all(std::vector<std::string>{"a", "b"}, to_read(once()), several.handler());
    BOOST_REQUIRE(run_until([&] { return several.done(); }));
    BOOST_TEST(several.error() == errc::invalid_option);
    outcome<lease_set> written;
    first.async_lock_all(std::vector<std::string>{"a", "b"}, to_write(), written.handler());
    BOOST_REQUIRE(run_until([&] { return written.done(); }));
    BOOST_TEST(!written.error());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
