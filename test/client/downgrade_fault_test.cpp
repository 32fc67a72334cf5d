// Leases for writing that become leases for reading while something goes wrong, on real nodes.

#include "downgrade_fixture.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <string>

namespace redlock::test {
namespace {

namespace asio = boost::asio;

using proxied_downgrades = downgrades_on<proxied_fixture>;

BOOST_FIXTURE_TEST_SUITE(downgrade_faults, proxied_downgrades)

BOOST_AUTO_TEST_CASE(lost_replies_leave_nothing_of_a_reader) {
    config c = settings();
    c.node_timeout = 500ms;
    client locks(context.get_executor(), c);
    client other(context.get_executor(), lock_fixture::settings());
    BOOST_REQUIRE(becomes_ready(locks));
    lease held = lock(locks, "key", to_write());
    for (std::size_t i = 0; i < 3; ++i)
        proxies[i].freeze(direction::to_client);
    BOOST_TEST(downgrade(held) == errc::no_quorum);
    BOOST_TEST(held.valid());
    for (auto& proxy : proxies)
        proxy.pass();
    BOOST_TEST(run_until([&] { return nodes_with_readers() == 0; }));
    BOOST_TEST(nodes.holders("key") == 5u);
    BOOST_TEST(try_lock(other, "key", to_read(once())) == errc::held);
    BOOST_REQUIRE(becomes_ready(locks));
    BOOST_TEST(!downgrade(held));
    BOOST_TEST(comes_to_be_read(other));
    BOOST_TEST(!unlock(held));
}

BOOST_AUTO_TEST_CASE(connections_that_break_leave_nothing_of_a_reader) {
    client locks(context.get_executor(), settings());
    BOOST_REQUIRE(becomes_ready(locks));
    lease held = lock(locks, "key", to_write());
    for (std::size_t i = 0; i < 3; ++i)
        proxies[i].freeze(direction::to_client);
    outcome<> result;
    held.async_downgrade(result.handler());
    BOOST_REQUIRE(run_until([&] { return nodes_with_readers() == 5; }));
    for (std::size_t i = 0; i < 3; ++i)
        proxies[i].reset_connections();
    for (auto& proxy : proxies)
        proxy.pass();
    BOOST_REQUIRE(run_until([&] { return result.done(); }));
    BOOST_TEST(result.error() == errc::no_quorum);
    BOOST_TEST(held.valid());
    BOOST_TEST(run_until([&] { return nodes_with_readers() == 0; }));
    BOOST_TEST(nodes.holders("key") == 5u);
    BOOST_TEST(!unlock(held));
}

BOOST_AUTO_TEST_CASE(a_cancelled_call_leaves_a_lease_for_writing) {
    client locks(context.get_executor(), settings());
    client other(context.get_executor(), lock_fixture::settings());
    BOOST_REQUIRE(becomes_ready(locks));
    lease held = lock(locks, "key", to_write());
    for (auto& proxy : proxies)
        proxy.freeze(direction::to_client);
    asio::cancellation_signal cancel;
    outcome<> result;
    held.async_downgrade(asio::bind_cancellation_slot(cancel.slot(), result.handler()));
    BOOST_REQUIRE(run_until([&] { return nodes_with_readers() == 5; }));
    cancel.emit(asio::cancellation_type::terminal);
    BOOST_REQUIRE(run_until([&] { return result.done(); }));
    BOOST_TEST(result.error() == asio::error::operation_aborted);
    for (auto& proxy : proxies)
        proxy.thaw();
    BOOST_TEST(run_until([&] { return nodes_with_readers() == 0; }));
    BOOST_TEST(held.valid());
    BOOST_TEST(nodes.holders("key") == 5u);
    BOOST_TEST(try_lock(other, "key", to_read(once())) == errc::held);
    BOOST_TEST(!unlock(held));
}

BOOST_AUTO_TEST_CASE(one_of_two_calls_may_be_cancelled) {
    client locks(context.get_executor(), settings());
    BOOST_REQUIRE(becomes_ready(locks));
    lease held = lock(locks, "key", to_write());
    for (auto& proxy : proxies)
        proxy.freeze(direction::to_client);
    asio::cancellation_signal cancel;
    outcome<> one, other;
    held.async_downgrade(asio::bind_cancellation_slot(cancel.slot(), one.handler()));
    held.async_downgrade(other.handler());
    BOOST_REQUIRE(run_until([&] { return nodes_with_readers() == 5; }));
    cancel.emit(asio::cancellation_type::partial);
    BOOST_REQUIRE(run_until([&] { return one.done(); }));
    BOOST_TEST(one.error() == asio::error::operation_aborted);
    for (auto& proxy : proxies)
        proxy.thaw();
    BOOST_REQUIRE(run_until([&] { return other.done(); }));
    BOOST_TEST(!other.error());
    BOOST_TEST(becomes_free("key"));
    BOOST_TEST(run_until([&] { return nodes_with_readers() == 5; }));
    BOOST_TEST(!unlock(held));
}

BOOST_AUTO_TEST_CASE(an_unlock_or_a_close_while_nodes_are_asked_gives_everything_back) {
    for (const bool closes : {false, true}) {
        client locks(context.get_executor(), settings());
        BOOST_REQUIRE(becomes_ready(locks));
        lease held = lock(locks, "key", to_write());
        for (auto& proxy : proxies)
            proxy.freeze(direction::to_client);
        outcome<> result, unlocked;
        held.async_downgrade(result.handler());
        BOOST_REQUIRE(run_until([&] { return nodes_with_readers() == 5; }));
        if (closes)
            locks.async_close(unlocked.handler());
        else
            held.async_unlock(unlocked.handler());
        BOOST_REQUIRE(run_until([&] { return result.done(); }));
        BOOST_TEST(result.error() == (closes ? errc::closed : errc::lease_lost));
        for (auto& proxy : proxies)
            proxy.thaw();
        BOOST_REQUIRE(run_until([&] { return unlocked.done(); }));
        BOOST_TEST(run_until([&] { return nodes_with_readers() + nodes.holders("key") == 0; }));
    }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
