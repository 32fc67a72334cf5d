// Clients that contend for keys while the servers of their ensemble crash and stop, and their networks fail.

#include "engine/contention.hpp"
#include "support/fault_proxy.hpp"
#include "zookeeper_fixture.hpp"

#include <deque>

namespace redlock::test {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t chaos_clients = 6;
constexpr std::size_t chaos_servers = 3;

struct ensemble_of_three {
    zookeeper_server servers{{.servers = chaos_servers, .tick = 200}};
};

struct chaos_test_fixture : ensemble_of_three, zookeeper_fixture {
    chaos_test_fixture() : zookeeper_fixture(servers) {
        for (std::size_t i = 0; i < chaos_clients * chaos_servers; ++i)
            networks.emplace_back(servers.port(i % chaos_servers));
        for (std::size_t i = 0; i < chaos_clients; ++i)
            connect(i);
    }
    void connect(std::size_t i) {
        std::string uri = "zookeeper://";
        for (std::size_t s = 0; s < chaos_servers; ++s)
            uri += (s == 0 ? "127.0.0.1:" : ",127.0.0.1:") +
                   std::to_string(networks[i * chaos_servers + s].port());
        clients.connect(i, settings(uri + root));
    }
    void disturb() {
        const std::size_t i = clients.below(chaos_clients);
        const std::size_t server = clients.below(chaos_servers);
        fault_proxy& way = networks[i * chaos_servers + server];
        switch (clients.between(0, 8)) {
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
            servers.stop(server);
            return clients.make_good_within(2500ms, [this, server] { servers.resume(server); });
        case 6:
            // A client goes away with all it has.
            return connect(i);
        default:
            for (fault_proxy& each : networks)
                each.pass();
        }
    }

    std::deque<fault_proxy> networks;
    contention clients{*this,
                       {.clients = chaos_clients,
                        .wait = 3s,
                        .reading = true,
                        .node_timeout = 500ms,
                        .longest_calm = 1000ms}};
};

BOOST_FIXTURE_TEST_SUITE(chaos_suite, chaos_test_fixture)

BOOST_AUTO_TEST_CASE(no_two_hold_a_key_at_once_and_nothing_stays_behind) {
    clients.run(15s, [this] { disturb(); });
    for (fault_proxy& way : networks)
        way.pass();
    clients.end();
    client last = make_client();
    for (const char* key : {"one", "two"})
        BOOST_TEST(run_until([&] { return inspect(last, key).waiting == 0u; }));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
