#include "findings_fixture.hpp"

namespace redlock::test {
namespace {

BOOST_FIXTURE_TEST_SUITE(findings, findings_test_fixture)

BOOST_AUTO_TEST_CASE(nothing_is_found_about_nodes_that_are_fit) {
    BOOST_TEST(found().empty());
    BOOST_TEST(tool::is_fit({}));
}

BOOST_AUTO_TEST_CASE(the_number_of_nodes_is_judged) {
    const auto judge = [&](std::size_t count, const char* weight) {
        nodes.clear();
        for (std::size_t i = 0; i < count; ++i)
            nodes.push_back(fit_node(std::to_string(i)));
        const auto all = found();
        BOOST_REQUIRE_EQUAL(all.size(), 1u);
        BOOST_TEST(tool::word_of(all.front().weight) == weight);
        BOOST_TEST(all.front().topic == "number");
        BOOST_TEST(all.front().nodes.empty());
        return all.front().text;
    };
    judge(1, "warning");
    judge(2, "warning");
    BOOST_TEST(judge(4, "note").find("4 bear the loss of 1, as 3 do") != std::string::npos);
    BOOST_TEST(judge(6, "note").find("6 bear the loss of 2, as 5 do") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_backup_is_not_counted_among_the_nodes) {
    settings.backup = "postgresql://h";
    node_examination backup;
    backup.node = settings.backup;
    backup.product = "postgresql";
    nodes.push_back(backup);
    for (const finding& f : found())
        BOOST_TEST((f.topic != "number" && f.topic != "majority" && f.topic != "backup"), f.text);
    nodes.back().refusal = make_error_code(errc::node_quarantined);
    const auto all = found();
    BOOST_TEST(std::ranges::count(all, "backup", &finding::topic) == 1);
    BOOST_TEST(!tool::is_fit(all));
}

BOOST_AUTO_TEST_CASE(a_node_out_of_reach_is_a_fault_and_too_many_are_another) {
    node_examination down;
    down.node = nodes[1].node;
    down.error = make_error_code(errc::authentication_failed);
    down.error_text = "redis://b:6379/0 refused the user or the password";
    nodes[1] = down;
    expect(severity::fault, "unreachable", "refused the user or the password.", "password");
    down.node = nodes[2].node;
    down.error_text = "redis://c:6379/0 refused the user or the password";
    nodes[2] = down;
    const auto all = found();
    BOOST_REQUIRE_EQUAL(all.size(), 3u);
    BOOST_TEST(all.back().topic == "majority");
    BOOST_TEST(all.back().text.find("Only 1 of 3") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_group_needs_the_guard_whatever_its_servers_keep) {
    nodes[1].group_master = "10.0.0.1:6379";
    nodes[1].replicas_needed = 1;
    nodes[1].replicas_longest_lag = 10s;
    expect(severity::warning, "promotion", "After a fail-over it votes at once", "restart_guard");
    settings.restart_guard = 10s;
    BOOST_TEST(found().empty());
    nodes[1].append_only = false;
    BOOST_TEST(found().empty());
    nodes[1].replicas_needed = 0;
    expect(severity::note, "old_master", "goes on accepting writes", "min-replicas-to-write 1");
    nodes[1].replicas_needed = 1;
    nodes[1].replicas_longest_lag = 0s;
    expect(severity::note, "old_master", "without effect", "min-replicas-max-lag 10");
    nodes[1].replicas_needed.reset();
    BOOST_TEST(found().empty());
}

BOOST_AUTO_TEST_CASE(a_replica_is_a_fault_and_nothing_more_is_said_of_it) {
    nodes[1].role = "replica";
    nodes[1].master = "10.0.0.1:6379";
    nodes[1].refusal = make_error_code(errc::read_only);
    nodes[1].append_only = false;
    expect(severity::fault, "replica", "of 10.0.0.1:6379,");
    nodes[1].replica_of = 2;
    expect(severity::fault, "replica", "of redis://c:6379/0,");
}

BOOST_AUTO_TEST_CASE(one_server_under_two_addresses_is_a_fault) {
    nodes[1].same_server_as = 0;
    expect(severity::fault, "same_server", "redis://a:6379/0");
}

BOOST_AUTO_TEST_CASE(one_server_of_a_cluster_is_a_fault_and_a_whole_cluster_is_none) {
    nodes[1].mode = "cluster";
    expect(severity::fault, "mode", "It runs in cluster mode, in which it does not take every key",
           "redis+cluster://");
    nodes[1].mode = "sentinel";
    expect(severity::fault, "mode", "It runs in sentinel mode", "independent servers");
    nodes[1].mode = "cluster";
    nodes[1].node = "redis+cluster://b:6379";
    BOOST_TEST(found().empty());
}

BOOST_AUTO_TEST_CASE(eviction_is_a_fault_where_memory_is_limited) {
    nodes[1].eviction_policy = "volatile-ttl";
    expect(severity::fault, "eviction", "volatile-ttl", "noeviction");
    nodes[1].memory_is_limited = false;
    expect(severity::note, "eviction", "maxmemory is not set");
    nodes[1].memory_is_limited.reset();
    expect(severity::fault, "eviction", "volatile-ttl");
}

BOOST_AUTO_TEST_CASE(what_a_restart_forgets_is_a_warning_without_the_guard) {
    nodes[1].append_fsync = "everysec";
    expect(severity::warning, "persistence", "everysec", "restart_guard");
    nodes[1].append_only = false;
    expect(severity::warning, "persistence", "held: two clients can get one lock", "appendfsync always");
    nodes[1].snapshots = true;
    expect(severity::warning, "persistence", "since its last snapshot");
    nodes[1].append_only.reset();
    expect(severity::note, "persistence", "does not tell");
    settings.restart_guard = 60s;
    BOOST_TEST(found().empty());
}

BOOST_AUTO_TEST_CASE(a_node_that_was_started_lately_is_out_for_a_while) {
    settings.restart_guard = 60s;
    nodes[1].uptime = 5s;
    expect(severity::warning, "quarantined", "started 5.0 s ago, less than restart_guard (60.0 s)");
    nodes[1].refusal = make_error_code(errc::node_quarantined);
    nodes[1].refusal_text = "redis://b:6379/0 was started 5 s ago, and stays out";
    expect(severity::warning, "quarantined", "stays out.");
}

BOOST_AUTO_TEST_CASE(clocks_that_are_far_apart_are_a_warning) {
    nodes[1].clock = clock_offset{.ahead = -3500ms, .uncertainty = 1ms};
    expect(severity::warning, "clock", "3.5 s behind that of this machine");
    nodes[1].clock = clock_offset{.ahead = 2h, .uncertainty = 1ms};
    expect(severity::warning, "clock", "7200 s ahead of that of this machine");
    nodes[1].clock = clock_offset{.ahead = 1500ms, .uncertainty = 600ms};
    BOOST_TEST(found().empty());
    nodes[1].clock.reset();
    BOOST_TEST(found().empty());
}

BOOST_AUTO_TEST_CASE(round_trips_are_judged_by_the_node_timeout) {
    settings.node_timeout = 40ms;
    nodes[1].median_round_trip = 9ms;
    BOOST_TEST(found().empty());
    nodes[1].median_round_trip = 12ms;
    expect(severity::warning, "latency", "12.0 ms, more than a quarter of node_timeout (40.0 ms)", "96.0 ms");
    nodes[1].median_round_trip = 40ms;
    expect(severity::fault, "latency", "not less than node_timeout");
}

// The client gives commands eight round trips to a majority.
BOOST_AUTO_TEST_CASE(a_node_is_slow_only_beside_a_majority_that_is_nearer) {
    for (node_examination& node : nodes) {
        node.least_round_trip = 30ms;
        node.median_round_trip = 31ms;
    }
    BOOST_TEST(found().empty());
    nodes[1].least_round_trip = nodes[1].median_round_trip = 80ms;
    expect(severity::fault, "latency", "A round trip to it takes 80.0 ms");
    nodes[0].least_round_trip = nodes[2].least_round_trip = 1ms;
    nodes[0].median_round_trip = nodes[2].median_round_trip = 1ms;
    expect(severity::fault, "latency", "A round trip to it takes 80.0 ms");
}

BOOST_AUTO_TEST_CASE(old_servers_are_told_apart) {
    nodes[1].version = "5.0.14";
    expect(severity::warning, "version", "neither fencing tokens");
    nodes[1].version = "6.0.20";
    expect(severity::note, "version", "tokens are dear");
    nodes[1].version = "6.2.7";
    expect(severity::note, "version", "does not name its holder.");
    nodes[1].version = "10.0.0";
    BOOST_TEST(found().empty());
    nodes[1].protocol = 2;
    expect(severity::note, "protocol", "RESP2");
}

BOOST_AUTO_TEST_CASE(the_gravest_comes_first) {
    nodes[0].wakeup = wakeup::automatic;
    nodes[1].append_only = false;
    nodes[2].role = "replica";
    const auto all = found();
    BOOST_REQUIRE_EQUAL(all.size(), 3u);
    BOOST_TEST((std::ranges::is_sorted(all, std::greater(), &finding::weight)));
    BOOST_TEST(all.front().topic == "replica");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
