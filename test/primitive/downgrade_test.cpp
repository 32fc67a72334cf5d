// Leases for writing that become leases for reading, on the engine in memory.

#include "lease/interrupted_client.hpp"
#include "lease/lease_fixture.hpp"

#include <redlock/with_diagnostics.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/test/data/test_case.hpp>

#include <deque>
#include <memory>
#include <stop_token>
#include <string>

namespace redlock::test {
namespace {

namespace asio = boost::asio;
namespace data = boost::unit_test::data;

lock_options as(mode m, lock_options options = patiently()) {
    options.mode = m;
    return options;
}

struct downgrade_fixture : lease_fixture {
    error_code downgrade(lease& held) {
        outcome<> result;
        held.async_downgrade(asio::bind_executor(context, result.handler()));
        if (!complete(result)) throw std::runtime_error("async_downgrade did not complete");
        return result.error();
    }
    bool can_be_read() { return !try_lock(other, "key", as(mode::read, once())); }
    bool can_be_written() { return !try_lock(other, "key", as(mode::write, once())); }

    client locks = make_client();
    client other = make_client();
};

BOOST_FIXTURE_TEST_SUITE(downgrade_suite, downgrade_fixture, *boost::unit_test::precondition(engine_in_hand))

BOOST_AUTO_TEST_CASE(others_may_read_and_not_write_afterwards) {
    std::stop_source stop;
    lock_options options = as(mode::write);
    options.stop = &stop;
    options.fencing = true;
    lease held = lock(locks, "key", options);
    const auto token = held.fencing_token();
    BOOST_TEST(!can_be_read());
    BOOST_TEST(!downgrade(held));
    BOOST_TEST((held.valid() && held.remaining() > long_ttl * 9 / 10));
    BOOST_TEST((held.fencing_token() == token));
    BOOST_TEST(can_be_read());
    BOOST_TEST(!can_be_written());
    BOOST_TEST(!stop.stop_requested());
    BOOST_TEST(!unlock(held));
    BOOST_TEST(!is_held());
    lease next = lock(other, "key", options);
    BOOST_TEST(next.fencing_token().value() > token.value());
}

BOOST_AUTO_TEST_CASE(it_goes_on_being_renewed_and_extended_and_hears_of_the_loss) {
    lease held = lock(locks, "key", as(mode::write));
    BOOST_TEST(!downgrade(held));
    for (int i = 0; i < 5; ++i)
        pass(5min);
    BOOST_TEST(held.valid());
    BOOST_TEST(!extend(held, 3 * long_ttl));
    BOOST_TEST(held.remaining() > long_ttl);
    BOOST_TEST(lose());
    BOOST_TEST(!held.valid());
    BOOST_TEST(held.stop_token().stop_requested());
    BOOST_TEST(unlock(held) == errc::lease_lost);
}

BOOST_AUTO_TEST_CASE(who_waits_to_read_comes_in_before_who_waits_to_write) {
    lease held = lock(locks, "key", as(mode::write));
    outcome<lease> here, there;
    locks.async_lock("key", as(mode::write), here.handler());
    other.async_lock("key", as(mode::write), there.handler());
    BOOST_REQUIRE(run_until([&] { return waiting() == 1; }));
    outcome<lease> readers[2];
    locks.async_lock("key", as(mode::read), readers[0].handler());
    other.async_lock("key", as(mode::read), readers[1].handler());
    BOOST_REQUIRE(run_until([&] { return waiting() == 3; }));
    BOOST_TEST(!downgrade(held));
    for (auto& reader : readers) {
        BOOST_REQUIRE(complete(reader));
        BOOST_TEST(!reader.error());
    }
    settle();
    BOOST_TEST((!here.done() && !there.done()));
    BOOST_TEST(!unlock(held));
    settle();
    BOOST_TEST((!here.done() && !there.done()));
    for (auto& reader : readers)
        BOOST_TEST(!unlock(reader.value()));
    BOOST_REQUIRE(run_until([&] { return here.done() || there.done(); }));
    auto& first = here.done() ? here : there;
    auto& last = here.done() ? there : here;
    BOOST_TEST(!last.done());
    BOOST_TEST(!unlock(first.value()));
    BOOST_REQUIRE(complete(last));
    BOOST_TEST(!unlock(last.value()));
}

BOOST_AUTO_TEST_CASE(several_readers_of_a_client_join_at_once) {
    lease held = lock(locks, "key", as(mode::write));
    std::deque<outcome<lease>> readers(6);
    for (auto& reader : readers)
        locks.async_lock("key", as(mode::read), reader.handler());
    settle();
    BOOST_TEST(!downgrade(held));
    for (auto& reader : readers) {
        BOOST_REQUIRE(complete(reader));
        BOOST_TEST(!reader.error());
    }
    BOOST_TEST(locks.metrics().held == readers.size() + 1);
}

BOOST_AUTO_TEST_CASE(what_is_not_for_writing_is_refused) {
    const auto why_of = [&](lease& held) {
        std::string said;
        held.async_downgrade(with_diagnostics([&](std::exception_ptr e) {
            try {
                if (e) std::rethrow_exception(e);
                said = "done";
            } catch (const boost::system::system_error& error) {
                BOOST_TEST(error.code() == errc::invalid_option);
                said = error.what();
            }
        }));
        BOOST_REQUIRE(run_until([&] { return !said.empty(); }));
        return said;
    };
    for (const mode m : {mode::exclusive, mode::read}) {
        lease held = lock(locks, "key", as(m));
        BOOST_TEST(why_of(held).find("not one for writing") != std::string::npos);
        BOOST_TEST(held.valid());
        BOOST_TEST(!unlock(held));
    }
    lease twice = lock(locks, "key", as(mode::write));
    BOOST_TEST(!downgrade(twice));
    BOOST_TEST(downgrade(twice) == errc::invalid_option);
    BOOST_TEST(twice.valid());
    BOOST_TEST(!unlock(twice));
    BOOST_TEST(downgrade(twice) == errc::lease_lost);
    lease empty;
    BOOST_TEST(downgrade(empty) == errc::lease_lost);
    const owner me;
    lock_options options = as(mode::write);
    options.owner = &me;
    lease entered = lock(locks, "key", options);
    BOOST_TEST(why_of(entered).find("an owner's") != std::string::npos);
    BOOST_TEST(entered.valid());
    BOOST_TEST(!unlock(entered));
    BOOST_TEST(downgrade(entered) == errc::lease_lost);
}

BOOST_AUTO_TEST_CASE(several_calls_at_once_come_to_the_same) {
    lease held = lock(locks, "key", as(mode::write));
    outcome<> one, two, three;
    held.async_extend(2 * long_ttl, one.handler());
    held.async_downgrade(two.handler());
    held.async_downgrade(three.handler());
    BOOST_REQUIRE((complete(one) && complete(two) && complete(three)));
    BOOST_TEST((!one.error() && !two.error() && !three.error()));
    BOOST_TEST(held.remaining() > long_ttl);
    BOOST_TEST(can_be_read());
    BOOST_TEST(!unlock(held));
    BOOST_TEST(!is_held());
}

BOOST_AUTO_TEST_CASE(it_stays_a_lease_for_writing_when_nobody_answers) {
    lease held = lock(locks, "key", as(mode::write));
    hand->fail_next(1, errc::no_quorum);
    BOOST_TEST(downgrade(held) == errc::no_quorum);
    BOOST_TEST(held.valid());
    BOOST_TEST(!can_be_read());
    BOOST_TEST(!downgrade(held));
    BOOST_TEST(can_be_read());
    BOOST_TEST(!unlock(held));
    BOOST_TEST(!is_held());
}

BOOST_AUTO_TEST_CASE(a_lease_that_is_gone_is_lost) {
    lease held = lock(locks, "key", as(mode::write));
    hand->hold(prefix + "key", 1h); // its news are still on their way
    outcome<> result;
    held.async_downgrade(result.handler());
    BOOST_REQUIRE(complete(result));
    BOOST_TEST(result.error() == errc::lease_lost);
    BOOST_TEST((!held.valid() && held.stop_token().stop_requested()));
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
        BOOST_REQUIRE(complete(downgraded));
        settle();
        BOOST_TEST(downgraded.error() == errc::lease_lost);
        if (waits) BOOST_TEST((unlocked.done() && !unlocked.error()));
        BOOST_TEST(!is_held());
    }
}

BOOST_AUTO_TEST_CASE(what_is_to_stay_stays_for_those_who_write) {
    lock_options options = as(mode::write);
    options.keep = 1h;
    lease held = lock(locks, "key", options);
    BOOST_TEST(!downgrade(held));
    BOOST_TEST(!unlock(held));
    BOOST_TEST(can_be_read());
    BOOST_TEST(!can_be_written());
    pass(1h);
    BOOST_TEST(can_be_written());
}

BOOST_AUTO_TEST_CASE(one_lease_of_a_set_is_downgraded_by_itself) {
    const std::vector<std::string> keys{"key", "other"};
    outcome<lease_set> got;
    locks.async_lock_all(keys, as(mode::write), got.handler());
    BOOST_REQUIRE(complete(got));
    BOOST_TEST(!downgrade(got.value()[0]));
    BOOST_TEST(can_be_read());
    BOOST_TEST(try_lock(other, "other", as(mode::read, once())) == errc::held);
    BOOST_TEST(got.value().valid());
    got.drop_values();
    settle();
    BOOST_TEST((!is_held() && !is_held("other")));
}

struct downgrade_ending {
    int completions = 0;
    error_code error;
};

// Whatever interrupts it, it reads or it writes, as the caller was told, and leaves nothing when it ends.
BOOST_DATA_TEST_CASE_F(downgrade_fixture, it_can_be_interrupted_anywhere, data::make(interruptions), how) {
    int steps = 0;
    for (bool more = true; more && steps < 40; ++steps) {
        interrupted_client s(settings());
        const auto end = std::make_shared<downgrade_ending>();
        outcome<lease> got;
        s.locks->async_lock("key", as(mode::write), got.handler());
        s.settle();
        BOOST_REQUIRE((got.done() && !got.error()));
        lease held = std::move(got.value());
        held.async_downgrade(asio::bind_cancellation_slot(s.cancel.slot(), [end](error_code e) {
            ++end->completions;
            end->error = e;
        }));
        for (int i = 0; i < steps && more; ++i)
            more = s.step() && end->completions == 0;
        s.interrupt(how);
        s.settle();
        BOOST_TEST_CONTEXT(how << " after " << steps << " steps") {
            if (how == interruption::loop_gone) {
                BOOST_TEST(end->completions <= 1);
                pass(48h); // as when the process had died
            } else {
                BOOST_TEST(end->completions == 1);
                if (!ends_leases(how)) {
                    BOOST_TEST(held.valid());
                    BOOST_TEST((!end->error || end->error == asio::error::operation_aborted));
                    BOOST_TEST(can_be_read() == !end->error);
                    BOOST_TEST(!can_be_written());
                }
                if (how == interruption::client_closed) BOOST_TEST((s.closed.done() && !is_held()));
                if (how == interruption::client_closed) BOOST_TEST(can_be_written());
                held = lease();
                s.settle();
            }
            BOOST_TEST(!is_held());
            BOOST_TEST(can_be_written());
        }
    }
    BOOST_TEST(steps > 1);
    BOOST_TEST(steps < 40);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
