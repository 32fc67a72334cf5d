#include "wakeup_mode.hpp"

#include <redlock/observer.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <future>

namespace redlock::test {
namespace {

namespace data = boost::unit_test::data;
using clock = std::chrono::steady_clock;

bool tells(wakeup found) { return found != wakeup::timed; }

struct wakeup_test_fixture : wakeup_fixture {
    explicit wakeup_test_fixture(const wakeup_mode& m) : wakeup_fixture(m) {
        BOOST_REQUIRE(knows(one, m.found));
        BOOST_REQUIRE(knows(two, m.found));
    }

    /// A caller of `two` that has asked the nodes for the key, or looked at it.
    void begin_to_wait(outcome<lease>& waiting, lock_options options = patiently()) {
        const auto before = commands_of(two);
        two.async_lock("key", options, waiting.handler());
        BOOST_REQUIRE(run_until([&] { return commands_of(two) >= before + nodes.size(); }));
    }
    static std::uint64_t commands_of(const client& locks) {
        std::uint64_t all = 0;
        for (const node_metrics& n : locks.metrics().nodes)
            all += n.commands;
        return all;
    }
    bool listening(std::size_t node) { return channels(node) == 1; }
    /// Subscriptions to the key on all nodes together.
    std::size_t listeners() {
        std::size_t all = 0;
        for (redis_server& node : nodes)
            all += static_cast<std::size_t>(
                node.command({"PUBSUB", "NUMSUB", "__keyspace@0__:lock:key"}).elements.at(1).integer);
        return all;
    }

    client one{context.get_executor(), settings()};
    client two{context.get_executor(), settings()};
};

BOOST_AUTO_TEST_SUITE(wakeup_suite)

BOOST_DATA_TEST_CASE(how_a_node_tells_is_found_out_and_leaves_nothing_behind, data::make(wakeup_modes()),
                     mode) {
    wakeup_test_fixture f(mode);
    for (auto& node : f.nodes) {
        BOOST_TEST(node.key_count() == 0);
        BOOST_TEST(f.run_until([&] { return f.channels(0) == 0; }));
        const std::string flags =
            node.command({"CONFIG", "GET", "notify-keyspace-events"}).elements.at(1).text;
        if (mode.configure && mode.found == wakeup::keyspace_events)
            for (const char flag : std::string("EsKgx"))
                BOOST_TEST(flags.find(flag) != flags.npos);
        else
            BOOST_TEST((flags.empty() == !mode.has_flags()));
    }
}

BOOST_DATA_TEST_CASE(a_key_goes_from_client_to_client, data::make(wakeup_modes()), mode) {
    wakeup_test_fixture f(mode);
    lease held = f.lock(f.one, "key");
    for (int i = 0; i < 10; ++i) {
        outcome<lease> waiting;
        f.begin_to_wait(waiting);
        BOOST_TEST(!f.unlock(held));
        BOOST_REQUIRE(f.run_until([&] { return waiting.done(); }));
        BOOST_REQUIRE(!waiting.error());
        BOOST_TEST(!held.valid());
        held = std::move(waiting.value());
        BOOST_TEST(!f.unlock(held));
        held = f.lock(f.one, "key");
    }
}

// Whoever waits is told, and does not ask again and again. For tracking a renewal is a change like any other.
BOOST_DATA_TEST_CASE(a_long_wait_costs_few_tries, data::make(wakeup_modes()), mode) {
    wakeup_test_fixture f(mode);
    lease held = f.lock(f.one, "key", {.ttl = 900ms});
    outcome<lease> waiting;
    f.begin_to_wait(waiting);
    const auto start = clock::now();
    BOOST_TEST(!f.run_until(2s, [&] { return waiting.done(); }));
    const auto lives = (clock::now() - start) / 900ms;
    // Blind ones are at most 100 ms apart.
    const auto changes = mode.found == wakeup::client_tracking ? f.one.metrics().renewals : 0;
    const bool queues = f.nodes[0].command({"ZCARD", "lock:key:redlock-queue"}).integer > 0;
    if (tells(mode.found) || queues)
        BOOST_TEST(f.two.metrics().refusals <= 4u + 2u * static_cast<unsigned>(lives) + changes);
    else
        BOOST_TEST(f.two.metrics().refusals >= 10u);
    BOOST_TEST(!f.unlock(held));
    BOOST_TEST(f.run_until([&] { return waiting.done(); }));
    BOOST_TEST(!waiting.error());
}

BOOST_DATA_TEST_CASE(no_channel_outlives_its_last_waiter, data::make(wakeup_modes()), mode) {
    wakeup_test_fixture f(mode);
    const bool listens = mode.found == wakeup::keyspace_events;
    lease held = f.lock(f.one, "key");
    {
        outcome<lease> waiting;
        f.begin_to_wait(waiting);
        for (std::size_t node = 0; node < 5 && listens; ++node)
            BOOST_TEST(f.run_until([&] { return f.listening(node); }));
        BOOST_TEST(!f.unlock(held));
        BOOST_REQUIRE(f.run_until([&] { return waiting.done(); }));
        held = std::move(waiting.value());
    }
    for (std::size_t node = 0; node < 5; ++node)
        BOOST_TEST(f.run_until([&] { return f.channels(node) == 0; }));

    asio::cancellation_signal cancel;
    outcome<lease> cancelled;
    f.one.async_lock("key", patiently(), asio::bind_cancellation_slot(cancel.slot(), cancelled.handler()));
    for (std::size_t node = 0; node < 5 && listens; ++node)
        BOOST_TEST(f.run_until([&] { return f.listening(node); }));
    cancel.emit(asio::cancellation_type::all);
    BOOST_TEST(f.run_until([&] { return cancelled.done(); }));
    for (std::size_t node = 0; node < 5; ++node)
        BOOST_TEST(f.run_until([&] { return f.channels(node) == 0; }));
}

// Whoever waited in front and has gone is not waited for: the key is asked for everywhere at once. On a busy
// machine the wait may be over before the answer that makes it needless is read, but not every time.
BOOST_AUTO_TEST_CASE(one_that_gave_up_is_not_given_precedence) {
    wakeup_test_fixture f(wakeup_modes().front());
    client three(f.context.get_executor(), f.settings());
    BOOST_REQUIRE(f.knows(three, wakeup::keyspace_events));
    constexpr unsigned rounds = 5;
    for (unsigned round = 0; round < rounds; ++round) {
        lease held = f.lock(f.one, "key");
        BOOST_REQUIRE(f.run_until([&] { return f.listeners() == 0; }));
        asio::cancellation_signal cancel;
        outcome<lease> front;
        three.async_lock("key", patiently(), asio::bind_cancellation_slot(cancel.slot(), front.handler()));
        BOOST_REQUIRE(f.run_until([&] { return f.listeners() == f.nodes.size(); }));
        outcome<lease> waiting;
        f.begin_to_wait(waiting);
        BOOST_REQUIRE(f.run_until([&] { return f.listeners() == 2 * f.nodes.size(); }));
        cancel.emit(asio::cancellation_type::all);
        BOOST_REQUIRE(f.run_until([&] { return f.listeners() == f.nodes.size(); }));
        BOOST_TEST(!f.unlock(held));
        BOOST_REQUIRE(f.run_until([&] { return waiting.done(); }));
        BOOST_REQUIRE(!waiting.error());
        BOOST_TEST(!f.unlock(waiting.value()));
    }
    BOOST_TEST(f.two.metrics().arbiter_tries < rounds);
}

// The key is deleted while the waiter's connections are cut: nobody tells it.
BOOST_DATA_TEST_CASE(what_happened_during_a_lost_connection_is_noticed, data::make(wakeup_modes()), mode) {
    wakeup_test_fixture f(mode);
    for (auto& node : f.nodes)
        BOOST_TEST((node.command({"SET", "lock:key", "somebody else", "PX", "600000"}) == "OK"));
    outcome<lease> waiting;
    f.begin_to_wait(waiting);
    BOOST_REQUIRE(f.run_until([&] { return f.two.metrics().refusals > 0; }));
    for (auto& proxy : f.proxies)
        proxy.refuse();
    BOOST_TEST(f.run_until([&] { return ready_nodes(f.two) == 0; }));
    for (auto& node : f.nodes)
        node.command({"DEL", "lock:key"});
    for (auto& proxy : f.proxies)
        proxy.pass();
    BOOST_TEST(f.run_until([&] { return waiting.done(); }));
    BOOST_TEST(!waiting.error());
}

// Redis publishes that a key ran out when it gets round to deleting it. The timer does not wait for that.
BOOST_DATA_TEST_CASE(a_key_that_runs_out_is_had_at_once, data::make(wakeup_modes()), mode) {
    wakeup_test_fixture f(mode);
    constexpr auto life = 1500ms;
    for (auto& node : f.nodes) {
        node.command({"DEBUG", "SET-ACTIVE-EXPIRE", "0"});
        BOOST_TEST(
            (node.command({"SET", "lock:key", "somebody dead", "PX", std::to_string(life.count())}) == "OK"));
    }
    const auto set = clock::now();
    outcome<lease> waiting;
    f.begin_to_wait(waiting);
    BOOST_TEST(f.run_until([&] { return waiting.done(); }));
    BOOST_TEST(!waiting.error());
    const auto late = clock::now() - set - life;
    BOOST_TEST_MESSAGE(mode << ": " << late / 1us << " us late");
    BOOST_TEST((late < 3s)); // the node timeout
}

// Whoever comes to a key that was wanted by others lately lets them go first, but not beyond its own
// patience.
BOOST_DATA_TEST_CASE(a_short_wait_is_long_enough_for_one_try, data::make(wakeup_modes()), mode) {
    wakeup_test_fixture f(mode);
    lease held = f.lock(f.one, "key");
    BOOST_TEST(f.try_lock(f.two, "key", {.ttl = long_ttl, .wait = 20ms}) == errc::wait_timeout);
    BOOST_TEST(!f.unlock(held));
    BOOST_REQUIRE(f.becomes_free("lock:key"));
    BOOST_TEST(!f.try_lock(f.two, "key", {.ttl = long_ttl, .wait = 1ms}));
}

BOOST_AUTO_TEST_CASE(the_observer_hears_how_each_node_tells) {
    struct listener : observer {
        void wakeup_changed(std::string_view, wakeup found) noexcept override { heard.push_back(found); }
        std::vector<wakeup> heard;
    };
    const wakeup_mode& mode = wakeup_modes().front();
    wakeup_fixture f(mode);
    config c = f.settings();
    const auto told = std::make_shared<listener>();
    c.observer = told;
    client locks(f.context.get_executor(), c);
    BOOST_TEST(f.run_until([&] { return told->heard.size() == 5; }));
    BOOST_TEST((told->heard == std::vector<wakeup>(5, mode.found)));
}

BOOST_AUTO_TEST_SUITE_END()

// Shares of a key are shares of the machine, too: nothing else runs beside this suite.
BOOST_AUTO_TEST_SUITE(fair_share)

// Each with a thread of its own, as two processes would be.
BOOST_DATA_TEST_CASE(two_who_want_a_key_all_the_time_share_it, data::make(wakeup_modes()), mode) {
    wakeup_fixture f(mode);
    std::atomic<int> inside = 0;
    std::atomic<int> overlaps = 0;
    std::atomic<bool> over = false;
    const auto contend = [&](client& locks, int& grants) -> asio::awaitable<void> {
        asio::steady_timer hold(co_await asio::this_coro::executor);
        while (!over) {
            lease held = co_await locks.async_lock("key", patiently(), asio::use_awaitable);
            overlaps += ++inside != 1;
            hold.expires_after(1ms);
            co_await hold.async_wait(asio::use_awaitable);
            --inside;
            ++grants;
            co_await held.async_unlock(asio::use_awaitable);
        }
    };
    struct party {
        asio::thread_pool thread{1};
        client locks;
        int grants = 0;
        std::future<void> ended;
        explicit party(const config& c) : locks(thread.get_executor(), c) {}
    };
    party one(f.settings());
    party two(f.settings());
    BOOST_REQUIRE(f.knows(one.locks, mode.found));
    BOOST_REQUIRE(f.knows(two.locks, mode.found));
    for (party* p : {&one, &two})
        p->ended = asio::co_spawn(p->thread, contend(p->locks, p->grants), asio::use_future);
    // A minute of it in the usual mode shows what is rare.
    const bool usual = std::string_view(mode.name) == wakeup_modes().front().name;
    const auto span = usual ? 60s : 3s;
    f.run_until(span, [] { return false; });
    over = true;
    for (party* p : {&one, &two})
        p->ended.get();
    BOOST_TEST_MESSAGE(mode << ": " << one.grants << " and " << two.grants);
    BOOST_TEST(overlaps == 0);
    const auto handed_over = one.locks.metrics().directed_handovers + two.locks.metrics().directed_handovers;
    if (mode.rights.empty()) BOOST_TEST(handed_over >= static_cast<unsigned>(one.grants));
    // Who has to ask, and stands in no queue, finds the key free by luck alone.
    const bool is_lucky = !tells(mode.found) && handed_over == 0;
    const int fair = is_lucky ? 1 : (one.grants + two.grants) * 3 / 10;
    BOOST_TEST(one.grants >= fair);
    BOOST_TEST(two.grants >= fair);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
