// What is asked of leases of those who read, and of sets, given up after any number of handlers, on real
// nodes.

#include "read_write_fixture.hpp"
#include "stepping.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

BOOST_TEST_DONT_PRINT_LOG_VALUE(boost::asio::cancellation_type)

namespace redlock::test {
namespace {

namespace asio = boost::asio;
namespace data = boost::unit_test::data;

constexpr asio::cancellation_type kinds_of_giving_up[] = {
    asio::cancellation_type::terminal, asio::cancellation_type::partial, asio::cancellation_type::total};

// More than any of them takes, each with time for a busy machine.
constexpr int most_lease_steps = 500;

/// Something that is begun with a token, and given up.
struct lease_step_fixture : read_write_fixture {
    lease_step_fixture() { BOOST_REQUIRE((becomes_ready(first) && becomes_ready(second))); }

    /// False when it had ended before.
    template <class Begin>
    bool give_up_after(int steps, asio::cancellation_type how, Begin begin) {
        asio::cancellation_signal cancel;
        outcome<> ending;
        begin(asio::bind_cancellation_slot(cancel.slot(), ending.handler()));
        const bool is_under_way = run_steps(*this, steps, [&] { return ending.done(); });
        cancel.emit(how);
        BOOST_REQUIRE(run_until([&] { return ending.done(); }));
        last = ending;
        const error_code e = ending.error();
        // No answer was read before the first handler ran.
        if (steps == 0) BOOST_TEST(e == asio::error::operation_aborted);
        BOOST_TEST((!e || e == asio::error::operation_aborted), "ended with " << e.message());
        return is_under_way;
    }
    /// At every point until it ends by itself.
    template <class GiveUpAfter>
    void give_up_everywhere(GiveUpAfter give_up) {
        int steps = 0;
        bool more = true;
        for (; more && steps < most_lease_steps; ++steps)
            BOOST_TEST_CONTEXT("after " << steps << " steps") {
                more = give_up(steps);
                BOOST_TEST(last.completions() == 1);
            }
        BOOST_TEST(!more);
        BOOST_TEST(steps > 1);
        BOOST_TEST(run_until([&] { return first.metrics().held == 0; }));
    }

    outcome<> last;
};

BOOST_FIXTURE_TEST_SUITE(leases_given_up, lease_step_fixture)

BOOST_DATA_TEST_CASE_F(lease_step_fixture, an_unlock_of_a_reader_goes_on, data::make(kinds_of_giving_up),
                       how) {
    give_up_everywhere([&](int steps) {
        lease held = lock(first, "key", to_read());
        const bool more = give_up_after(steps, how, [&](auto token) { held.async_unlock(std::move(token)); });
        BOOST_TEST(!held.valid());
        BOOST_TEST(nothing_is_left());
        BOOST_TEST(unlock(held) == errc::lease_lost);
        BOOST_TEST(!try_lock(second, "key", to_write(once())));
        return more;
    });
}

BOOST_DATA_TEST_CASE_F(lease_step_fixture, an_unlock_of_a_set_goes_on, data::make(kinds_of_giving_up), how) {
    const std::vector<std::string> keys{"one", "two", "three"};
    give_up_everywhere([&](int steps) {
        outcome<lease_set> got;
        first.async_lock_all(keys, patiently(), got.handler());
        BOOST_REQUIRE(run_until([&] { return got.done(); }));
        BOOST_REQUIRE(!got.error());
        const bool more =
            give_up_after(steps, how, [&](auto token) { got.value().async_unlock(std::move(token)); });
        for (const std::string& key : keys)
            BOOST_TEST(becomes_free(key));
        for (const lease& each : got.value())
            BOOST_TEST(!each.valid());
        return more;
    });
}

BOOST_DATA_TEST_CASE_F(lease_step_fixture, a_reader_that_was_to_be_extended_reads_on,
                       data::make(kinds_of_giving_up), how) {
    give_up_everywhere([&](int steps) {
        lease held = lock(first, "key", to_read());
        const bool more =
            give_up_after(steps, how, [&](auto token) { held.async_extend(2 * long_ttl, std::move(token)); });
        BOOST_TEST(held.valid());
        BOOST_TEST((last.error() || held.remaining() > long_ttl));
        BOOST_TEST(readers() == 1u);
        BOOST_TEST(try_lock(second, "key", to_write(once())) == errc::held);
        BOOST_TEST(!extend(held, 3 * long_ttl));
        BOOST_TEST((held.remaining() > 2 * long_ttl));
        BOOST_TEST(!unlock(held));
        BOOST_TEST(nothing_is_left());
        return more;
    });
}

// It reads or it writes, as the caller was told.
BOOST_DATA_TEST_CASE_F(lease_step_fixture, a_writer_that_was_to_be_downgraded_keeps_its_lease,
                       data::make(kinds_of_giving_up), how) {
    give_up_everywhere([&](int steps) {
        lease held = lock(first, "key", to_write());
        const bool more =
            give_up_after(steps, how, [&](auto token) { held.async_downgrade(std::move(token)); });
        BOOST_TEST(held.valid());
        BOOST_TEST(try_lock(second, "key", to_write(once())) == errc::held);
        if (last.error()) {
            // What the nodes have noted of a reader is taken away, and the writer stays.
            BOOST_TEST(run_until([&] { return readers() == 0; }));
            BOOST_TEST(nodes.holders("key") >= 3u);
            BOOST_TEST(try_lock(second, "key", to_read(once())) == errc::held);
        } else {
            BOOST_TEST(becomes_free("key"));
            BOOST_TEST(readers() == 1u);
            BOOST_TEST(!try_lock(second, "key", to_read(once())));
        }
        BOOST_TEST(!unlock(held));
        BOOST_TEST(nothing_is_left());
        return more;
    });
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
