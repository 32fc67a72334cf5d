// Masters of real groups are replaced, stopped and cut off from who is connected to them, while clients
// contend for one key.

#include "../client/chaos_fixture.hpp"
#include "support/watched_group.hpp"

#include <boost/test/unit_test.hpp>

#include <set>
#include <string>

namespace redlock::test {
namespace {

constexpr std::size_t group_count = 3;

struct group_chaos_fixture : chaos_fixture {
    group_chaos_fixture() : groups(group_count) {
        std::vector<std::string> addresses;
        for (auto& group : groups) {
            group.await_ready();
            addresses.push_back(group.uri());
        }
        connect(std::move(addresses));
    }

    void disturb(watched_group& group) {
        redis_server& server = group.server(some(2));
        redis_server& sentinel = group.sentinel(some(3));
        switch (between(0, 5)) {
        case 0:
            return stop(server, milliseconds(between(100, 2500)));
        case 1:
            return stop(sentinel, milliseconds(between(100, 4000)));
        case 2:
            if (!stands_still(server)) server.command({"CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"});
            return;
        default:
            // Refused while another is under way, or there is no replica that could do it.
            if (!stands_still(sentinel)) sentinel.command({"SENTINEL", "FAILOVER", group.service()});
        }
    }

    void note_masters() {
        for (const node_metrics& node : locks[0]->metrics().nodes)
            masters.insert(node.node + ' ' + node.master);
    }

    std::deque<watched_group> groups;
    std::set<std::string> masters;
};

BOOST_FIXTURE_TEST_SUITE(sentinel_chaos, group_chaos_fixture)

BOOST_AUTO_TEST_CASE(no_two_leases_are_valid_at_once_whoever_is_the_master) {
    contend({"key"}, 30s, [&] {
        note_masters();
        disturb(groups[some(group_count)]);
    });
    BOOST_TEST_MESSAGE(grants["key"] << " grants, " << masters.size() << " masters");
    BOOST_TEST(overlaps == 0);
    BOOST_TEST(masters.size() > group_count);
    BOOST_TEST(grants["key"] > 5);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
