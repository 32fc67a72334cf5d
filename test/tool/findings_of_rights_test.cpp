// What the doctor says of rights, and of ways of waiting that depend on them.

#include "findings_fixture.hpp"

namespace redlock::test {
namespace {

BOOST_FIXTURE_TEST_SUITE(findings_of_rights, findings_test_fixture)

BOOST_AUTO_TEST_CASE(rights_are_judged_by_what_they_are_for) {
    lacks(purpose::locking, "+set");
    lacks(purpose::locking, "~lock:*");
    expect(severity::fault, "rights", "lacks +set ~lock:*.", "ACL SETUSER");
    nodes[1].missing_rights.clear();
    lacks(purpose::locking, "+evalsha", true);
    expect(severity::fault, "commands", "does not know evalsha.");
    nodes[1].missing_rights.clear();
    lacks(purpose::fencing, "+zadd");
    expect(severity::warning, "rights", "Fencing tokens");
    nodes[1].missing_rights.clear();
    lacks(purpose::recognition, "+info");
    expect(severity::warning, "rights", "cannot be recognised");
    nodes[1].missing_rights.clear();
    lacks(purpose::restart_guard, "+time");
    lacks(purpose::configuration, "+config|set");
    lacks(purpose::client_tracking, "+client|tracking");
    BOOST_TEST(found().empty());
    settings.restart_guard = 1s;
    expect(severity::warning, "rights", "Jumps of its clock");
    settings.restart_guard = 0s;
    settings.configure_servers = true;
    expect(severity::warning, "rights", "notify-keyspace-events");
}

BOOST_AUTO_TEST_CASE(nodes_that_keep_no_order_are_noted_where_it_is_wanted) {
    lacks(purpose::queues, "&redlock:*");
    lacks(purpose::queues, "+publish");
    expect(severity::note, "order", "lacks &redlock:* +publish.", "ACL SETUSER");
    nodes[1].missing_rights.clear();
    lacks(purpose::queues, "+zpopmin", true);
    expect(severity::note, "order", "does not know zpopmin.");
    settings.wakeup = wakeup::timed;
    BOOST_TEST(found().empty());
}

BOOST_AUTO_TEST_CASE(ways_of_waiting_that_cost_more_are_noted) {
    for (auto& node : nodes)
        node.wakeup = wakeup::client_tracking;
    const auto all = found();
    BOOST_REQUIRE_EQUAL(all.size(), 1u);
    // Said once of all three.
    BOOST_TEST((all.front().nodes == std::vector<std::size_t>{0, 1, 2}));
    BOOST_TEST(all.front().text.find("CLIENT TRACKING") != std::string::npos);
    BOOST_TEST(all.front().advice.find("notify-keyspace-events Kgxe") != std::string::npos);
    settings.wakeup = wakeup::client_tracking;
    BOOST_TEST(found().empty());
    settings.wakeup = wakeup::automatic;
    nodes[0].wakeup = nodes[2].wakeup = wakeup::keyspace_events;
    nodes[1].wakeup = wakeup::timed;
    lacks(purpose::keyspace_events, "&__keyspace@0__:lock:*");
    const auto mixed = found();
    BOOST_REQUIRE_EQUAL(mixed.size(), 2u);
    BOOST_TEST(mixed[0].topic == "mixed_wakeup");
    BOOST_TEST(mixed[1].text.find("the user lacks &__keyspace@0__:lock:*.") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_a_database_denies_is_said_though_it_could_not_be_looked_at) {
    nodes.resize(1);
    nodes[0].product = "mariadb";
    nodes[0].error = make_error_code(errc::permission_denied);
    nodes[0].missing_rights.push_back(
        {.needed_for = purpose::locking, .rule = "GRANT UPDATE ON redlock", .no_command = false});
    const auto all = found();
    BOOST_TEST(!tool::is_fit(all));
    const auto about = std::ranges::find(all, std::string("locking"), &finding::topic);
    BOOST_REQUIRE((about != all.end()));
    BOOST_TEST(about->text.find("GRANT UPDATE ON redlock") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
