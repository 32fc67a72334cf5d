#include "history.hpp"
#include "support/child_process.hpp"
#include "support/event_loop.hpp"
#include "support/node_set.hpp"
#include "support/temporary_folder.hpp"

#include <redlock/client.hpp>

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

namespace redlock::test {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

// Five nodes, a client of this library, and a node program that takes locks with the npm package redlock.
struct fixture : event_loop {
    fixture() { BOOST_REQUIRE(answer() == "ready"); }

    config settings() {
        config c;
        c.nodes = nodes.uris();
        // A machine that is busy with other tests is no reason to call a node dead.
        c.node_timeout = 2s;
        return c;
    }
    std::vector<std::string> command_line() {
        std::vector<std::string> words{"node", "contender.mjs", "npm"};
        for (const auto& uri : nodes.uris())
            words.push_back(uri);
        return words;
    }
    std::string answer() { return other.read_line(patience).value_or("no answer"); }
    std::string ask(const std::string& command) {
        other.write_line(command);
        return answer();
    }

    node_set nodes{5};
    child_process other{command_line()};
};

lock_options once(std::chrono::milliseconds ttl) {
    lock_options options;
    options.ttl = ttl;
    options.wait = 0ms;
    return options;
}

boost::system::error_code try_once(fixture& f, client& locks, std::string key) {
    boost::system::error_code failure;
    bool done = false;
    locks.async_try_lock(key, once(10s), [&](boost::system::error_code ec, lease) {
        failure = ec;
        done = true;
    });
    BOOST_REQUIRE(f.run_until([&] { return done; }));
    return failure;
}

BOOST_FIXTURE_TEST_SUITE(interop_suite, fixture)

BOOST_AUTO_TEST_CASE(a_key_held_elsewhere_is_held_for_us) {
    client locks(context.get_executor(), settings());
    BOOST_TEST(ask("acquire key 60000") == "granted");
    BOOST_TEST(try_once(*this, locks, "key") == errc::held);
    BOOST_TEST(ask("release") == "released");
    BOOST_TEST(!try_once(*this, locks, "key"));
}

BOOST_AUTO_TEST_CASE(a_key_held_by_us_is_refused_elsewhere) {
    client locks(context.get_executor(), settings());
    lease held = run(locks.async_lock("key", once(60s), asio::use_awaitable));
    BOOST_TEST(held.valid());
    BOOST_TEST(ask("acquire key 1000") == "refused");
    run(held.async_unlock(asio::use_awaitable));
    BOOST_TEST(ask("acquire key 60000") == "granted");
    BOOST_TEST(ask("release") == "released");
}

BOOST_AUTO_TEST_CASE(we_wait_for_a_holder_elsewhere) {
    client locks(context.get_executor(), settings());
    BOOST_TEST(ask("acquire key 60000") == "granted");
    lease held;
    bool done = false;
    locks.async_lock("key", {}, [&](boost::system::error_code failure, lease granted) {
        BOOST_TEST(!failure);
        held = std::move(granted);
        done = true;
    });
    BOOST_TEST(!run_until(200ms, [&] { return done; }));
    BOOST_TEST(ask("release") == "released");
    BOOST_TEST(run_until([&] { return done; }));
    BOOST_TEST(held.valid());
}

asio::awaitable<void> hold_once(client& locks, const hold_folder& folder, std::string key) {
    lease held = co_await locks.async_lock(key, {}, asio::use_awaitable);
    hold entry{"cpp", key, monotonic_now(), 0};
    const std::int64_t count = folder.read_counter(key);
    asio::steady_timer pause(co_await asio::this_coro::executor, 1ms);
    co_await pause.async_wait(asio::use_awaitable);
    folder.write_counter(key, count + 1);
    entry.left = monotonic_now();
    BOOST_TEST(held.valid());
    folder.append(entry);
    co_await held.async_unlock(asio::use_awaitable);
}

asio::awaitable<void> contend(client& locks, const hold_folder& folder, std::vector<std::string> keys,
                              const bool& stopped) {
    std::size_t turn = 0;
    while (!stopped)
        co_await hold_once(locks, folder, keys[turn++ % keys.size()]);
}

BOOST_AUTO_TEST_CASE(neither_holds_while_the_other_does) {
    constexpr std::size_t enough = 50;
    const std::vector<std::string> keys{"first", "second"};
    const temporary_folder shared;
    const hold_folder folder(shared.path(), keys);
    client one(context.get_executor(), settings());
    client two(context.get_executor(), settings());
    bool stopped = false;
    int running = 3;
    auto ended = [&](std::exception_ptr failure) {
        BOOST_TEST(!failure);
        --running;
    };
    BOOST_REQUIRE(ask("contend " + shared.path().string() + " first second") == "contending");
    asio::co_spawn(context, contend(one, folder, keys, stopped), ended);
    asio::co_spawn(context, contend(one, folder, keys, stopped), ended);
    asio::co_spawn(context, contend(two, folder, keys, stopped), ended);

    // Both go on contending until both have made progress. To read the history over and over would slow one
    // of them.
    auto next_look = std::chrono::steady_clock::now();
    const auto both_made_progress = [&] {
        if (std::chrono::steady_clock::now() < next_look) return false;
        next_look = std::chrono::steady_clock::now() + 100ms;
        return folder.holds_by("cpp") >= enough && folder.holds_by("npm") >= enough;
    };
    BOOST_TEST(run_until(120s, both_made_progress));
    stopped = true;
    other.write_line("stop");
    BOOST_TEST(run_until([&] { return running == 0; }));
    // Its history is complete only after it has answered.
    const std::string last_words = answer();
    BOOST_TEST(last_words == "stopped " + std::to_string(folder.holds_by("npm")));

    for (const auto& key : keys) {
        const std::vector<hold> holds = folder.holds_of(key);
        BOOST_TEST(overlaps(holds) == std::vector<std::string>(), boost::test_tools::per_element());
        BOOST_TEST(changes_of_holder(holds) >= 10u);
        BOOST_TEST(folder.read_counter(key) == static_cast<std::int64_t>(holds.size()));
        BOOST_TEST_MESSAGE(key << ": " << holds.size() << " holds, " << changes_of_holder(holds)
                               << " changes");
    }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(history_suite)

BOOST_AUTO_TEST_CASE(finds_an_overlap) {
    BOOST_TEST(overlaps({{"a", "k", 0, 10}, {"b", "k", 10, 20}}).empty());
    BOOST_TEST(overlaps({{"a", "k", 0, 10}, {"b", "k", 9, 20}}).size() == 1u);
    BOOST_TEST(changes_of_holder({{"a", "k", 0, 1}, {"a", "k", 2, 3}, {"b", "k", 4, 5}}) == 1u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
