// What an acquire that was refused gives back must not be taken from one that is granted later, however late
// the release comes, and however often it is sent.

#include "lock_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <set>
#include <string>

namespace redlock::test {
namespace {

struct late_release_test_fixture : proxied_fixture {
    /// Somebody holds the key on these nodes.
    void occupy(std::initializer_list<std::size_t> where) {
        for (const std::size_t node : where)
            nodes[node].command({"SET", "key", "somebody else"});
    }
    void vacate(std::initializer_list<std::size_t> where) {
        for (const std::size_t node : where)
            nodes[node].command({"DEL", "key"});
    }
    /// With a second connection.
    bool is_back(const client& locks, std::size_t node) {
        return run_until([&] {
            const node_metrics seen = locks.metrics().nodes[node];
            return seen.connects == 2 && seen.state == "ready";
        });
    }
};

BOOST_FIXTURE_TEST_SUITE(late_release, late_release_test_fixture)

// On a refused try the release at node 3 is executed, but its reply does not come: the client owes it. Then
// the same call is granted the key by a majority that needs node 3, and the connection to that node is lost.
BOOST_AUTO_TEST_CASE(a_release_that_is_sent_again_leaves_a_later_grant_alone) {
    config c = settings();
    c.node_timeout = 500ms;
    client locks(context.get_executor(), c);
    BOOST_REQUIRE(becomes_ready(locks));
    occupy({0, 1, 2});
    proxies[3].before_command("EVAL", [&] { proxies[3].freeze(direction::to_client); });
    outcome<lease> acquired;
    locks.async_lock("key", patiently(), acquired.handler());
    BOOST_REQUIRE(run_until([&] { return locks.metrics().nodes[3].timeouts > 0; }));
    proxies[3].thaw();
    BOOST_REQUIRE(becomes_ready(locks));
    BOOST_REQUIRE(!acquired.done());
    vacate({2});
    BOOST_REQUIRE(run_until([&] { return acquired.done(); }));
    BOOST_REQUIRE(!acquired.error());
    BOOST_REQUIRE(run_until([&] { return nodes.holders("key") == 5; }));
    proxies[3].reset_connections();
    BOOST_REQUIRE(is_back(locks, 3));
    // What was owed to the node comes first on the new connection, so it was executed before this.
    run(locks.async_inspect("key", asio::use_awaitable));
    BOOST_TEST(nodes.holders("key") == 5u);
    BOOST_TEST(acquired.value().valid());
}

BOOST_AUTO_TEST_CASE(every_try_has_a_token_of_its_own) {
    forbid_queues();
    config c = settings();
    c.wakeup = wakeup::timed;
    client locks(context.get_executor(), c);
    BOOST_REQUIRE(becomes_ready(locks));
    occupy({0, 1, 2});
    nodes[3].command({"CONFIG", "SET", "slowlog-log-slower-than", "0"});
    outcome<lease> acquired;
    locks.async_lock("key", patiently(), acquired.handler());
    BOOST_REQUIRE(run_until([&] { return locks.metrics().refusals > 0 && nodes.holders("key") == 3; }));
    vacate({0, 1, 2});
    BOOST_REQUIRE(run_until([&] { return acquired.done(); }));
    BOOST_REQUIRE(!acquired.error());
    BOOST_REQUIRE(run_until([&] { return nodes.holders("key") == 5; }));
    std::multiset<std::string> tokens;
    for (const redis_answer& entry : nodes[3].command({"SLOWLOG", "GET", "-1"}).elements) {
        const auto& words = entry.elements.at(3).elements;
        if (words.size() > 2 && words[0] == "SET" && words[1] == "key") tokens.insert(words[2].text);
    }
    BOOST_TEST(tokens.size() >= 2u);
    for (const std::string& token : tokens)
        BOOST_TEST(tokens.count(token) == 1u);
}

// A lease that was taken for ten minutes is handed on to a caller who wants it for a second. A node that is
// away from before that until after this second still has the key for ten minutes.
BOOST_AUTO_TEST_CASE(a_node_that_missed_a_shorter_life_is_told_of_the_release_however_late) {
    config c = settings();
    c.node_timeout = 500ms;
    client locks(context.get_executor(), c);
    BOOST_REQUIRE(becomes_ready(locks));
    lease first = lock(locks, "key");
    BOOST_REQUIRE(run_until([&] { return nodes.holders("key") == 5; }));
    proxies[4].refuse();
    lock_options briefly = patiently();
    briefly.ttl = 1s;
    outcome<lease> second;
    locks.async_lock("key", briefly, second.handler());
    BOOST_REQUIRE(run_until([&] { return locks.metrics().waiting == 1; }));
    BOOST_TEST(!unlock(first));
    BOOST_REQUIRE(run_until([&] { return second.done(); }));
    BOOST_REQUIRE(!second.error());
    BOOST_TEST(!unlock(second.value()));
    BOOST_REQUIRE(run_until([&] { return nodes.holders("key") == 1; }));
    nodes[0].command({"SET", "as long as that", "", "PX", "1600"});
    BOOST_REQUIRE(becomes_free("as long as that"));
    proxies[4].pass();
    BOOST_TEST(becomes_free("key"));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
