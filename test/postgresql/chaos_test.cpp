// Clients that contend for keys while their database crashes, stops, is cut off, and dies under them.

#include "engine/contention.hpp"
#include "postgres_fixture.hpp"
#include "support/fault_proxy.hpp"

#include <deque>

namespace redlock::test {
namespace {

using std::chrono::milliseconds;

struct chaos_test_fixture : postgres_fixture {
    chaos_test_fixture() {
        for (std::size_t i = 0; i < client_count; ++i) {
            networks.emplace_back(database.port());
            connect(i);
        }
    }
    void connect(std::size_t i) {
        clients.connect(i, settings(postgres_server::uri_over(networks[i].port())));
    }
    void disturb() {
        const std::size_t i = clients.below(client_count);
        fault_proxy& way = networks[i];
        switch (clients.between(0, 9)) {
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
            database.stop();
            return clients.make_good_within(1s, [this] { database.resume(); });
        case 6:
            database.crash();
            return database.start();
        case 7:
            // A client goes away with all it has: nobody can tell the database.
            way.refuse();
            connect(i);
            return way.pass();
        default:
            return way.pass();
        }
    }

    static constexpr std::size_t client_count = 4;
    std::deque<fault_proxy> networks;
    contention clients{*this, {.clients = client_count, .wait = 2s}};
};

BOOST_FIXTURE_TEST_SUITE(chaos_suite, chaos_test_fixture)

BOOST_AUTO_TEST_CASE(no_two_hold_a_key_at_once_and_nothing_stays_behind) {
    clients.run(20s, [this] { disturb(); });
    for (fault_proxy& way : networks)
        way.pass();
    clients.end();
    BOOST_TEST(becomes_free());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
