// Leaders and those who observe them, on a service that works.

#include "leading_fixture.hpp"

#include <deque>
#include <string>

namespace redlock::test {
namespace {

BOOST_AUTO_TEST_SUITE(leading_suite, *boost::unit_test::fixture<leading_servers>())

BOOST_FIXTURE_TEST_CASE(a_value_stands_beside_the_key_and_goes_with_the_leader, leading_fixture) {
    leader_info seen = observe();
    BOOST_TEST(!seen.present);
    auto told = begin_to_observe(observes, seen.mark);
    leadership leads = campaign(first, "10.0.0.1:80");
    BOOST_TEST(places() == 1u);
    BOOST_TEST(values() == 1u);
    seen = expect(told);
    BOOST_TEST(seen.value == "10.0.0.1:80");
    BOOST_TEST((seen.mark == leader_mark{leads.term(), 1}));
    told = begin_to_observe(observes, seen.mark);
    settle();
    BOOST_TEST(!told.done());
    BOOST_TEST(!proclaim(leads, "10.0.0.1:81"));
    seen = expect(told);
    BOOST_TEST(seen.value == "10.0.0.1:81");
    BOOST_TEST((seen.mark == leader_mark{leads.term(), 2}));
    BOOST_TEST(values() == 1u);
    told = begin_to_observe(observes, seen.mark);
    BOOST_TEST(!unlock(leads));
    seen = expect(told);
    BOOST_TEST(!seen.present);
    BOOST_TEST(nothing_is_left());
    BOOST_TEST(proclaim(leads, "too late") == errc::lease_lost);
    settle();
    BOOST_TEST(values() == 0u);
}

BOOST_FIXTURE_TEST_CASE(the_next_in_the_queue_leads_when_one_resigns, leading_fixture) {
    leadership leads = campaign(first, "one");
    follower follows(observes);
    auto elsewhere = ask(second, "two");
    BOOST_REQUIRE(run_until([&] { return inspect(observes).waiting == 1; }));
    auto here = ask(first, "three");
    settle();
    BOOST_TEST((!elsewhere.done() && !here.done()));
    std::uint64_t term = leads.term();
    BOOST_TEST(!unlock(leads));
    for (auto* const next : {&elsewhere, &here}) {
        BOOST_REQUIRE(run_until([&] { return next->done(); }));
        BOOST_REQUIRE(!next->error());
        BOOST_TEST(next->value().term() > term);
        term = next->value().term();
        const std::string name = next == &elsewhere ? "two" : "three";
        BOOST_TEST(run_until([&] { return follows.sees(name); }));
        BOOST_TEST(!unlock(next->value()));
    }
    BOOST_TEST(run_until([&] { return follows.sees_nobody(); }));
    BOOST_TEST(!follows.has_fallen());
    BOOST_TEST(nothing_is_left());
}

BOOST_FIXTURE_TEST_CASE(one_attempt_is_refused_while_another_leads_and_writes_nothing, leading_fixture) {
    leadership leads = campaign(first, "one");
    auto refused = ask(second, "two", once());
    complete(refused);
    BOOST_TEST(refused.error() == errc::held);
    auto brief = ask(second, "two", {.ttl = long_ttl, .wait = 50ms});
    complete(brief);
    BOOST_TEST(brief.error() == errc::wait_timeout);
    BOOST_TEST(observe().value == "one");
    BOOST_TEST(run_until([&] { return places() == 1; }));
    BOOST_TEST(leads.valid());
}

BOOST_FIXTURE_TEST_CASE(a_plain_lock_keeps_leaders_out_and_is_told_of_by_nobody, leading_fixture) {
    lease held = lock(first, "key", fenced());
    auto leads = ask(second, "me");
    settle();
    BOOST_TEST(!leads.done());
    BOOST_TEST(!observe().present);
    BOOST_TEST(!unlock(held));
    complete(leads);
    BOOST_REQUIRE(!leads.error());
    BOOST_TEST(observe().value == "me");
    BOOST_TEST(try_lock(first) == errc::held);
}

BOOST_FIXTURE_TEST_CASE(renewals_keep_the_value_for_longer_than_the_key_would_live, leading_fixture) {
    leadership leads = campaign(first, "me", patiently(1800ms));
    auto told = begin_to_observe(observes, observe().mark);
    const auto renewals = first.metrics().renewals;
    BOOST_TEST(run_until([&] { return first.metrics().renewals >= renewals + 9; }));
    BOOST_TEST(leads.valid());
    BOOST_TEST(!told.done());
    BOOST_TEST(observe().value == "me");
}

// etcd moves both under another lease of the server.
BOOST_FIXTURE_TEST_CASE(a_lead_can_be_made_longer_and_shorter, leading_fixture) {
    leadership leads = campaign(first, "me", patiently(2s));
    follower follows(observes);
    BOOST_TEST(run_until([&] { return follows.sees("me"); }));
    for (const auto ttl : {20s, 3s}) {
        outcome<> extended;
        leads.async_extend(ttl, extended.handler());
        complete(extended);
        BOOST_TEST(!extended.error());
        BOOST_TEST(observe().value == "me");
    }
    BOOST_TEST(!proclaim(leads, "still me"));
    BOOST_TEST(run_until([&] { return follows.sees("still me"); }));
    BOOST_TEST(follows.told().size() <= 3u); // nobody first, perhaps
    BOOST_TEST(!unlock(leads));
    BOOST_TEST(nothing_is_left());
}

BOOST_FIXTURE_TEST_CASE(what_is_proclaimed_while_the_lease_is_renewed_is_told_in_its_order, leading_fixture) {
    leadership leads = campaign(first, "0", patiently(900ms));
    follower follows(observes);
    const auto renewals = first.metrics().renewals;
    std::uint64_t said = 0;
    while (first.metrics().renewals < renewals + 5)
        BOOST_REQUIRE(!proclaim(leads, std::to_string(++said)));
    BOOST_TEST(run_until([&] { return follows.sees(std::to_string(said)); }));
    BOOST_TEST((follows.last().mark == leader_mark{leads.term(), said + 1}));
    BOOST_TEST(!follows.has_fallen());
    BOOST_TEST(!unlock(leads));
    BOOST_TEST(nothing_is_left());
}

// Each of them has the order in which it was asked.
BOOST_FIXTURE_TEST_CASE(what_is_proclaimed_at_once_ends_with_the_last, leading_fixture) {
    leadership leads = campaign(first, "0");
    follower follows(observes);
    std::deque<outcome<>> all(20);
    for (std::size_t i = 0; i < all.size(); ++i)
        leads.async_proclaim(std::to_string(i + 1), all[i].handler());
    for (auto& each : all) {
        complete(each);
        BOOST_TEST(!each.error());
    }
    BOOST_TEST((observe({leads.term(), all.size()}).mark == leader_mark{leads.term(), all.size() + 1}));
    BOOST_TEST(run_until([&] { return follows.sees(std::to_string(all.size())); }));
    BOOST_TEST(!follows.has_fallen());
}

BOOST_FIXTURE_TEST_CASE(many_observers_are_all_told, leading_fixture) {
    std::deque<follower> all;
    for (int i = 0; i < 60; ++i)
        all.emplace_back(i % 2 == 0 ? observes : second);
    leadership leads = campaign(first, "me");
    for (const follower& one : all)
        BOOST_TEST(run_until([&] { return one.sees("me"); }));
    BOOST_TEST(!proclaim(leads, "anew"));
    for (const follower& one : all)
        BOOST_TEST(run_until([&] { return one.sees("anew"); }));
    BOOST_TEST(!unlock(leads));
    for (const follower& one : all)
        BOOST_TEST(run_until([&] { return one.sees_nobody(); }));
    for (const follower& one : all)
        BOOST_TEST(!one.has_fallen());
    close(observes);
    close(second);
    for (const follower& one : all)
        BOOST_TEST(one.error() == errc::closed);
    BOOST_TEST(nothing_is_left());
}

BOOST_FIXTURE_TEST_CASE(any_bytes_are_a_value_and_any_key_a_name, leading_fixture) {
    const std::string bytes("\0:7:8\r\n\xff*$", 10);
    for (const std::string& name : {std::string("key"), std::string("a/b%c"), std::string("~read"),
                                    std::string("\xff\xfe\x00z", 4), std::string(1000, '/')}) {
        leadership leads = campaign(first, bytes, patiently(), name);
        BOOST_TEST((observe({}, name).value == bytes));
        BOOST_TEST(!proclaim(leads, ""));
        BOOST_TEST(observe({leads.term(), 1}, name).value.empty());
        BOOST_TEST(!proclaim(leads, std::string(max_leader_value_size, 'v')));
        BOOST_TEST(observe({leads.term(), 2}, name).value.size() == max_leader_value_size);
        BOOST_TEST(!unlock(leads));
        BOOST_TEST(nothing_is_left());
    }
}

BOOST_FIXTURE_TEST_CASE(an_operator_sees_lists_and_breaks_the_lead, leading_fixture) {
    leadership leads = campaign(first, "one"), other = campaign(first, "two", patiently(), "other");
    const key_report shown = inspect(observes);
    BOOST_REQUIRE(shown.leader.has_value());
    BOOST_TEST(shown.leader->value == "one");
    BOOST_TEST((shown.leader->mark == leader_mark{leads.term(), 1}));
    outcome<key_list> listed;
    observes.async_list("", listed.handler());
    const key_list all = expect(listed);
    BOOST_TEST((all.keys == std::vector<std::string>{"key", "other"}));
    auto told = begin_to_observe(observes, shown.leader->mark);
    outcome<break_report> broken;
    observes.async_break(shown, broken.handler());
    BOOST_TEST(expect(broken).removed == 1u);
    BOOST_TEST(!expect(told).present);
    BOOST_TEST(run_until([&] { return places() == 1 && values() == 1; }));
    BOOST_TEST(proclaim(leads, "still") == errc::lease_lost);
    BOOST_TEST(run_until([&] { return !leads.valid(); }));
    BOOST_TEST(other.valid());
    BOOST_TEST(observe({}, "other").value == "two");
    // What was shown before takes nothing from the next.
    leadership next = campaign(second, "three");
    outcome<break_report> again;
    observes.async_break(shown, again.handler());
    BOOST_TEST(expect(again).removed == 0u);
    BOOST_TEST(observe().value == "three");
    BOOST_TEST(next.valid());
}

BOOST_FIXTURE_TEST_CASE(a_client_that_closes_takes_its_leaders_with_it, leading_fixture) {
    leadership leads = campaign(first, "me");
    auto waits = ask(first, "too");
    auto told = begin_to_observe(first, observe().mark);
    settle();
    close(first);
    BOOST_REQUIRE((waits.done() && told.done()));
    BOOST_TEST(waits.error() == errc::closed);
    BOOST_TEST(told.error() == errc::closed);
    BOOST_TEST(nothing_is_left());
    BOOST_TEST(proclaim(leads, "anew") == errc::closed);
    BOOST_TEST(!observe().present);
}

BOOST_FIXTURE_TEST_CASE(a_value_that_somebody_deleted_is_put_back_by_a_renewal, leading_fixture) {
    // What is put back before whoever observes has looked, he does not see gone.
    leadership leads = campaign(first, "me", patiently(9s));
    auto told = begin_to_observe(observes, observe().mark);
    delete_value();
    const leader_info seen = expect(told);
    BOOST_TEST(!seen.present);
    const leader_info again = observe(seen.mark);
    BOOST_TEST((again.mark == leader_mark{leads.term(), 1}));
    BOOST_TEST(again.value == "me");
    BOOST_TEST(leads.valid());
    BOOST_TEST(!unlock(leads));
    BOOST_TEST(nothing_is_left());
}

BOOST_FIXTURE_TEST_CASE(a_leader_whose_place_somebody_deleted_takes_its_value_along, leading_fixture) {
    leadership leads = campaign(first, "me", patiently(2400ms));
    follower follows(observes);
    BOOST_REQUIRE(run_until([&] { return follows.sees("me"); }));
    delete_place();
    BOOST_TEST(run_until([&] { return !leads.valid(); }));
    BOOST_TEST(run_until([&] { return follows.sees_nobody(); }));
    BOOST_TEST(nothing_is_left());
}

BOOST_FIXTURE_TEST_CASE(who_observes_is_told_by_the_server_and_does_not_ask, leading_fixture) {
    leadership leads = campaign(first, "me");
    std::vector<outcome<leader_info>> all;
    const leader_mark known = observe().mark;
    for (int i = 0; i < 20; ++i)
        all.push_back(begin_to_observe(observes, known));
    settle(500ms);
    const auto asked = observes.metrics().nodes.at(0).commands;
    settle(2s);
    BOOST_TEST(observes.metrics().nodes.at(0).commands == asked);
    BOOST_TEST(!proclaim(leads, "anew"));
    for (auto& each : all)
        BOOST_TEST(expect(each).value == "anew");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
