// Clients that contend for keys while the members of their cluster crash, stop, are cut off, and they
// themselves die.

#include "engine/contention.hpp"
#include "etcd_fixture.hpp"
#include "support/fault_proxy.hpp"

#include <deque>
#include <vector>

namespace redlock::test {
namespace {

using std::chrono::milliseconds;

struct etcd_chaos_fixture : etcd_fixture {
    etcd_chaos_fixture() : etcd_fixture(etcd_options{.members = 3}) {
        for (std::size_t i = 0; i < client_count; ++i) {
            for (std::size_t member = 0; member < cluster.size(); ++member)
                networks[i].emplace_back(cluster.port(member));
            connect(i);
        }
    }
    void connect(std::size_t i) {
        std::vector<std::uint16_t> ports;
        for (const fault_proxy& way : networks[i])
            ports.push_back(way.port());
        clients.connect(i, settings(cluster.uri_over(ports)));
    }
    void disturb() {
        const std::size_t i = clients.below(client_count);
        const std::size_t member = clients.below(cluster.size());
        fault_proxy& way = networks[i][member];
        switch (clients.between(0, 11)) {
        case 0:
            return way.freeze();
        case 1:
            return way.freeze(direction::to_client);
        case 2:
            return way.reset_connections();
        case 3:
            return way.black_hole();
        case 4:
            return way.delay(milliseconds(clients.between(1, 100)));
        case 5:
            cluster.stop(member);
            return clients.make_good_within(3s, [this, member] { cluster.resume(member); });
        case 6:
            cluster.kill(member);
            return clients.make_good_within(3s, [this, member] { cluster.start(member); });
        case 7:
            cluster.cut_off(member);
            return clients.make_good_within(3s, [this] { cluster.join(); });
        case 8:
            // A client goes away with all it has: nobody can tell the cluster.
            for (fault_proxy& each : networks[i])
                each.refuse();
            connect(i);
            for (fault_proxy& each : networks[i])
                each.pass();
            return;
        default:
            return way.pass();
        }
    }

    static constexpr std::size_t client_count = 4;
    std::deque<fault_proxy> networks[client_count];
    contention clients{*this, {.clients = client_count, .wait = 5s}};
};

BOOST_FIXTURE_TEST_SUITE(chaos_suite, etcd_chaos_fixture)

BOOST_AUTO_TEST_CASE(no_two_hold_a_key_at_once_and_nothing_stays_behind) {
    clients.run(20s, [this] { disturb(); });
    for (auto& all : networks)
        for (fault_proxy& way : all)
            way.pass();
    clients.end();
    BOOST_TEST(becomes_free());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
