#include "client/lock_fixture.hpp"

#include <redlock/observer.hpp>

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <optional>
#include <thread>

namespace redlock::test {
namespace {

// Keeps this thread, and the event loop that runs in it, busy with something else. That is what is under
// test, not a wait for anything.
void stall(std::chrono::milliseconds time) { std::this_thread::sleep_for(time); }

// Turns the loop until the nodes have executed the SETs, one handler at a time.
void run_until_taken(lock_fixture& f, const std::string& key) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (f.nodes.holders(key) < 5 && std::chrono::steady_clock::now() < deadline)
        f.context.run_one_for(1ms);
    BOOST_REQUIRE(f.nodes.holders(key) == 5u);
}

BOOST_FIXTURE_TEST_SUITE(stalled_executor, proxied_fixture)

BOOST_AUTO_TEST_CASE(a_grant_that_is_read_too_late_is_a_refusal) {
    client locks(context.get_executor(), settings());
    BOOST_REQUIRE(becomes_ready(locks));
    // The replies arrive while nobody reads them.
    for (auto& proxy : proxies)
        proxy.freeze(direction::to_client);
    outcome<lease> tried;
    locks.async_lock("key", {.ttl = 400ms, .wait = 0ms, .renew = false}, tried.handler());
    run_until_taken(*this, "key");
    for (auto& proxy : proxies)
        proxy.thaw();
    stall(600ms);
    BOOST_TEST(run_until([&] { return tried.done(); }));
    BOOST_TEST(tried.error() == errc::no_quorum);
    BOOST_TEST(!tried.value().valid());
    BOOST_TEST(locks.metrics().late_grants == 1u);
    BOOST_TEST(locks.metrics().grants == 0u);
    BOOST_TEST(becomes_free("key"));
}

// Both are granted in one turn, which takes too long for the second.
BOOST_AUTO_TEST_CASE(a_grant_behind_a_slow_observer_is_a_refusal_when_it_is_too_late) {
    struct slow_observer final : observer {
        void granted(std::string_view key, std::chrono::nanoseconds) noexcept override {
            if (key == "first") stall(600ms);
        }
    };
    config with_observer = settings();
    with_observer.observer = std::make_shared<slow_observer>();
    client locks(context.get_executor(), with_observer);
    BOOST_REQUIRE(becomes_ready(locks));
    outcome<lease> first;
    outcome<lease> second;
    const lock_options options{.ttl = 400ms, .wait = 0ms, .renew = false};
    locks.async_lock("first", options, first.handler());
    locks.async_lock("second", options, second.handler());
    BOOST_TEST(run_until([&] { return first.done() && second.done(); }));
    BOOST_TEST(!first.error());
    BOOST_TEST(!first.value().valid());
    BOOST_TEST(second.error() == errc::no_quorum);
    BOOST_TEST(locks.metrics().late_grants == 1u);
    BOOST_TEST(becomes_free("second"));
}

// The client has a thread of its own and grants in time; the caller's executor is late.
BOOST_AUTO_TEST_CASE(a_lease_that_reaches_a_stalled_caller_too_late_is_not_valid) {
    asio::thread_pool own(1);
    client locks(own.get_executor(), settings());
    BOOST_REQUIRE(eventually([&] { return ready_nodes(locks) == 5; }));
    std::stop_source work;
    outcome<lease> tried;
    lock_options options{.ttl = 400ms, .wait = 0ms, .renew = false, .stop = &work};
    locks.async_lock("key", options, asio::bind_executor(context, tried.handler()));
    BOOST_REQUIRE(eventually([&] { return locks.metrics().grants == 1; }));
    stall(600ms);
    BOOST_TEST(run_until([&] { return tried.done(); }));
    BOOST_TEST(!tried.value().valid());
    BOOST_TEST(tried.value().remaining().count() == 0);
    BOOST_TEST(work.stop_requested());
    close(locks);
}

BOOST_AUTO_TEST_CASE(a_client_on_a_thread_of_its_own_renews_while_the_caller_stalls) {
    asio::thread_pool own(1);
    client locks(own.get_executor(), settings());
    outcome<lease> tried;
    locks.async_lock("key", {.ttl = 1s}, asio::bind_executor(context, tried.handler()));
    BOOST_REQUIRE(run_until([&] { return tried.done(); }));
    stall(3s);
    BOOST_TEST(tried.value().valid());
    BOOST_TEST(!tried.value().stop_token().stop_requested());
    BOOST_TEST(!unlock(tried.value()));
    BOOST_TEST(becomes_free("key"));
    close(locks);
}

BOOST_AUTO_TEST_CASE(a_lease_whose_loop_stalled_is_not_valid_afterwards) {
    client locks(context.get_executor(), settings());
    std::stop_source work;
    lease held = lock(locks, "key", {.ttl = 600ms, .stop = &work});
    stall(800ms);
    BOOST_TEST(!held.valid());
    BOOST_TEST(run_until([&] { return work.stop_requested(); }));
    BOOST_TEST(!held.valid());
    BOOST_TEST(unlock(held) == errc::lease_lost);
}

// The loop finds much to do at once: replies for the client, its alarm, and a timer of the holder's. The
// client answers the replies with a handler behind that timer, and its strand gets to the alarm after that
// only.
BOOST_AUTO_TEST_CASE(a_holder_hears_of_the_loss_before_the_timer_it_waited_for) {
    client locks(context.get_executor(), settings());
    BOOST_REQUIRE(becomes_ready(locks));
    std::stop_source work;
    const lease held = lock(locks, "key", {.ttl = 600ms, .renew = false, .stop = &work});
    for (auto& proxy : proxies)
        proxy.freeze(direction::to_client);
    outcome<lease> tried;
    locks.async_lock("other", once(), tried.handler());
    run_until_taken(*this, "other");
    asio::steady_timer timer(context, 700ms);
    std::optional<bool> knew;
    timer.async_wait([&](error_code) { knew = work.stop_requested(); });
    for (auto& proxy : proxies)
        proxy.thaw();
    stall(800ms);
    BOOST_TEST(run_until([&] { return knew.has_value(); }));
    BOOST_TEST(knew.value());
    BOOST_TEST(run_until([&] { return tried.done(); }));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
