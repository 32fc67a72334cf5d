// Clients that contend for keys while the servers of their ensemble crash and stop, and their networks fail.

#include "support/fault_proxy.hpp"
#include "zookeeper_fixture.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <deque>
#include <list>
#include <map>
#include <optional>
#include <random>

namespace redlock::test {
namespace {

namespace asio = boost::asio;
using std::chrono::milliseconds;
using clock = std::chrono::steady_clock;

constexpr std::size_t chaos_clients = 6;
constexpr std::size_t chaos_servers = 3;
constexpr milliseconds chaos_ttl{1500};

struct ensemble_of_three {
    zookeeper_server servers{{.servers = chaos_servers, .tick = 200}};
};

// All clients in one thread, so that at any moment one can look at all leases at once.
struct chaos_test_fixture : ensemble_of_three, zookeeper_fixture {
    struct holding {
        std::string key;
        bool reads;
        lease granted;
    };

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
        config c = settings(uri + root);
        c.node_timeout = 500ms;
        locks[i].emplace(context.get_executor(), c);
    }
    int between(int low, int high) { return std::uniform_int_distribution(low, high)(random); }

    void disturb() {
        const auto i = static_cast<std::size_t>(between(0, chaos_clients - 1));
        fault_proxy& way =
            networks[i * chaos_servers + static_cast<std::size_t>(between(0, chaos_servers - 1))];
        switch (between(0, 8)) {
        case 0:
            return way.freeze();
        case 1:
            return way.freeze(direction::to_client);
        case 2:
            return way.reset_connections();
        case 3:
            return way.black_hole();
        case 4:
            return way.delay(milliseconds(between(1, 100)));
        case 5:
            stopped = static_cast<std::size_t>(between(0, chaos_servers - 1));
            servers.stop(*stopped);
            resume_at = clock::now() + milliseconds(between(100, 2500));
            return;
        case 6:
            // A client goes away with all it has.
            return connect(i);
        default:
            for (fault_proxy& each : networks)
                each.pass();
        }
    }

    asio::awaitable<void> use(std::size_t of, std::string key) {
        asio::steady_timer rest(context);
        while (!over) {
            auto token = asio::as_tuple(asio::use_awaitable);
            const bool reads = between(0, 2) == 0;
            const lock_options wanted{.ttl = chaos_ttl,
                                      .wait = 3s,
                                      .renew = between(0, 1) == 0,
                                      .fencing = true,
                                      .mode = reads ? mode::read : mode::exclusive};
            auto [failure, granted] = co_await locks[of]->async_lock(key, wanted, token);
            if (failure) {
                rest.expires_after(milliseconds(between(1, 50)));
                co_await rest.async_wait(asio::use_awaitable);
                continue;
            }
            ++grants;
            const std::uint64_t fence = *granted.fencing_token();
            readings += reads;
            if (granted.valid()) {
                // Who reads at the same time may hear of it in another order.
                disorder += fence <= (reads ? written[key] : highest[key]);
                highest[key] = std::max(highest[key], fence);
                if (!reads) written[key] = fence;
            }
            const auto place = held.insert(held.end(), {key, reads, std::move(granted)});
            look();
            rest.expires_after(milliseconds(between(0, 300)));
            co_await rest.async_wait(asio::use_awaitable);
            lease done = std::move(place->granted);
            held.erase(place);
            co_await done.async_unlock(asio::as_tuple(asio::use_awaitable));
        }
    }
    void look() {
        std::map<std::string, int> writers, all;
        for (const holding& one : held) {
            if (!one.granted.valid()) continue;
            ++all[one.key];
            writers[one.key] += !one.reads;
        }
        for (const auto& [key, some] : writers)
            overlaps += some > 0 && all[key] > 1;
    }

    const unsigned seed = std::random_device{}();
    std::mt19937 random{seed};
    std::deque<fault_proxy> networks;
    std::optional<client> locks[chaos_clients];
    std::optional<std::size_t> stopped;
    clock::time_point resume_at{};
    std::list<holding> held;
    std::map<std::string, std::uint64_t> highest, written;
    int overlaps = 0, disorder = 0, grants = 0, readings = 0;
    bool over = false;
};

BOOST_FIXTURE_TEST_SUITE(chaos_suite, chaos_test_fixture)

BOOST_AUTO_TEST_CASE(no_two_hold_a_key_at_once_and_nothing_stays_behind) {
    BOOST_TEST_MESSAGE("seed " << seed);
    int running = 0;
    for (std::size_t i = 0; i < chaos_clients; ++i)
        for (const char* key : {"one", "two"}) {
            ++running;
            asio::co_spawn(context, use(i, key), [&](std::exception_ptr failure) {
                BOOST_TEST(!failure);
                --running;
            });
        }
    const auto finish = clock::now() + 15s;
    auto next = clock::now();
    run_until(60s, [&] {
        look();
        const auto now = clock::now();
        if (stopped && now >= resume_at) servers.resume(*std::exchange(stopped, std::nullopt));
        if (now >= next && !stopped) {
            disturb();
            next = clock::now() + milliseconds(between(100, 1000));
        }
        return now >= finish;
    });
    if (stopped) servers.resume(*stopped);
    for (fault_proxy& way : networks)
        way.pass();
    const int before = grants;
    BOOST_TEST(run_until([&] { return grants > before + 20; }));
    over = true;
    BOOST_TEST(run_until([&] { return running == 0; }));
    BOOST_TEST(overlaps == 0);
    BOOST_TEST(disorder == 0);
    BOOST_TEST(readings > grants / 10);
    for (auto& one : locks)
        close(*one);
    client last = make_client();
    for (const char* key : {"one", "two"})
        BOOST_TEST(run_until([&] { return inspect(last, key).waiting == 0u; }));
    BOOST_TEST_MESSAGE(grants << " grants");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
