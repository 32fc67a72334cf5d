#include "wakeup_mode.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <list>
#include <memory>
#include <optional>
#include <random>

namespace redlock::test {
namespace {

namespace data = boost::unit_test::data;
using std::chrono::milliseconds;

constexpr std::size_t client_count = 3;

// Several clients, each with a network of its own between it and the nodes, all in one thread: so that at any
// moment one can look at all leases at once.
struct chaos_test_fixture : lock_fixture {
    explicit chaos_test_fixture(const wakeup_mode& mode)
        : lock_fixture(5, {.directives = mode.directives}), how(mode.wanted) {
        for (std::size_t i = 0; i < client_count; ++i) {
            for (auto& node : nodes)
                networks[i].emplace_back(node.port());
            locks[i].emplace(context.get_executor(), settings_over(networks[i]));
        }
    }

    config settings_over(const std::deque<fault_proxy>& ways) const {
        config c = settings();
        c.nodes.clear();
        c.node_timeout = 100ms;
        c.wakeup = how;
        for (const auto& way : ways)
            c.nodes.push_back(way.uri());
        return c;
    }

    int between(int low, int high) { return std::uniform_int_distribution(low, high)(random); }

    // Something new happens somewhere. Nodes never lose data: against that there is no lock.
    void disturb() {
        auto& ways = networks[static_cast<std::size_t>(between(0, client_count - 1))];
        fault_proxy& way = ways[static_cast<std::size_t>(between(0, 4))];
        switch (between(0, 9)) {
        case 0:
            return way.freeze();
        case 1:
            return way.freeze(direction::to_client);
        case 2:
            return way.reset_connections();
        case 3:
            return way.black_hole();
        case 4:
            return way.lose(direction::to_client);
        case 5:
            return way.delay(milliseconds(between(1, 60)));
        case 6:
            return way.refuse();
        default:
            return way.pass();
        }
    }
    // A client goes away with all it has, as in a process that dies: nobody can tell the nodes.
    void die() {
        const auto i = static_cast<std::size_t>(between(0, client_count - 1));
        for (auto& way : networks[i])
            way.refuse();
        locks[i].emplace(context.get_executor(), settings_over(networks[i]));
        ++deaths;
        for (auto& way : networks[i])
            way.pass();
    }
    void calm() {
        for (auto& ways : networks)
            for (auto& way : ways)
                way.pass();
    }

    asio::awaitable<void> use(std::optional<client>& mine) {
        asio::steady_timer pause(context);
        asio::steady_timer patience_ends(context);
        // Shared with a timer's handler that may be on its way when the coroutine ends.
        const auto cancel = std::make_shared<asio::cancellation_signal>();
        while (!over) {
            patience_ends.expires_after(milliseconds(between(0, 3) == 0 ? between(0, 50) : 10'000));
            patience_ends.async_wait([cancel](error_code ended) {
                if (!ended) cancel->emit(asio::cancellation_type::all);
            });
            auto token = asio::bind_cancellation_slot(cancel->slot(), asio::as_tuple(asio::use_awaitable));
            auto [failure, granted] = co_await mine->async_lock("key", {.ttl = 500ms, .wait = 2s}, token);
            patience_ends.cancel();
            cancelled += failure == asio::error::operation_aborted;
            if (failure) {
                pause.expires_after(milliseconds(between(1, 20)));
                co_await pause.async_wait(asio::use_awaitable);
                continue;
            }
            grants += granted.valid() ? 1 : 0;
            const auto place = held.insert(held.end(), std::move(granted));
            expect_one_valid_lease();
            pause.expires_after(milliseconds(between(0, 700)));
            co_await pause.async_wait(asio::use_awaitable);
            lease done = std::move(*place);
            held.erase(place);
            if (between(0, 1) == 0) co_await done.async_unlock(asio::as_tuple(asio::use_awaitable));
        }
    }

    void run_chaos();

    void expect_one_valid_lease() {
        const auto valid = std::ranges::count_if(held, [](const lease& l) { return l.valid(); });
        if (valid > 1) ++overlaps;
    }

    const unsigned seed = std::random_device{}();
    std::mt19937 random{seed};
    std::deque<fault_proxy> networks[client_count];
    std::optional<client> locks[client_count];
    wakeup how;
    std::list<lease> held;
    bool over = false;
    int grants = 0;
    int overlaps = 0;
    int cancelled = 0;
    int deaths = 0;
};

const wakeup_mode modes[] = {
    {.name = "events", .directives = {"notify-keyspace-events KEA"}, .found = wakeup::keyspace_events},
    {.name = "tracking", .directives = {}, .found = wakeup::client_tracking},
    {.name = "timed", .directives = {}, .wanted = wakeup::timed, .found = wakeup::timed}};

BOOST_AUTO_TEST_SUITE(chaos)

BOOST_DATA_TEST_CASE(no_two_leases_are_valid_at_once_whatever_the_network_does, data::make(modes), mode) {
    chaos_test_fixture f(mode);
    f.run_chaos();
}

BOOST_AUTO_TEST_SUITE_END()

void chaos_test_fixture::run_chaos() {
    BOOST_TEST_MESSAGE("seed " << seed);
    int running = 0;
    const auto end = [&](std::exception_ptr failure) {
        BOOST_TEST(!failure);
        --running;
    };
    for (auto& mine : locks)
        for (int i = 0; i < 2; ++i, ++running)
            asio::co_spawn(context, use(mine), end);
    auto next = std::chrono::steady_clock::now();
    const auto finish = next + 8s;
    run_until([&] {
        const auto now = std::chrono::steady_clock::now();
        expect_one_valid_lease();
        if (now >= next) {
            if (between(0, 60) == 0)
                die();
            else
                disturb();
            next = now + 15ms;
        }
        return now >= finish;
    });
    over = true;
    calm();
    BOOST_TEST(run_until([&] { return running == 0; }));
    for (auto& mine : locks)
        close(*mine);
    BOOST_TEST(overlaps == 0);
    BOOST_TEST(grants >= 3);
    BOOST_TEST_MESSAGE(grants << " grants");
    BOOST_TEST_MESSAGE(cancelled << " cancelled, " << deaths << " deaths");
    BOOST_TEST(becomes_free("key"));
    for (auto& node : nodes)
        BOOST_TEST(run_until([&] { return node.command({"PUBSUB", "CHANNELS"}).elements.empty(); }));
}

} // namespace
} // namespace redlock::test
