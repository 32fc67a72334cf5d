// Who leads, on an engine in memory or on a real one.

#include "election_fixture.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <string>
#include <type_traits>
#include <utility>

namespace redlock::test {
namespace {

namespace asio = boost::asio;

static_assert(std::is_base_of_v<lease, leadership> && !std::is_copy_constructible_v<leadership>);
static_assert(std::is_trivially_destructible_v<leader_mark>);

BOOST_FIXTURE_TEST_SUITE(election, election_fixture)

BOOST_AUTO_TEST_CASE(a_leader_is_told_of_with_term_and_value) {
    const leader_info before = observe();
    BOOST_TEST(!before.present);
    auto told = begin_to_observe(before.mark);
    leadership leads = campaign(first, "one");
    BOOST_TEST(leads.valid());
    BOOST_TEST(leads.term() > 0u);
    BOOST_TEST(leads.fencing_token().value() == leads.term());
    BOOST_TEST(leads.key() == "key");
    const leader_info seen = expect(told);
    BOOST_TEST(seen.present);
    BOOST_TEST(seen.value == "one");
    BOOST_TEST(seen.mark.term == leads.term());
    BOOST_TEST(seen.mark.version == 1u);
}

BOOST_AUTO_TEST_CASE(who_observes_waits_until_something_differs) {
    leadership leads = campaign(first, "one");
    const leader_info seen = observe();
    auto told = begin_to_observe(seen.mark);
    settle();
    BOOST_TEST(!told.done());
    BOOST_TEST(!proclaim(leads, "two"));
    const leader_info next = expect(told);
    BOOST_TEST(next.value == "two");
    BOOST_TEST((next.mark == leader_mark{leads.term(), 2}));
    // What was told before is never told again.
    const leader_info from_the_start = observe();
    BOOST_TEST(from_the_start.value == "two");
}

BOOST_AUTO_TEST_CASE(marks_that_nobody_gave_are_taken_for_what_they_say) {
    constexpr std::uint64_t most = ~std::uint64_t{0};
    leadership leads = campaign(first, "one");
    BOOST_TEST(!proclaim(leads, "two"));
    // Of the past, and of what never was before.
    for (const leader_mark& behind : {leader_mark{leads.term(), 1}, leader_mark{leads.term() - 1, most},
                                      leader_mark{leads.term() - 1, 7}, leader_mark{leads.term(), 0}})
        BOOST_TEST(observe(behind).value == "two");
    // That nobody leads, and this was the last.
    BOOST_TEST(observe({leads.term(), 2 | ~(most >> 1)}).value == "two");
    // Of what is still to come: nothing of before is told.
    auto of_this_term = begin_to_observe({leads.term(), 3});
    auto of_a_later = begin_to_observe({leads.term() + 1000, 1});
    auto of_the_last = begin_to_observe({most, most >> 1});
    settle();
    BOOST_TEST((!of_this_term.done() && !of_a_later.done() && !of_the_last.done()));
    BOOST_TEST(!proclaim(leads, "three"));
    settle();
    BOOST_TEST((!of_this_term.done() && !of_a_later.done() && !of_the_last.done()));
    BOOST_TEST(!proclaim(leads, "four"));
    BOOST_TEST(expect(of_this_term).value == "four");
    BOOST_TEST((!of_a_later.done() && !of_the_last.done()));
    BOOST_TEST(!unlock(leads));
    BOOST_TEST((expect(of_a_later).mark == leader_mark{leads.term() + 1000, 1 | ~(most >> 1)}));
    BOOST_TEST((expect(of_the_last).mark == leader_mark{most, most}));
    auto nobody_is_known = begin_to_observe({most, most});
    settle();
    BOOST_TEST(!nobody_is_known.done());
}

BOOST_AUTO_TEST_CASE(a_resignation_is_told_at_once_and_leaves_nothing) {
    leadership leads = campaign(first, "one");
    auto told = begin_to_observe(observe().mark);
    BOOST_TEST(!unlock(leads));
    const leader_info seen = expect(told);
    BOOST_TEST(!seen.present);
    BOOST_TEST(seen.value.empty());
    BOOST_TEST(!is_held());
    BOOST_TEST(!inspect(observer).leader.has_value());
    BOOST_TEST(proclaim(leads, "too late") == errc::lease_lost);
    BOOST_TEST(unlock(leads) == errc::lease_lost);
    // It is known already.
    auto again = begin_to_observe(seen.mark);
    settle();
    BOOST_TEST(!again.done());
    leadership next = campaign(second, "two");
    BOOST_TEST(expect(again).mark.term == next.term());
}

BOOST_AUTO_TEST_CASE(who_campaigns_waits_for_the_leader_and_has_a_higher_term) {
    leadership leads = campaign(first, "one");
    auto waiting_elsewhere = ask(second, "two");
    BOOST_REQUIRE(run_until([&] { return waiting() == 1; }));
    auto waiting_here = ask(first, "three");
    settle();
    BOOST_TEST(!waiting_elsewhere.done());
    BOOST_TEST(!waiting_here.done());
    const std::uint64_t term = leads.term();
    leads = leadership(); // who is destroyed resigns
    BOOST_REQUIRE(complete(waiting_elsewhere));
    BOOST_TEST(waiting_elsewhere.value().term() > term);
    BOOST_TEST(observe().value == "two");
    BOOST_TEST(!waiting_here.done());
    const std::uint64_t second_term = waiting_elsewhere.value().term();
    BOOST_TEST(!unlock(waiting_elsewhere.value()));
    BOOST_REQUIRE(complete(waiting_here));
    BOOST_TEST(waiting_here.value().term() > second_term);
    BOOST_TEST(observe().value == "three");
}

// A leader of the same process is seen to go before the next one is there, and never leads again by a
// renewal in between.
BOOST_AUTO_TEST_CASE(a_lead_is_not_handed_on_within_a_process) {
    leadership leads = campaign(first, "one");
    auto next = ask(first, "two");
    settle();
    BOOST_TEST(!unlock(leads));
    BOOST_REQUIRE(complete(next));
    BOOST_TEST(first.metrics().handoffs == 0u);
    BOOST_TEST((observe().mark == leader_mark{next.value().term(), 1}));
}

BOOST_AUTO_TEST_CASE(locks_and_leaders_of_one_key_keep_each_other_out) {
    lock_options fenced = patiently();
    fenced.fencing = true;
    lease held = lock(first, "key", fenced);
    auto leads = ask(first, "me");
    settle();
    BOOST_TEST(!leads.done());
    BOOST_TEST(!observe().present);
    BOOST_TEST(!unlock(held));
    BOOST_REQUIRE(complete(leads));
    BOOST_TEST(observe().present);
    BOOST_TEST(try_lock(second) == errc::held);
    BOOST_TEST(!unlock(leads.value()));
    BOOST_TEST(!try_lock(second));
}

BOOST_AUTO_TEST_CASE(any_bytes_of_a_bounded_length_are_a_value) {
    const std::string bytes("\0:1:2\xff\r\n", 8);
    leadership leads = campaign(first, bytes);
    BOOST_TEST((observe().value == bytes));
    const std::string longest(max_leader_value_size, 'v');
    BOOST_TEST(!proclaim(leads, longest));
    BOOST_TEST((observe().value == longest));
    BOOST_TEST(proclaim(leads, longest + 'v') == errc::invalid_option);
    BOOST_TEST(!proclaim(leads, ""));
    BOOST_TEST(observe().value.empty());
    BOOST_TEST(observe().present);
    BOOST_TEST(refusal(second, longest + 'v', once()) == errc::invalid_option);
}

BOOST_AUTO_TEST_CASE(options_that_make_no_sense_are_refused) {
    lock_options several = once();
    several.permits = 2;
    lock_options reading = once();
    reading.mode = mode::read;
    lock_options writing = once();
    writing.mode = mode::write;
    lock_options keeping = once();
    keeping.keep = 1s;
    lock_options without_ttl = once();
    without_ttl.ttl = 0ms;
    const owner me;
    lock_options owned = once();
    owned.owner = &me;
    for (const lock_options& wrong : {several, reading, writing, keeping, without_ttl, owned})
        BOOST_TEST(refusal(first, "me", wrong) == errc::invalid_option);
    outcome<leadership> got;
    first.async_campaign("", "me", once(), got.handler());
    BOOST_REQUIRE(complete(got));
    BOOST_TEST(got.error() == errc::invalid_key);
    outcome<leader_info> told;
    first.async_observe("k:redlock-leader", {}, told.handler());
    BOOST_REQUIRE(complete(told));
    BOOST_TEST(told.error() == errc::invalid_key);
    BOOST_TEST(first.metrics().waiting == 0u);
}

BOOST_AUTO_TEST_CASE(one_attempt_is_refused_at_once) {
    leadership leads = campaign(first, "one");
    BOOST_TEST(refusal(second, "two", once()) == errc::held);
    BOOST_TEST(refusal(first, "two", once()) == errc::held);
    BOOST_TEST(observe().value == "one");
}

BOOST_AUTO_TEST_CASE(a_wait_for_a_leader_ends_with_its_time,
                     *boost::unit_test::precondition(engine_in_hand)) {
    leadership leads = campaign(first, "one");
    lock_options brief = patiently();
    brief.wait = 1min;
    auto waiting_for_it = ask(second, "two", brief);
    settle();
    pass(2min);
    BOOST_REQUIRE(complete(waiting_for_it));
    BOOST_TEST(waiting_for_it.error() == errc::wait_timeout);
    BOOST_TEST(observe().value == "one");
}

BOOST_AUTO_TEST_CASE(an_operator_sees_and_breaks_the_lead) {
    leadership leads = campaign(first, "one");
    const key_report shown = inspect(observer);
    BOOST_REQUIRE(shown.leader.has_value());
    BOOST_TEST(shown.leader->value == "one");
    BOOST_TEST((shown.leader->mark == leader_mark{leads.term(), 1}));
    auto told = begin_to_observe(shown.leader->mark);
    outcome<break_report> broken;
    observer.async_break(shown, broken.handler());
    BOOST_REQUIRE(complete(broken));
    BOOST_TEST(broken.value().removed == 1u);
    BOOST_TEST(!expect(told).present);
    BOOST_TEST(proclaim(leads, "still") == errc::lease_lost);
    BOOST_TEST(run_until([&] { return !leads.valid(); }));
}

BOOST_AUTO_TEST_CASE(what_is_observed_ends_with_the_client) {
    leadership leads = campaign(first, "one");
    auto told = begin_to_observe(observe().mark);
    outcome<> told_lost;
    leads.async_wait_lost(told_lost.handler());
    settle();
    close(observer);
    BOOST_TEST(told.completions() == 1);
    BOOST_TEST(told.error() == errc::closed);
    outcome<leader_info> after;
    observer.async_observe("key", {}, after.handler());
    BOOST_REQUIRE(complete(after));
    BOOST_TEST(after.error() == errc::closed);
    close(first);
    BOOST_TEST(told_lost.error() == errc::closed);
    BOOST_TEST(proclaim(leads, "two") == errc::closed);
    BOOST_TEST(!is_held());
    auto refused = ask(first, "me");
    BOOST_REQUIRE(complete(refused));
    BOOST_TEST(refused.error() == errc::closed);
}

BOOST_AUTO_TEST_CASE(an_empty_one_is_nobodys) {
    leadership none;
    BOOST_TEST(!none);
    BOOST_TEST(none.term() == 0u);
    BOOST_TEST(!none.valid());
    outcome<> result;
    none.async_proclaim("x", asio::bind_executor(context, result.handler()));
    BOOST_REQUIRE(complete(result));
    BOOST_TEST(result.error() == errc::lease_lost);
    client gone = make_client();
    client other = std::move(gone);
    outcome<leadership> got;
    gone.async_campaign("key", "x", {}, asio::bind_executor(context, got.handler()));
    outcome<leader_info> told;
    gone.async_observe("key", {}, asio::bind_executor(context, told.handler()));
    BOOST_REQUIRE((complete(got) && complete(told)));
    BOOST_TEST(got.error() == errc::closed);
    BOOST_TEST(told.error() == errc::closed);
}

BOOST_AUTO_TEST_CASE(a_lease_of_another_kind_leads_nobody) {
    leadership leads = campaign(first, "me");
    lease& as_lease = leads;
    as_lease = lock(first, "other");
    BOOST_TEST(proclaim(leads, "you") == errc::lease_lost);
    BOOST_TEST(leads.term() == 0u);
    BOOST_TEST(!is_held());
    leadership again = campaign(first, "me");
    lease taken = std::move(again);
    BOOST_TEST(!again);
    BOOST_TEST(taken.valid());
    BOOST_TEST(observe().present);
    BOOST_TEST(!unlock(taken));
    BOOST_TEST(!observe().present);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
