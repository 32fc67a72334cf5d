// Leaders and observers while nodes, leaders and connections fail.

#include "client/forked_child.hpp"
#include "election_fixture.hpp"
#include "leading_process.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace redlock::test {
namespace {

namespace asio = boost::asio;

BOOST_FIXTURE_TEST_SUITE(election_faults, nodes_election_fixture)

BOOST_AUTO_TEST_CASE(a_leader_that_is_killed_is_followed_by_the_next_after_its_ttl) {
    auto killed = std::make_unique<leading_process>(settings(), "killed", 1500ms);
    follower follows(observes);
    BOOST_REQUIRE(run_until([&] { return follows.sees("killed"); }));
    const std::uint64_t term = follows.last().mark.term;
    auto next = ask(second, "next");
    settle();
    BOOST_TEST(!next.done());
    killed.reset();
    leadership leads = expect(next);
    BOOST_TEST(leads.term() > term);
    BOOST_TEST(run_until([&] { return follows.sees("next"); }));
    BOOST_TEST(!follows.has_fallen());
}

BOOST_AUTO_TEST_CASE(nodes_that_fail_one_after_the_other_do_not_bring_a_leader_back) {
    // A first try that finds the key free may await the token of the stopped node for all of node_timeout.
    const lock_options longer_than_node_timeout = with_ttl(12s);
    follower follows(observes);
    leadership leads = campaign(first, "0", longer_than_node_timeout);
    BOOST_TEST(run_until([&] { return follows.sees("0"); }));
    for (std::size_t i = 0; i < 5; ++i) {
        const std::string value = std::to_string(i + 1);
        if (i % 2 == 0)
            nodes[i].stop();
        else
            nodes[i].kill();
        client& by = i % 2 == 0 ? second : first;
        auto next = ask(by, value, longer_than_node_timeout);
        leads = leadership();
        leads = expect(next);
        BOOST_TEST(run_until([&] { return follows.sees(value); }));
        if (i % 2 == 0)
            nodes[i].resume();
        else
            nodes[i].restart();
        // Or the next one is missing while this one is.
        for (const client* by_now : {&first, &second, &observes})
            BOOST_REQUIRE(becomes_ready(*by_now));
    }
    BOOST_TEST(!proclaim(leads, "last"));
    BOOST_TEST(run_until([&] { return follows.sees("last"); }));
    BOOST_TEST(!follows.has_fallen());
    BOOST_TEST(!unlock(leads));
    BOOST_TEST(run_until([&] { return follows.sees_nobody(); }));
    BOOST_TEST(nothing_is_left());
}

BOOST_AUTO_TEST_CASE(a_minority_that_is_away_hides_nobody) {
    leadership leads = campaign(first, "me");
    nodes[0].stop();
    nodes[3].stop();
    leader_info seen = observe();
    BOOST_TEST(seen.value == "me");
    auto told = begin_to_observe(seen.mark);
    BOOST_TEST(!proclaim(leads, "anew"));
    seen = expect(told);
    BOOST_TEST(seen.value == "anew");
    told = begin_to_observe(seen.mark);
    BOOST_TEST(!unlock(leads));
    seen = expect(told);
    BOOST_TEST(!seen.present);
    nodes[0].resume();
    nodes[3].resume();
    // What stays on them until they were told brings nobody back.
    BOOST_TEST(nothing_is_left());
    auto nobody = begin_to_observe(seen.mark);
    settle(500ms);
    BOOST_TEST(!nobody.done());
}

BOOST_AUTO_TEST_CASE(without_a_majority_nothing_is_told_and_nobody_leads) {
    leadership leads = campaign(first, "me");
    const leader_info seen = observe();
    for (std::size_t i = 0; i < 3; ++i)
        nodes[i].stop();
    auto told = begin_to_observe(seen.mark);
    auto from_the_start = begin_to_observe();
    BOOST_TEST(proclaim(leads, "anew") == errc::no_quorum);
    BOOST_TEST(leads.valid());
    const error_code refused = refusal(second, "two", once());
    BOOST_TEST((refused == errc::held || refused == errc::no_quorum)); // as two of the nodes say
    settle(300ms);
    BOOST_TEST((!told.done() && !from_the_start.done()));
    for (std::size_t i = 0; i < 3; ++i)
        nodes[i].resume();
    BOOST_TEST(expect(from_the_start).present);
    // The nodes may have carried it out late; else the next one does.
    if (!told.done()) proclaim(leads, "anew");
    BOOST_TEST(expect(told).value == "anew");
}

BOOST_AUTO_TEST_CASE(nodes_that_may_have_forgotten_say_nothing_of_leaders) {
    leadership leads = campaign(first, "me");
    config c = settings();
    c.restart_guard = 1h;
    client guarded(context.get_executor(), c);
    outcome<leader_info> told;
    guarded.async_observe("key", {}, told.handler());
    settle(600ms);
    BOOST_TEST(!told.done());
    close(guarded);
    BOOST_TEST(told.error() == errc::closed);
    BOOST_TEST(observe().value == "me");
}

BOOST_AUTO_TEST_CASE(what_waiting_does_not_cure_is_an_error_of_an_observer) {
    for (auto& node : nodes)
        node.command({"ACL", "SETUSER", "blind", "on", ">secret", "~other*", "&*", "+@all"});
    config c = settings();
    for (std::size_t i = 0; i < c.nodes.size(); ++i)
        c.nodes[i] = nodes[i].uri("blind", "secret");
    client blind(context.get_executor(), c);
    outcome<leader_info> told;
    blind.async_observe("key", {}, told.handler());
    BOOST_REQUIRE(run_until([&] { return told.done(); }));
    BOOST_TEST(told.error() == errc::permission_denied);
    auto refused = ask(blind, "me");
    BOOST_REQUIRE(run_until([&] { return refused.done(); }));
    BOOST_TEST(refused.error() == errc::permission_denied);
}

// etcd #22123: what a node could not be told of a resignation, it is told when it is back.
BOOST_AUTO_TEST_CASE(a_resignation_reaches_nodes_that_were_away) {
    leadership leads = campaign(first, "me");
    BOOST_TEST(run_until([&] { return nodes.holders(value_of_key) == 5; }));
    for (std::size_t i = 0; i < 3; ++i)
        nodes[i].stop();
    BOOST_TEST(unlock(leads) == errc::no_quorum);
    for (std::size_t i = 0; i < 3; ++i)
        nodes[i].resume();
    BOOST_TEST(nothing_is_left());
    BOOST_TEST(!observe().present);
}

// election_cut_off_test has the one that was told nothing of its end.
BOOST_AUTO_TEST_CASE(a_leader_whose_key_runs_out_early_stops_as_soon_as_it_is_told) {
    std::stop_source stop;
    lock_options options = with_ttl(1500ms);
    options.stop = &stop;
    leadership leads = campaign(first, "one", options);
    follower follows(observes);
    BOOST_TEST(run_until([&] { return follows.sees("one"); }));
    auto next = ask(second, "two", with_ttl(60s));
    settle();
    for (auto& node : nodes)
        node.command({"PEXPIRE", "key", "1"});
    leadership after = expect(next);
    BOOST_TEST(run_until([&] { return stop.stop_requested(); }));
    BOOST_TEST(!leads.valid());
    BOOST_TEST(after.valid());
    BOOST_TEST(proclaim(leads, "still") == errc::lease_lost);
    BOOST_TEST(run_until([&] { return follows.sees("two"); }));
    leads = leadership();
    settle(300ms);
    BOOST_TEST(follows.sees("two"));
    BOOST_TEST(!follows.has_fallen());
}

// etcd #21128: whoever gives up leaves neither key nor value, whenever he does.
BOOST_AUTO_TEST_CASE(a_campaign_that_is_given_up_at_any_time_leaves_nothing) {
    for (int after = 0; after < 40; ++after) {
        asio::cancellation_signal cancel;
        outcome<leadership> got;
        first.async_campaign("key", "me", patiently(),
                             asio::bind_cancellation_slot(cancel.slot(), got.handler()));
        for (int i = 0; i < after && !got.done(); ++i)
            context.run_one_for(10ms);
        cancel.emit(asio::cancellation_type::terminal);
        BOOST_REQUIRE(run_until([&] { return got.done(); }));
        BOOST_TEST(got.completions() == 1);
        BOOST_TEST((!got.error() || got.error() == asio::error::operation_aborted));
        got.drop_values();
        BOOST_TEST(nothing_is_left());
    }
    BOOST_TEST(run_until([&] { return first.metrics().held == 0; }));
}

BOOST_AUTO_TEST_CASE(a_client_that_goes_takes_its_leaders_with_it) {
    std::optional<client> goes(std::in_place, context.get_executor(), settings());
    leadership leads = campaign(*goes, "me");
    auto waits = ask(*goes, "too");
    outcome<leader_info> told;
    goes->async_observe("key", observe().mark, told.handler());
    settle();
    goes.reset();
    BOOST_REQUIRE(run_until([&] { return waits.done() && told.done(); }));
    BOOST_TEST(waits.error() == errc::closed);
    BOOST_TEST(told.error() == errc::closed);
    BOOST_TEST(nothing_is_left());
    BOOST_TEST(proclaim(leads, "anew") == errc::closed);
}

BOOST_AUTO_TEST_CASE(a_child_that_was_forked_leads_nobody_and_does_the_leader_no_harm) {
    leadership leads = campaign(first, "me", with_ttl(3s));
    follower follows(observes);
    BOOST_TEST(run_until([&] { return follows.sees("me"); }));
    forked_child child([&]() -> std::string {
        context.notify_fork(asio::io_context::fork_child);
        if (leads.valid()) return "leads";
        outcome<> proclaimed;
        leads.async_proclaim("child", proclaimed.handler());
        outcome<leader_info> told = begin_to_observe();
        auto got = ask(first, "child");
        run_until([&] { return proclaimed.done() && told.done() && got.done(); });
        if (proclaimed.error() != errc::closed) return "proclaims: " + proclaimed.error().message();
        if (told.error() != errc::closed) return "observes: " + told.error().message();
        if (got.error() != errc::closed) return "campaigns: " + got.error().message();
        leads = leadership();
        return {};
    });
    BOOST_REQUIRE(run_until([&] { return child.ended(); }));
    BOOST_TEST(child.verdict() == "");
    BOOST_TEST(leads.valid());
    const auto renewals = first.metrics().renewals;
    BOOST_TEST(run_until([&] { return first.metrics().renewals > renewals; }));
    BOOST_TEST(follows.last().value == "me");
    BOOST_TEST(!proclaim(leads, "anew"));
    BOOST_TEST(run_until([&] { return follows.sees("anew"); }));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
