#pragma once

#include "tool/doctor/findings.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <functional>

namespace redlock::test {

using namespace std::chrono_literals;
using tool::finding;
using tool::severity;

/// As fit as a node can be.
inline node_examination fit_node(const std::string& name) {
    node_examination node;
    node.node = "redis://" + name + ":6379/0";
    node.product = "redis";
    node.version = "7.2.4";
    node.mode = "standalone";
    node.role = "master";
    node.run_id = name;
    node.protocol = 3;
    node.uptime = 90'000s;
    node.snapshots = false;
    node.append_only = true;
    node.append_fsync = "always";
    node.eviction_policy = "noeviction";
    node.memory_is_limited = true;
    node.keyspace_events = "AK";
    node.least_round_trip = 200us;
    node.median_round_trip = 300us;
    node.clock = clock_offset{.ahead = 2ms, .uncertainty = 100us};
    node.wakeup = wakeup::keyspace_events;
    return node;
}

struct findings_test_fixture {
    std::vector<node_examination> nodes{fit_node("a"), fit_node("b"), fit_node("c")};
    config settings{};

    std::vector<finding> found() const { return tool::findings_of(nodes, settings); }

    /// The one finding there is, on the second node.
    void expect(severity weight, const std::string& topic, const std::string& words,
                const std::string& advice = {}) const {
        const auto all = found();
        BOOST_REQUIRE_EQUAL(all.size(), 1u);
        const finding& f = all.front();
        BOOST_TEST(tool::word_of(f.weight) == tool::word_of(weight));
        BOOST_TEST(f.topic == topic);
        BOOST_TEST((f.nodes == std::vector<std::size_t>{1}));
        BOOST_TEST(f.text.find(words) != std::string::npos, f.text);
        BOOST_TEST(f.advice.find(advice) != std::string::npos, f.advice);
        BOOST_TEST(tool::is_fit(all) == (weight != severity::fault));
    }

    void lacks(purpose what, const std::string& rule, bool no_command = false) {
        nodes[1].missing_rights.push_back({.needed_for = what, .rule = rule, .no_command = no_command});
    }
};

} // namespace redlock::test
