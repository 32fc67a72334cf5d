// Clients that contend for keys while the members of their cluster crash, stop, are cut off, and they
// themselves die.

#include "etcd_fixture.hpp"
#include "support/fault_proxy.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <deque>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <random>
#include <thread>

namespace redlock::test {
namespace {

namespace asio = boost::asio;
using std::chrono::milliseconds;
using clock = std::chrono::steady_clock;

constexpr std::size_t client_count = 4;
constexpr milliseconds ttl{1500};

// All clients in one thread, so that at any moment one can look at all leases at once.
struct etcd_chaos_fixture : etcd_fixture {
    struct holding {
        std::string key;
        std::uint64_t token;
        lease granted;
    };

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
        config c = settings(cluster.uri_over(ports));
        c.node_timeout = 300ms;
        locks[i].emplace(context.get_executor(), c);
    }
    int between(int low, int high) { return std::uniform_int_distribution(low, high)(random); }

    void disturb() {
        const auto i = static_cast<std::size_t>(between(0, client_count - 1));
        const auto member = static_cast<std::size_t>(between(0, 2));
        fault_proxy& way = networks[i][member];
        switch (between(0, 11)) {
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
            cluster.stop(member);
            repair = [this, member] { cluster.resume(member); };
            break;
        case 6:
            ++crashes;
            cluster.kill(member);
            repair = [this, member] { cluster.start(member); };
            break;
        case 7:
            cluster.cut_off(member);
            repair = [this] { cluster.join(); };
            break;
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
        repair_at = clock::now() + milliseconds(between(100, 3000));
    }
    void make_good() {
        if (repair) repair();
        repair = nullptr;
        repair_at.reset();
    }

    asio::awaitable<void> use(std::size_t of, std::string key) {
        asio::steady_timer rest(context);
        while (!over) {
            auto token = asio::as_tuple(asio::use_awaitable);
            const lock_options wanted{.ttl = ttl, .wait = 5s, .renew = between(0, 1) == 0, .fencing = true};
            auto [failure, granted] = co_await locks[of]->async_lock(key, wanted, token);
            if (failure) {
                rest.expires_after(milliseconds(between(1, 50)));
                co_await rest.async_wait(asio::use_awaitable);
                continue;
            }
            ++grants;
            // Of two that were granted one behind the other, the later has the higher one.
            const std::uint64_t fence = *granted.fencing_token();
            if (granted.valid()) {
                disorder += fence <= highest[key];
                highest[key] = std::max(highest[key], fence);
            }
            const auto place = held.insert(held.end(), {key, fence, std::move(granted)});
            look();
            rest.expires_after(milliseconds(between(0, 300)));
            co_await rest.async_wait(asio::use_awaitable);
            lease done = std::move(place->granted);
            held.erase(place);
            co_await done.async_unlock(asio::as_tuple(asio::use_awaitable));
        }
    }
    void look() {
        std::map<std::string, int> valid;
        for (const holding& one : held)
            if (one.granted.valid() && ++valid[one.key] > 1) ++overlaps;
    }

    const unsigned seed = std::random_device{}();
    std::mt19937 random{seed};
    std::deque<fault_proxy> networks[client_count];
    std::optional<client> locks[client_count];
    std::optional<clock::time_point> repair_at;
    std::function<void()> repair;
    std::list<holding> held;
    std::map<std::string, std::uint64_t> highest;
    int overlaps = 0, disorder = 0, grants = 0, crashes = 0;
    bool over = false;
};

BOOST_FIXTURE_TEST_SUITE(chaos_suite, etcd_chaos_fixture)

BOOST_AUTO_TEST_CASE(no_two_hold_a_key_at_once_and_nothing_stays_behind) {
    BOOST_TEST_MESSAGE("seed " << seed);
    int running = 0;
    for (std::size_t i = 0; i < client_count; ++i)
        for (const char* key : {"one", "two"}) {
            ++running;
            asio::co_spawn(context, use(i, key), [&](std::exception_ptr failure) {
                BOOST_TEST(!failure);
                --running;
            });
        }
    const auto finish = clock::now() + 20s;
    auto next = clock::now();
    run_until(60s, [&] {
        look();
        const auto now = clock::now();
        if (repair_at && now >= *repair_at) make_good();
        if (now >= next && !repair_at) {
            disturb();
            next = clock::now() + milliseconds(between(100, 1200));
        }
        return now >= finish;
    });
    make_good();
    for (auto& all : networks)
        for (fault_proxy& way : all)
            way.pass();
    const int before = grants;
    BOOST_TEST(run_until([&] { return grants > before + 20; }));
    over = true;
    BOOST_TEST(run_until([&] { return running == 0; }));
    BOOST_TEST(overlaps == 0);
    BOOST_TEST(disorder == 0);
    for (auto& one : locks)
        close(*one);
    BOOST_TEST(becomes_free());
    BOOST_TEST_MESSAGE(grants << " grants, " << crashes << " crashes");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
