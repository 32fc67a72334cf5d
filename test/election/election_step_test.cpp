// What leaders and observers ask for, given up after any number of handlers, on real nodes.

#include "election_fixture.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>

#include <string>

BOOST_TEST_DONT_PRINT_LOG_VALUE(boost::asio::cancellation_type)

namespace redlock::test {
namespace {

namespace asio = boost::asio;
namespace data = boost::unit_test::data;

constexpr asio::cancellation_type ways_to_give_up[] = {
    asio::cancellation_type::terminal, asio::cancellation_type::partial, asio::cancellation_type::total};

// More than any of them takes, each with time for a busy machine.
constexpr int most_election_steps = 500;

struct election_step_fixture : nodes_election_fixture {
    election_step_fixture() {
        for (const client* each : {&first, &second, &observes})
            BOOST_REQUIRE(becomes_ready(*each));
    }

    /// False when it had ended before.
    template <class Ending, class Begin>
    bool give_up_after(int steps, asio::cancellation_type how, Ending& ending, Begin begin) {
        asio::cancellation_signal cancel;
        begin(asio::bind_cancellation_slot(cancel.slot(), ending.handler()));
        for (int i = 0; i < steps && !ending.done(); ++i)
            context.run_one_for(20ms);
        const bool is_under_way = !ending.done();
        cancel.emit(how);
        BOOST_REQUIRE(run_until([&] { return ending.done(); }));
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
        for (; more && steps < most_election_steps; ++steps)
            BOOST_TEST_CONTEXT("after " << steps << " steps") { more = give_up(steps); }
        BOOST_TEST(!more);
        BOOST_TEST(steps > 1);
    }
};

BOOST_FIXTURE_TEST_SUITE(election_steps, election_step_fixture)

// Observers are told the value nevertheless, until the next one, which is in its place for good.
BOOST_DATA_TEST_CASE_F(election_step_fixture, who_gives_up_to_proclaim_leads_on, data::make(ways_to_give_up),
                       how) {
    leadership leads = campaign(first, "me");
    follower follows(observes);
    BOOST_TEST(run_until([&] { return follows.sees("me"); }));
    const std::uint64_t term = leads.term();
    give_up_everywhere([&](int steps) {
        const std::string value = "given up after " + std::to_string(steps);
        outcome<> ending;
        const bool more = give_up_after(steps, how, ending,
                                        [&](auto token) { leads.async_proclaim(value, std::move(token)); });
        BOOST_TEST((leads.valid() && leads.term() == term));
        if (!ending.error()) BOOST_TEST(observe().value == value);
        BOOST_TEST(run_until([&] { return follows.sees(value); }));
        BOOST_TEST(!proclaim(leads, "next"));
        BOOST_TEST(run_until([&] { return follows.sees("next"); }));
        BOOST_TEST(ending.completions() == 1);
        return more;
    });
    BOOST_TEST(observe().value == "next");
    BOOST_TEST((!follows.has_fallen() && follows.last().mark.term == term));
    BOOST_TEST(!unlock(leads));
    BOOST_TEST(nothing_is_left());
}

BOOST_DATA_TEST_CASE_F(election_step_fixture, a_resignation_that_is_given_up_goes_on,
                       data::make(ways_to_give_up), how) {
    follower follows(observes);
    give_up_everywhere([&](int steps) {
        leadership leads = campaign(first, "me");
        BOOST_TEST(run_until([&] { return follows.sees("me"); }));
        outcome<> ending;
        const bool more =
            give_up_after(steps, how, ending, [&](auto token) { leads.async_unlock(std::move(token)); });
        BOOST_TEST(!leads.valid());
        BOOST_TEST(nothing_is_left());
        BOOST_TEST(run_until([&] { return follows.sees_nobody(); }));
        BOOST_TEST(proclaim(leads, "still") == errc::lease_lost);
        BOOST_TEST(ending.completions() == 1);
        return more;
    });
    BOOST_TEST(!follows.has_fallen());
    BOOST_TEST(run_until([&] { return first.metrics().held == 0; }));
    leadership next = campaign(second, "next", once());
    BOOST_TEST(next.valid());
}

// Those who go on to observe are told as before.
BOOST_DATA_TEST_CASE_F(election_step_fixture, who_gives_up_to_observe_leaves_nothing,
                       data::make(ways_to_give_up), how) {
    leadership leads = campaign(first, "me");
    follower follows(observes);
    BOOST_TEST(run_until([&] { return follows.sees("me"); }));
    give_up_everywhere([&](int steps) {
        outcome<leader_info> ending;
        const bool more = give_up_after(
            steps, how, ending, [&](auto token) { observes.async_observe("key", {}, std::move(token)); });
        BOOST_TEST(ending.value().present == !ending.error());
        BOOST_TEST(ending.completions() == 1);
        return more;
    });
    // One that waits for a change that does not come.
    for (const int steps : {0, 1, 2, 3, 5, 8, 13}) {
        outcome<leader_info> ending;
        BOOST_TEST(give_up_after(steps, how, ending, [&](auto token) {
            observes.async_observe("key", follows.last().mark, std::move(token));
        }));
        BOOST_TEST(ending.error() == asio::error::operation_aborted);
        BOOST_TEST(!proclaim(leads, "behind " + std::to_string(steps)));
        BOOST_TEST(run_until([&] { return follows.sees("behind " + std::to_string(steps)); }));
        BOOST_TEST(ending.completions() == 1);
    }
    BOOST_TEST(!unlock(leads));
    BOOST_TEST(run_until([&] { return follows.sees_nobody(); }));
    BOOST_TEST(nothing_is_left());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
