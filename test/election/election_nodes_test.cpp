// Leaders and observers on real nodes that work.

#include "election_fixture.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>

#include <deque>
#include <string>

namespace redlock::test {
namespace {

namespace data = boost::unit_test::data;

std::string key_beside(const std::string& name) { return name + ":redlock-leader"; }

BOOST_FIXTURE_TEST_SUITE(election_on_nodes, nodes_election_fixture)

BOOST_AUTO_TEST_CASE(key_and_value_stand_on_all_nodes_and_go_with_the_leader) {
    leadership leads = campaign(first, "10.0.0.1:80");
    const std::string record = std::to_string(leads.term()) + ":1:10.0.0.1:80";
    BOOST_TEST(run_until([&] { return nodes.holders("key") == 5 && nodes.holders(value_of_key) == 5; }));
    for (auto& node : nodes) {
        BOOST_TEST(node.get(value_of_key).value() == record);
        BOOST_TEST((node.pttl(value_of_key) > 0ms && node.pttl(value_of_key) <= node.pttl("key") + 5ms));
    }
    leader_info seen = observe();
    BOOST_TEST(seen.value == "10.0.0.1:80");
    BOOST_TEST((seen.mark == leader_mark{leads.term(), 1}));
    auto told = begin_to_observe(seen.mark);
    BOOST_TEST(!proclaim(leads, "10.0.0.1:81"));
    seen = expect(told);
    BOOST_TEST(seen.value == "10.0.0.1:81");
    BOOST_TEST(seen.mark.version == 2u);
    told = begin_to_observe(seen.mark);
    BOOST_TEST(!unlock(leads));
    seen = expect(told);
    BOOST_TEST(!seen.present);
    BOOST_TEST(nothing_is_left());
}

BOOST_AUTO_TEST_CASE(the_next_leader_takes_over_when_one_resigns) {
    leadership leads = campaign(first, "one");
    follower follows(observes);
    auto elsewhere = ask(second, "two");
    auto here = ask(first, "three");
    settle();
    BOOST_TEST((!elsewhere.done() && !here.done()));
    std::uint64_t term = leads.term();
    BOOST_TEST(!unlock(leads));
    for (int i = 0; i < 2; ++i) {
        BOOST_REQUIRE(run_until([&] { return elsewhere.done() || here.done(); }));
        auto& next = elsewhere.done() ? elsewhere : here;
        BOOST_REQUIRE(!next.error());
        BOOST_TEST(next.value().term() > term);
        term = next.value().term();
        const std::string name = elsewhere.done() ? "two" : "three";
        BOOST_TEST(run_until([&] { return follows.sees(name); }));
        BOOST_TEST(!unlock(next.value()));
        next = {};
    }
    BOOST_TEST(run_until([&] { return follows.sees_nobody(); }));
    BOOST_TEST(!follows.has_fallen());
    BOOST_TEST(nothing_is_left());
}

BOOST_AUTO_TEST_CASE(renewals_keep_the_value_and_put_it_on_nodes_that_lost_it) {
    lock_options brief = patiently();
    brief.ttl = 900ms;
    leadership leads = campaign(first, "me", brief);
    leader_info seen = observe();
    // Or a majority would be without it.
    BOOST_REQUIRE(run_until([&] { return nodes.holders(value_of_key) == 5; }));
    auto told = begin_to_observe(seen.mark);
    nodes[1].command({"FLUSHALL"});
    nodes[3].command({"FLUSHALL"});
    nodes[4].command({"SCRIPT", "FLUSH"});
    BOOST_TEST(run_until([&] { return nodes.holders(value_of_key) == 5; }));
    const auto renewals = first.metrics().renewals;
    BOOST_TEST(run_until([&] { return first.metrics().renewals >= renewals + 4; }));
    BOOST_TEST(leads.valid());
    BOOST_TEST(nodes.holders(value_of_key) == 5u);
    BOOST_TEST(!told.done());
    BOOST_TEST(observe().value == "me");
}

BOOST_AUTO_TEST_CASE(a_majority_whose_value_was_deleted_has_no_leader_until_he_renews) {
    lock_options brief = patiently();
    brief.ttl = 2400ms;
    leadership leads = campaign(first, "me", brief);
    auto told = begin_to_observe(observe().mark);
    for (auto& node : nodes)
        node.command({"DEL", value_of_key});
    const leader_info seen = expect(told);
    BOOST_TEST(!seen.present);
    const leader_info again = observe(seen.mark);
    BOOST_TEST(again.present);
    BOOST_TEST((again.mark == leader_mark{leads.term(), 1}));
    BOOST_TEST(leads.valid());
}

BOOST_AUTO_TEST_CASE(what_is_proclaimed_while_the_lease_is_renewed_is_told_in_its_order) {
    lock_options brief = patiently();
    brief.ttl = 900ms;
    leadership leads = campaign(first, "0", brief);
    follower follows(observes);
    const auto renewals = first.metrics().renewals;
    std::uint64_t said = 0;
    while (first.metrics().renewals < renewals + 5)
        BOOST_REQUIRE(!proclaim(leads, std::to_string(++said)));
    BOOST_TEST(run_until([&] { return follows.sees(std::to_string(said)); }));
    BOOST_TEST((follows.last().mark == leader_mark{leads.term(), said + 1}));
    BOOST_TEST(!follows.has_fallen());
    const std::string record =
        std::to_string(leads.term()) + ":" + std::to_string(said + 1) + ":" + std::to_string(said);
    for (auto& node : nodes)
        BOOST_TEST(run_until([&] { return node.get(value_of_key) == record; }));
    BOOST_TEST(!unlock(leads));
    BOOST_TEST(nothing_is_left());
}

const wakeup ways[] = {wakeup::automatic, wakeup::keyspace_events, wakeup::client_tracking, wakeup::timed};

BOOST_DATA_TEST_CASE(observers_hear_in_whatever_way_nodes_tell, data::make({0, 1, 2, 3}), way) {
    config c = settings();
    c.wakeup = ways[way];
    c.configure_servers = c.wakeup != wakeup::timed;
    client watches(context.get_executor(), c);
    BOOST_REQUIRE(becomes_ready(watches));
    follower follows(watches);
    BOOST_TEST(run_until([&] { return follows.sees_nobody(); }));
    for (int i = 0; i < 3; ++i) {
        leadership leads = campaign(first, "leader " + std::to_string(i));
        BOOST_TEST(run_until([&] { return follows.sees("leader " + std::to_string(i)); }));
        BOOST_TEST(!proclaim(leads, "anew"));
        BOOST_TEST(run_until([&] { return follows.sees("anew"); }));
        BOOST_TEST(!unlock(leads));
        BOOST_TEST(run_until([&] { return follows.sees_nobody(); }));
    }
    BOOST_TEST(!follows.has_fallen());
}

BOOST_AUTO_TEST_CASE(observers_who_are_told_do_not_ask) {
    config c = settings();
    c.configure_servers = true;
    client watches(context.get_executor(), c);
    BOOST_REQUIRE(becomes_ready(watches));
    leadership leads = campaign(first, "me");
    follower follows(watches);
    BOOST_TEST(run_until([&] { return follows.sees("me"); }));
    settle();
    const auto looks = [&] {
        std::int64_t asked = 0;
        for (auto& node : nodes) {
            const std::string stats = node.command({"INFO", "commandstats"}).text;
            const auto at = stats.find("cmdstat_get:calls=");
            if (at != stats.npos) asked += std::stoll(stats.substr(at + 18));
        }
        return asked;
    };
    const std::int64_t before = looks();
    settle(2s);
    BOOST_TEST(looks() <= before + 10); // at most one look, and its events
}

BOOST_AUTO_TEST_CASE(many_observers_of_one_client_are_all_told) {
    std::deque<follower> all;
    for (int i = 0; i < 30; ++i)
        all.emplace_back(observes);
    leadership leads = campaign(first, "me");
    for (const follower& one : all)
        BOOST_TEST(run_until([&] { return one.sees("me"); }));
    BOOST_TEST(!unlock(leads));
    for (const follower& one : all)
        BOOST_TEST(run_until([&] { return one.sees_nobody(); }));
    close(observes);
    for (const follower& one : all)
        BOOST_TEST(one.error() == errc::closed);
}

BOOST_AUTO_TEST_CASE(any_bytes_are_a_value_and_any_key_a_name) {
    const std::string bytes("\0:7:8\r\n\xff*$", 10);
    for (const std::string name : {"key", "{a}b", "no}tag", "a b:c"}) {
        leadership leads = campaign(first, bytes, patiently(), name);
        BOOST_TEST((observe({}, name).value == bytes));
        BOOST_TEST(nodes.holders(key_beside(name)) >= 3u);
        BOOST_TEST(!proclaim(leads, std::string(max_leader_value_size, 'v')));
        BOOST_TEST(observe({}, name).value.size() == max_leader_value_size);
        BOOST_TEST(!unlock(leads));
        BOOST_TEST(run_until([&] { return nodes.holders(key_beside(name)) == 0; }));
    }
}

BOOST_AUTO_TEST_CASE(what_nobody_of_this_library_wrote_is_nobodys_value) {
    for (const char* const nonsense : {"", "x", "1", "1:", "1:2", "0:1:x", "1:0:x", "9007199254740993:1:x",
                                       "1:99999999999999999999:x", "-1:1:x", "1 :1:x"}) {
        for (auto& node : nodes)
            node.command({"SET", value_of_key, nonsense});
        outcome<leader_info> told = begin_to_observe();
        BOOST_REQUIRE(run_until([&] { return told.done(); }));
        BOOST_TEST(told.error() == errc::protocol_error, nonsense);
    }
    const std::string too_long = "1:1:" + std::string(max_leader_value_size + 1, 'v');
    nodes[0].command({"SET", value_of_key, too_long});
    nodes[1].command({"LPUSH", "other", "x"});
    nodes[1].command({"RENAME", "other", value_of_key});
    for (std::size_t i = 2; i < 5; ++i)
        nodes[i].command({"DEL", value_of_key});
    BOOST_TEST(!observe().present); // a majority is in order
    for (auto& node : nodes)
        node.command({"SET", value_of_key, "x"});
    leadership leads = campaign(first, "me"); // whatever stood there
    BOOST_TEST(observe().value == "me");
}

BOOST_AUTO_TEST_CASE(an_operator_sees_and_breaks_the_lead_on_nodes) {
    leadership leads = campaign(first, "one");
    BOOST_REQUIRE(run_until([&] { return nodes.holders("key") == 5 && nodes.holders(value_of_key) == 5; }));
    outcome<key_report> report;
    observes.async_inspect("key", report.handler());
    const key_report shown = expect(report);
    BOOST_REQUIRE(shown.leader.has_value());
    BOOST_TEST(shown.leader->value == "one");
    BOOST_TEST((shown.leader->mark == leader_mark{leads.term(), 1}));
    outcome<break_report> broken;
    observes.async_break(shown, broken.handler());
    BOOST_TEST(expect(broken).removed == 5u);
    BOOST_TEST(nothing_is_left());
    BOOST_TEST(proclaim(leads, "still") == errc::lease_lost);
    // A leader that came since is not touched.
    leadership next = campaign(second, "two");
    outcome<break_report> again;
    observes.async_break(shown, again.handler());
    BOOST_TEST(expect(again).removed == 0u);
    BOOST_TEST(observe().value == "two");
    BOOST_TEST(nodes.holders(value_of_key) >= 3u);
}

BOOST_AUTO_TEST_SUITE_END()

struct old_servers : nodes_election_fixture {
    old_servers()
        : nodes_election_fixture(3, {.directives = {"user default on nopass ~* &* +@all -eval -evalsha"}}) {}
};

// A node that must not run scripts cannot take a value, nor keep a key.
BOOST_FIXTURE_TEST_CASE(without_scripts_nobody_leads, old_servers) {
    BOOST_TEST(refusal(first, "me", once()) == errc::permission_denied);
    BOOST_TEST(!observe().present);
}

} // namespace
} // namespace redlock::test
