// Leaders that are killed, stand still and are cut off, and what is given up at any step.

#include "leading_fixture.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <memory>
#include <string>

namespace redlock::test {
namespace {

namespace asio = boost::asio;

BOOST_AUTO_TEST_SUITE(leading_fault_suite, *boost::unit_test::fixture<leading_servers>())

BOOST_FIXTURE_TEST_CASE(a_leader_that_is_killed_is_told_of_no_longer_than_its_key_lives, leading_fixture) {
    auto killed = std::make_unique<leading_child>(settings(), "killed", 1500ms);
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
    BOOST_TEST(values() == 1u);
    BOOST_TEST(!unlock(leads));
    BOOST_TEST(nothing_is_left());
}

// Nobody comes behind it.
BOOST_FIXTURE_TEST_CASE(the_value_of_a_leader_that_is_killed_goes_by_itself, leading_fixture) {
    auto killed = std::make_unique<leading_child>(settings(), "killed", 1500ms);
    follower follows(observes);
    BOOST_REQUIRE(run_until([&] { return follows.sees("killed"); }));
    killed.reset();
    BOOST_TEST(run_until([&] { return follows.sees_nobody(); }));
    BOOST_TEST(!follows.has_fallen());
    BOOST_TEST(nothing_is_left());
}

BOOST_FIXTURE_TEST_CASE(a_leader_that_stood_still_proclaims_nothing_when_it_goes_on, leading_fixture) {
    leading_child stopped(settings(), "stopped", 1500ms);
    follower follows(observes);
    BOOST_REQUIRE(run_until([&] { return follows.sees("stopped"); }));
    stopped.stop();
    leadership leads = campaign(second, "next");
    BOOST_TEST(run_until([&] { return follows.sees("next"); }));
    const std::size_t told = follows.told().size();
    stopped.resume();
    settle(1s);
    BOOST_TEST(follows.told().size() == told);
    BOOST_TEST(leads.valid());
    BOOST_TEST(values() == 1u);
    BOOST_TEST(!follows.has_fallen());
}

BOOST_FIXTURE_TEST_CASE(a_leader_that_is_cut_off_knows_it_before_another_leads, leading_fixture) {
    client distant = make_distant_client();
    leadership cut_off = campaign(distant, "cut off", patiently(1500ms));
    follower follows(observes);
    BOOST_REQUIRE(run_until([&] { return follows.sees("cut off"); }));
    auto next = ask(second, "next");
    network.black_hole();
    outcome<> never;
    cut_off.async_proclaim("never", never.handler());
    leadership leads = expect(next);
    BOOST_TEST(!cut_off.valid());
    BOOST_TEST(leads.term() > cut_off.term());
    complete(never);
    BOOST_TEST(bool(never.error()));
    network.pass();
    BOOST_REQUIRE(is_connected(distant));
    BOOST_TEST(run_until([&] { return follows.sees("next"); }));
    settle(300ms);
    BOOST_TEST(follows.sees("next"));
    BOOST_TEST(!follows.has_fallen());
    BOOST_TEST(!unlock(leads));
    BOOST_TEST(nothing_is_left());
}

BOOST_FIXTURE_TEST_CASE(observers_hear_of_what_happened_while_they_were_cut_off, leading_fixture) {
    client distant = make_distant_client();
    follower follows(distant);
    leadership leads = campaign(first, "0");
    BOOST_REQUIRE(run_until([&] { return follows.sees("0"); }));
    for (int i = 1; i <= 6; ++i) {
        if (i % 3 == 0)
            network.reset_connections();
        else if (i % 3 == 1)
            network.refuse();
        else
            network.black_hole();
        const std::string value = std::to_string(i);
        if (i % 2 == 0) {
            BOOST_TEST(!proclaim(leads, value));
        } else {
            BOOST_TEST(!unlock(leads));
            leads = campaign(i % 4 == 1 ? second : first, value);
        }
        network.pass();
        BOOST_TEST(run_until([&] { return follows.sees(value); }));
    }
    network.black_hole();
    BOOST_TEST(!unlock(leads));
    network.pass();
    BOOST_TEST(run_until([&] { return follows.sees_nobody(); }));
    BOOST_TEST(!follows.has_fallen());
    BOOST_TEST(!follows.error());
}

BOOST_FIXTURE_TEST_CASE(a_value_whose_answer_was_lost_stands_and_goes_all_the_same, leading_fixture) {
    client distant = make_distant_client();
    leadership leads = campaign(distant, "me", patiently(20s));
    follower follows(observes);
    BOOST_REQUIRE(run_until([&] { return follows.sees("me"); }));
    network.freeze(direction::to_client);
    BOOST_TEST(proclaim(leads, "unheard") == errc::no_quorum);
    BOOST_TEST(run_until([&] { return follows.sees("unheard"); }));
    network.pass();
    BOOST_REQUIRE(is_connected(distant));
    BOOST_TEST(leads.valid());
    BOOST_TEST(!proclaim(leads, "heard"));
    BOOST_TEST(run_until([&] { return follows.sees("heard"); }));
    BOOST_TEST((follows.last().mark == leader_mark{leads.term(), 3}));
    BOOST_TEST(!unlock(leads));
    BOOST_TEST(nothing_is_left());
}

// What never arrived stands with the next renewal.
BOOST_FIXTURE_TEST_CASE(a_value_that_did_not_arrive_is_put_there_by_a_renewal, leading_fixture) {
    client distant = make_distant_client();
    leadership leads = campaign(distant, "me", patiently(9s));
    follower follows(observes);
    BOOST_REQUIRE(run_until([&] { return follows.sees("me"); }));
    network.lose(direction::to_server);
    BOOST_TEST(proclaim(leads, "anew") == errc::no_quorum);
    BOOST_TEST(follows.sees("me"));
    network.pass();
    BOOST_TEST(run_until([&] { return follows.sees("anew"); }));
    BOOST_TEST(leads.valid());
}

BOOST_FIXTURE_TEST_CASE(a_resignation_that_was_not_heard_is_made_good, leading_fixture) {
    client distant = make_distant_client();
    leadership leads = campaign(distant, "me", patiently(20s));
    follower follows(observes);
    BOOST_REQUIRE(run_until([&] { return follows.sees("me"); }));
    network.lose(direction::to_server);
    BOOST_TEST(unlock(leads) == errc::no_quorum);
    network.pass();
    BOOST_TEST(run_until([&] { return follows.sees_nobody(); }));
    BOOST_TEST(nothing_is_left());
}

// Cancelled behind each handler that runs for it, cut off at each, destroyed at each, a campaign leaves
// neither key nor value.
BOOST_FIXTURE_TEST_CASE(a_campaign_that_is_interrupted_at_any_step_leaves_nothing_behind, leading_fixture) {
    leadership before = campaign(first, "before", patiently(), "waited for");
    for (const char* const name : {"free", "waited for"})
        for (const int how : {0, 1, 2})
            for (int steps = 0; steps < 16; ++steps)
                BOOST_TEST_CONTEXT(name << ", way " << how << " after " << steps << " steps") {
                    event_loop own;
                    auto distant = std::make_unique<client>(own.context.get_executor(), distant_settings());
                    // One that waits for a connection first, and one that has it.
                    if (steps % 2 == 0) {
                        outcome<key_report> looked;
                        distant->async_inspect("key", looked.handler());
                        BOOST_REQUIRE(own.run_until([&] { return looked.done(); }));
                    }
                    asio::cancellation_signal cancel;
                    outcome<leadership> wanted;
                    distant->async_campaign(name, "me", {.ttl = 1s, .wait = 300ms},
                                            asio::bind_cancellation_slot(cancel.slot(), wanted.handler()));
                    for (int i = 0; i < steps && !wanted.done(); ++i)
                        own.context.run_one_for(20ms);
                    if (how == 0) cancel.emit(asio::cancellation_type::terminal);
                    if (how == 1) network.reset_connections();
                    if (how == 2) distant.reset();
                    BOOST_TEST(own.run_until([&] { return wanted.done(); }));
                    BOOST_TEST(wanted.completions() == 1);
                    wanted.drop_values();
                    BOOST_TEST(own.run_until([&] { return places() == 1 && values() == 1; }));
                    // What was sent may come to be carried out behind that look: its client takes it back, if
                    // its loop runs until that has ended.
                    distant.reset();
                    own.context.restart();
                    own.context.run_for(patience);
                    BOOST_TEST(own.context.stopped());
                    BOOST_TEST(run_until([&] { return places() == 1 && values() == 1; }));
                }
    BOOST_TEST(observe({}, "waited for").value == "before");
    BOOST_TEST(before.valid());
}

BOOST_FIXTURE_TEST_CASE(who_gives_up_to_proclaim_leads_on, leading_fixture) {
    leadership leads = campaign(first, "me");
    follower follows(observes);
    for (int steps = 0; steps < 8; ++steps)
        BOOST_TEST_CONTEXT("after " << steps << " steps") {
            asio::cancellation_signal cancel;
            outcome<> ending;
            leads.async_proclaim("given up", asio::bind_cancellation_slot(cancel.slot(), ending.handler()));
            for (int i = 0; i < steps && !ending.done(); ++i)
                context.run_one_for(20ms);
            cancel.emit(asio::cancellation_type::terminal);
            complete(ending);
            BOOST_TEST((!ending.error() || ending.error() == asio::error::operation_aborted));
            BOOST_TEST(ending.completions() == 1);
            const std::string next = "next " + std::to_string(steps);
            BOOST_TEST(!proclaim(leads, next));
            BOOST_TEST(run_until([&] { return follows.sees(next); }));
        }
    BOOST_TEST(observe().value == "next 7");
    BOOST_TEST(!follows.has_fallen());
    BOOST_TEST(!unlock(leads));
    BOOST_TEST(nothing_is_left());
}

BOOST_FIXTURE_TEST_CASE(who_gives_up_to_observe_leaves_nothing_and_others_are_told, leading_fixture) {
    leadership leads = campaign(first, "me");
    follower follows(observes);
    BOOST_TEST(run_until([&] { return follows.sees("me"); }));
    for (int steps = 0; steps < 12; ++steps)
        BOOST_TEST_CONTEXT("after " << steps << " steps") {
            asio::cancellation_signal cancel;
            outcome<leader_info> ending;
            observes.async_observe("key", follows.last().mark,
                                   asio::bind_cancellation_slot(cancel.slot(), ending.handler()));
            for (int i = 0; i < steps; ++i)
                context.run_one_for(5ms);
            cancel.emit(asio::cancellation_type::terminal);
            complete(ending);
            BOOST_TEST(ending.error() == asio::error::operation_aborted);
            const std::string value = "behind " + std::to_string(steps);
            BOOST_TEST(!proclaim(leads, value));
            BOOST_TEST(run_until([&] { return follows.sees(value); }));
            BOOST_TEST(ending.completions() == 1);
        }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
