#include "lock_fixture.hpp"

#include <redlock/observer.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>

namespace redlock::test {
namespace {

std::uint64_t calls_refused(const client& locks, errc why) {
    const auto all = locks.metrics().refused_calls;
    const auto found = std::ranges::find(all, why, &refusal_count::why);
    return found == all.end() ? 0 : found->calls;
}

struct metrics_test_fixture : lock_fixture {
    /// A caller that surely waits for another.
    void begin(client& locks, outcome<lease>& waiting) {
        const auto before = locks.metrics().waiting;
        locks.async_lock("key", patiently(), waiting.handler());
        BOOST_REQUIRE(run_until([&] { return locks.metrics().waiting > before; }));
    }
    lease end(outcome<lease>& waiting) {
        BOOST_REQUIRE(run_until([&] { return waiting.done(); }));
        BOOST_TEST(!waiting.error());
        return std::move(waiting.value());
    }
};

// Notes what happens to a key.
struct diary final : observer {
    void granted(std::string_view key, std::chrono::nanoseconds) noexcept override { note("granted ", key); }
    void refused(std::string_view key, error_code) noexcept override { note("refused ", key); }
    void waiting(std::string_view key) noexcept override { note("waiting ", key); }
    void handed_over(std::string_view key, std::chrono::nanoseconds held) noexcept override {
        note("handed over ", key);
        shortest = std::min(shortest, held);
    }
    void released(std::string_view key, std::chrono::nanoseconds held) noexcept override {
        note("released ", key);
        shortest = std::min(shortest, held);
    }
    void note(std::string_view what, std::string_view key) { (all += what).append(key) += "; "; }

    std::string all;
    std::chrono::nanoseconds shortest = std::chrono::nanoseconds::max();
};

BOOST_FIXTURE_TEST_SUITE(measurements, metrics_test_fixture)

BOOST_AUTO_TEST_CASE(the_times_of_a_lease_are_measured) {
    client locks(context.get_executor(), settings());
    BOOST_REQUIRE(becomes_ready(locks));
    const auto began = std::chrono::steady_clock::now();
    lease held = lock(locks, "key", {.ttl = 1s});
    BOOST_REQUIRE(run_until([&] { return locks.metrics().renewals >= 2; }));
    BOOST_TEST(!unlock(held));
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    const metrics_snapshot seen = locks.metrics();
    BOOST_TEST(seen.time_to_acquire.count == 1u);
    BOOST_TEST((seen.time_to_acquire.sum.count() > 0 && seen.time_to_acquire.sum < took));
    BOOST_TEST(seen.wait_time.count == 0u);
    BOOST_TEST(seen.hold_time.count == 1u);
    // Two renewals, each a third of a second after the one before, less a tenth of that.
    BOOST_TEST((seen.hold_time.sum > 590ms && seen.hold_time.sum < took));
    BOOST_TEST((seen.hold_time.percentile(50) > 500ms));
    BOOST_TEST(seen.renewal_time.count >= seen.renewals);
    BOOST_TEST((seen.renewal_time.sum.count() > 0 && seen.renewal_time.sum < took));
    BOOST_TEST(seen.stop_margin.count == 0u);
    BOOST_TEST((seen.inflight_limit > 0 && seen.inflight_limit <= 1024));
    for (const node_metrics& node : seen.nodes) {
        // At least the handshake apart: the lock, two renewals, the release.
        BOOST_TEST(node.round_trips.count >= 4u);
        BOOST_TEST(node.round_trips.percentile(100).count() > 0);
        BOOST_TEST(node.reconnects == 0u);
        BOOST_TEST(!node.quarantined);
    }
}

BOOST_AUTO_TEST_CASE(waiting_and_hand_overs_in_one_client_are_told_of) {
    auto told = std::make_shared<diary>();
    config c = settings();
    c.observer = told;
    client locks(context.get_executor(), c);
    BOOST_REQUIRE(becomes_ready(locks));
    lease held = lock(locks, "key");
    outcome<lease> next;
    begin(locks, next);
    BOOST_TEST(!unlock(held));
    held = end(next);
    BOOST_TEST(!unlock(held));
    BOOST_TEST(told->all == "granted key; waiting key; handed over key; granted key; released key; ");
    BOOST_TEST((told->shortest > 0ns));
    const metrics_snapshot seen = locks.metrics();
    BOOST_TEST(seen.handoffs == 1u);
    BOOST_TEST(seen.remote_handoffs == 0u);
    BOOST_TEST(seen.time_to_acquire.count == 2u);
    BOOST_TEST(seen.wait_time.count == 1u);
    BOOST_TEST(seen.hold_time.count == 2u);
}

BOOST_AUTO_TEST_CASE(waiting_for_another_client_is_told_of) {
    auto told = std::make_shared<diary>();
    config c = settings();
    c.observer = told;
    client locks(context.get_executor(), c);
    client other(context.get_executor(), settings());
    BOOST_REQUIRE(becomes_ready(locks));
    lease first = lock(other, "key");
    outcome<lease> next;
    locks.async_lock("key", patiently(), next.handler());
    BOOST_REQUIRE(run_until([&] { return told->all.find("waiting key") != std::string::npos; }));
    BOOST_TEST(!unlock(first));
    lease second = end(next);
    BOOST_TEST(told->all.starts_with("refused key; waiting key; "));
    BOOST_TEST(told->all.ends_with("granted key; "));
    BOOST_TEST(told->all.find("waiting key") == told->all.rfind("waiting key"));
    const metrics_snapshot seen = locks.metrics();
    BOOST_TEST(seen.remote_handoffs == 1u);
    BOOST_TEST(seen.handoffs == 0u);
    BOOST_TEST(seen.wait_time.count == 1u);
    BOOST_TEST((seen.wait_time.sum < seen.time_to_acquire.sum));
}

BOOST_AUTO_TEST_CASE(calls_without_a_lease_are_counted_by_reason) {
    client locks(context.get_executor(), settings());
    client other(context.get_executor(), settings());
    lease held = lock(other, "key");
    BOOST_TEST(try_lock(locks, "key") == errc::held);
    BOOST_TEST(try_lock(locks, "key", {.ttl = long_ttl, .wait = 1ms}) == errc::wait_timeout);
    BOOST_TEST(try_lock(locks, "") == errc::invalid_key);
    BOOST_TEST(try_lock(locks, "", {.ttl = 0ms}) == errc::invalid_key);
    outcome<lease> cancelled;
    asio::cancellation_signal cancel;
    locks.async_lock("key", patiently(), asio::bind_cancellation_slot(cancel.slot(), cancelled.handler()));
    BOOST_REQUIRE(run_until([&] { return locks.metrics().waiting == 1; }));
    cancel.emit(asio::cancellation_type::terminal);
    BOOST_REQUIRE(run_until([&] { return cancelled.done(); }));
    BOOST_TEST(calls_refused(locks, errc::held) == 1u);
    BOOST_TEST(calls_refused(locks, errc::wait_timeout) == 1u);
    BOOST_TEST(calls_refused(locks, errc::invalid_key) == 2u);
    BOOST_TEST(calls_refused(locks, errc::no_quorum) == 0u);
    BOOST_TEST(locks.metrics().cancelled == 1u);
    BOOST_TEST(locks.metrics().refused_calls.size() == static_cast<std::size_t>(errc::tls_failed));
    close(locks);
    BOOST_TEST(try_lock(locks, "key") == errc::closed);
    BOOST_TEST(calls_refused(locks, errc::closed) == 1u);
}

BOOST_AUTO_TEST_CASE(the_margin_of_a_stop_is_measured) {
    client locks(context.get_executor(), settings());
    BOOST_REQUIRE(becomes_ready(locks));
    lease held = lock(locks, "key", {.ttl = 1s, .renew = false, .stop_margin = 400ms});
    BOOST_REQUIRE(run_until([&] { return held.stop_token().stop_requested(); }));
    const metrics_snapshot seen = locks.metrics();
    BOOST_TEST(seen.lost_by_deadline == 1u);
    BOOST_TEST(seen.stop_margin.count == 1u);
    BOOST_TEST((seen.stop_margin.sum.count() > 0 && seen.stop_margin.sum <= 400ms));
    BOOST_TEST(seen.hold_time.count == 1u);
    unlock(held);
    BOOST_TEST(locks.metrics().hold_time.count == 1u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
