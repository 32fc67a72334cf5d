// Candidates whose place in the queues is lost while they wait.

#include "election_fixture.hpp"
#include "leading_process.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>

#include <algorithm>
#include <string>

namespace redlock::test {
namespace {

namespace data = boost::unit_test::data;

struct election_queue_fixture : nodes_election_fixture {
    static constexpr const char* queue_of_key = "key:redlock-queue";

    /// Whether so many stand in the queue of each node.
    bool all_queue(std::int64_t count) {
        return run_until([&] {
            for (auto& node : nodes)
                if (node.command({"ZCARD", queue_of_key}).integer != count) return false;
            return true;
        });
    }
    void forget_queues() {
        for (auto& node : nodes)
            node.command({"DEL", queue_of_key});
    }
    leadership lead_everywhere() {
        leadership leads = campaign(first, "first");
        BOOST_REQUIRE(run_until([&] { return nodes.holders("key") == nodes.size(); }));
        return leads;
    }
};

BOOST_FIXTURE_TEST_SUITE(election_queue, election_queue_fixture)

// etcd #19597: a candidate whose session had ended while it waited was elected with it, or never.
BOOST_DATA_TEST_CASE_F(election_queue_fixture, who_is_forgotten_while_it_waits_is_elected_all_the_same,
                       data::make({false, true}), has_come_again) {
    client third(context.get_executor(), settings());
    for (const client* each : {&first, &second, &third})
        BOOST_REQUIRE(becomes_ready(*each));
    leadership leads = lead_everywhere();
    follower follows(observes);
    auto one = ask(second, "second");
    auto two = ask(third, "third");
    BOOST_REQUIRE(all_queue(2));
    forget_queues();
    if (has_come_again) BOOST_REQUIRE(all_queue(2));
    std::uint64_t term = leads.term();
    for (int i = 0; i < 2; ++i) {
        BOOST_TEST(!unlock(leads));
        BOOST_REQUIRE(run_until([&] { return one.done() || two.done(); }));
        auto& next = one.done() ? one : two;
        const std::string name = one.done() ? "second" : "third";
        BOOST_REQUIRE(!next.error());
        leads = std::move(next.value());
        next = {};
        BOOST_TEST(leads.valid());
        BOOST_TEST(leads.term() > term);
        term = leads.term();
        BOOST_TEST(!proclaim(leads, name + " leads"));
        BOOST_TEST(run_until([&] { return follows.sees(name + " leads"); }));
        settle();
        BOOST_TEST((!one.done() && !two.done())); // one leads
    }
    BOOST_TEST(!unlock(leads));
    BOOST_TEST(run_until([&] { return follows.sees_nobody(); }));
    BOOST_TEST(!follows.has_fallen());
    BOOST_TEST(nothing_is_left());
}

// etcd #19597: it is handed the key while it stands still, and that is over when it goes on.
BOOST_AUTO_TEST_CASE(who_stands_still_while_it_is_elected_has_to_come_again) {
    config c = settings();
    c.node_timeout = 200ms; // the first life of its key is eight of these
    leadership leads = lead_everywhere();
    const std::uint64_t term = leads.term();
    follower follows(observes);
    leading_process stopped(c, "stopped", 60s);
    BOOST_REQUIRE(all_queue(1));
    auto next = ask(second, "second");
    BOOST_REQUIRE(all_queue(2));
    const auto queues = [](redis_server& node) { return node.command({"ZCARD", queue_of_key}).integer == 1; };
    stopped.stop();
    BOOST_TEST(!unlock(leads));
    leads = expect(next);
    BOOST_TEST(leads.term() > term);
    BOOST_TEST(run_until([&] { return follows.sees("second"); }));
    const std::size_t told = follows.told().size();
    // Whoever has a majority may be left in the queues of the others.
    forget_queues();
    stopped.resume();
    // Behind all that it was told while it stood still. It may have found the key free on some node.
    BOOST_REQUIRE(run_until([&] { return std::ranges::count_if(nodes, queues) >= 3; }));
    settle();
    BOOST_TEST(leads.valid());
    BOOST_TEST(follows.told().size() == told);
    BOOST_TEST(!proclaim(leads, "still"));
    BOOST_TEST(run_until([&] { return follows.sees("still"); }));
    BOOST_TEST(!unlock(leads));
    BOOST_TEST(run_until([&] { return follows.sees("stopped"); }));
    BOOST_TEST(follows.last().mark.term > leads.term());
    BOOST_TEST(!follows.has_fallen());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
