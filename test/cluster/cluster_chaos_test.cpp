// Masters of a real cluster are replaced and stopped, and slots go from one to another, while clients contend
// for a key of each.

#include "../client/chaos_fixture.hpp"
#include "support/real_cluster.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace redlock::test {
namespace {

constexpr std::size_t masters = 3;

struct cluster_chaos_fixture : chaos_fixture {
    cluster_chaos_fixture() : cluster({.replicas = masters}) {
        connect({cluster.uri()});
        while (keys.size() < masters) {
            const std::string key = "key" + std::to_string(tried++);
            if (cluster.first_owner(key) == keys.size()) keys.push_back(key);
        }
    }

    redis_server& some_server() {
        const std::size_t index = some(cluster.servers());
        return index < masters ? cluster.master(index) : cluster.replica(index - masters);
    }

    void disturb() {
        redis_server& server = some_server();
        if (stands_still(server)) return;
        switch (between(0, 4)) {
        case 0:
            return stop(server, milliseconds(between(100, 2500)));
        case 1:
            server.command({"CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"});
            return;
        default:
            // Refused by a master, and while its own master is away.
            fail_overs += server.command({"CLUSTER", "FAILOVER"}) == "OK";
        }
    }

    real_cluster cluster;
    std::vector<std::string> keys;
    unsigned tried = 0;
    int fail_overs = 0;
};

BOOST_FIXTURE_TEST_SUITE(cluster_chaos, cluster_chaos_fixture)

BOOST_AUTO_TEST_CASE(no_two_leases_are_valid_at_once_whoever_has_the_slot) {
    contend(keys, 30s, [&] { disturb(); });
    int all = 0;
    for (const auto& [key, count] : grants)
        all += count;
    BOOST_TEST_MESSAGE(all << " grants, " << fail_overs << " fail-overs");
    BOOST_TEST(overlaps == 0);
    BOOST_TEST(fail_overs > 0);
    BOOST_TEST(all > 5);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
