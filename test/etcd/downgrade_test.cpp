// Leases for writing that become leases for reading, in a real etcd cluster.

#include "etcd_fixture.hpp"
#include "support/fault_proxy.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <memory>

namespace redlock::test {
namespace {

namespace asio = boost::asio;

lock_options as(mode m, lock_options options = patiently()) {
    options.mode = m;
    return options;
}

struct etcd_downgrade_fixture : etcd_fixture {
    error_code downgrade(lease& held) {
        outcome<> result;
        held.async_downgrade(result.handler());
        complete(result);
        return result.error();
    }
    bool can_be_read() { return !try_lock(others, "key", as(mode::read, once())); }
    /// The key for writing goes behind the downgrade, and nobody waits for that.
    bool comes_to_be_read() {
        return run_until([&] { return can_be_read(); });
    }
    bool can_be_written() { return !try_lock(others, "key", as(mode::write, once())); }

    client locks = make_client(), others = make_client();
};

BOOST_FIXTURE_TEST_SUITE(downgrade_suite, etcd_downgrade_fixture)

BOOST_AUTO_TEST_CASE(others_may_read_and_not_write_afterwards) {
    lease held = lock(locks, "key", as(mode::write, fenced()));
    const auto token = held.fencing_token();
    BOOST_TEST(!can_be_read());
    BOOST_TEST(!downgrade(held));
    BOOST_TEST((held.valid() && held.remaining() > long_ttl * 9 / 10));
    BOOST_TEST((held.fencing_token() == token));
    BOOST_TEST(!check(others, *token));
    BOOST_TEST(comes_to_be_read());
    BOOST_TEST(!can_be_written());
    BOOST_TEST(inspect(others).readers.size() == 1u);
    BOOST_TEST(!unlock(held));
    BOOST_TEST(check(others, *token) == errc::lease_lost);
    BOOST_TEST(keys() == 0u);
    lease next = lock(others, "key", as(mode::write, fenced()));
    BOOST_TEST(*next.fencing_token() > *token);
}

// A key that is made behind theirs keeps those waiting who asked to write before.
BOOST_AUTO_TEST_CASE(who_has_waited_to_write_waits_on) {
    client third = make_client();
    lease held = lock(locks, "key", as(mode::write));
    outcome<lease> writer, reader;
    others.async_lock("key", as(mode::write), writer.handler());
    BOOST_REQUIRE(waits(locks, 1));
    third.async_lock("key", as(mode::read), reader.handler());
    BOOST_REQUIRE(waits(locks, 2));
    const auto looks = [&] { return others.metrics().nodes.at(0).commands; };
    const std::uint64_t before = looks();
    BOOST_TEST(!downgrade(held));
    BOOST_TEST(run_until([&] { return looks() > before; })); // who is in front of it now
    const key_report seen = inspect(others);
    BOOST_TEST((!seen.holder && seen.readers.size() == 1));
    BOOST_TEST(waits(locks, 2));
    BOOST_TEST((!writer.done() && !reader.done()));
    BOOST_TEST(!unlock(held));
    complete(writer);
    BOOST_TEST(!writer.error());
    BOOST_TEST(!reader.done());
    BOOST_TEST(!unlock(writer.value()));
    complete(reader);
    BOOST_TEST(!reader.error());
}

BOOST_AUTO_TEST_CASE(it_goes_on_being_renewed_and_extended_and_hears_of_the_loss) {
    lease held = lock(locks, "key", as(mode::write, patiently(900ms)));
    BOOST_TEST(!downgrade(held));
    BOOST_TEST(run_until([&] { return locks.metrics().renewals >= 4; }));
    BOOST_TEST(held.valid());
    outcome<> extended;
    held.async_extend(3s, extended.handler());
    complete(extended);
    BOOST_TEST(!extended.error());
    BOOST_TEST((held.remaining() > 2s));
    BOOST_TEST(!can_be_written());
    BOOST_TEST(run_until([&] { return keys() == 1; }));
    cluster.control({"del", cluster.keys("redlock/").at(0)});
    BOOST_TEST(run_until([&] { return !held.valid(); }));
    BOOST_TEST(unlock(held) == errc::lease_lost);
}

BOOST_AUTO_TEST_CASE(a_lease_that_is_not_renewed_ends_in_its_time) {
    lock_options brief = as(mode::write, patiently(1500ms));
    brief.renew = false;
    lease held = lock(locks, "key", brief);
    BOOST_TEST(!downgrade(held));
    BOOST_TEST(comes_to_be_read());
    BOOST_TEST(run_until([&] { return !held.valid(); }));
    BOOST_TEST(becomes_free());
}

BOOST_AUTO_TEST_CASE(one_that_stays_stays_for_those_who_write) {
    lock_options options = as(mode::write);
    options.keep = 600s;
    lease held = lock(locks, "key", options);
    BOOST_TEST(!downgrade(held));
    BOOST_TEST(!unlock(held));
    BOOST_TEST(comes_to_be_read());
    BOOST_TEST(!can_be_written());
}

BOOST_AUTO_TEST_CASE(a_key_that_is_gone_is_not_downgraded) {
    lease held = lock(locks, "key", as(mode::write));
    cluster.control({"del", cluster.keys("redlock/").at(0)});
    BOOST_TEST(downgrade(held) == errc::lease_lost);
    BOOST_TEST(!held.valid());
    BOOST_TEST(keys() == 0u);
}

BOOST_AUTO_TEST_CASE(an_unlock_on_its_heels_gives_everything_back) {
    for (const bool waits : {true, false}) {
        lease held = lock(locks, "key", as(mode::write));
        outcome<> downgraded, unlocked;
        held.async_downgrade(downgraded.handler());
        if (waits)
            held.async_unlock(unlocked.handler());
        else
            held = lease();
        complete(downgraded);
        BOOST_TEST(downgraded.error() == errc::lease_lost);
        BOOST_TEST(becomes_free());
    }
}

// Cancelled behind each handler that runs for it, cut off at each, it reads or it writes, as was told.
BOOST_AUTO_TEST_CASE(it_can_be_interrupted_at_any_step) {
    fault_proxy network{cluster.port()};
    for (const int how : {0, 1, 2})
        for (int steps = 0; steps < 8; ++steps)
            BOOST_TEST_CONTEXT("way " << how << " after " << steps << " steps") {
                event_loop own;
                auto distant = std::make_unique<client>(own.context.get_executor(),
                                                        settings(cluster.uri_over({network.port()})));
                outcome<lease> got;
                distant->async_lock("key", as(mode::write), got.handler());
                BOOST_REQUIRE(own.run_until([&] { return got.done(); }));
                BOOST_REQUIRE(!got.error());
                lease held = std::move(got.value());
                asio::cancellation_signal cancel;
                outcome<> downgraded;
                held.async_downgrade(asio::bind_cancellation_slot(cancel.slot(), downgraded.handler()));
                for (int i = 0; i < steps && !downgraded.done(); ++i)
                    own.context.run_one_for(20ms);
                if (how == 0) cancel.emit(asio::cancellation_type::terminal);
                if (how == 1) network.reset_connections();
                if (how == 2) distant.reset();
                BOOST_REQUIRE(own.run_until([&] { return downgraded.done(); }));
                BOOST_TEST(downgraded.completions() == 1);
                if (how != 2) {
                    BOOST_TEST(held.valid());
                    const bool reads = !downgraded.error();
                    // A key that came of it all the same is taken back.
                    BOOST_TEST(own.run_until([&] { return keys() == 1 && can_be_read() == reads; }));
                    BOOST_TEST(!can_be_written());
                }
                held = lease();
                BOOST_TEST(own.run_until([&] { return keys() == 0; }));
                BOOST_TEST(can_be_written());
            }
}

BOOST_AUTO_TEST_CASE(a_lost_reply_leaves_a_lease_for_writing) {
    fault_proxy network{cluster.port()};
    config c = settings(cluster.uri_over({network.port()}));
    c.node_timeout = 500ms;
    client distant(context.get_executor(), c);
    lease held = lock_briefly(distant, "key", as(mode::write, patiently(60s)));
    network.freeze(direction::to_client);
    BOOST_TEST(downgrade(held) == errc::no_quorum);
    BOOST_TEST(held.valid());
    BOOST_TEST(run_until([&] { return keys() == 2; }));
    network.pass();
    BOOST_TEST(run_until([&] { return keys() == 1; }));
    BOOST_TEST(!can_be_read());
    BOOST_TEST(run_until([&] { return !downgrade(held); }));
    BOOST_TEST(comes_to_be_read());
    BOOST_TEST(!unlock(held));
    BOOST_TEST(keys() == 0u);
    close(distant);
    BOOST_TEST(all_keys() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
