#include "lease_fixture.hpp"

#include <redlock/observer.hpp>
#include <redlock/prometheus.hpp>

#include <algorithm>

namespace redlock::test {
namespace {

using words = std::vector<std::string>;

struct diary final : observer {
    void granted(std::string_view key, std::chrono::nanoseconds) noexcept override { note("granted", key); }
    void refused(std::string_view key, error_code why) noexcept override {
        note(why == errc::held ? "refused" : "failed", key);
    }
    void waiting(std::string_view key) noexcept override { note("waiting", key); }
    void handed_over(std::string_view key, std::chrono::nanoseconds) noexcept override {
        note("handed_over", key);
    }
    void released(std::string_view key, std::chrono::nanoseconds) noexcept override { note("released", key); }
    void renewed(std::string_view key, std::chrono::nanoseconds left) noexcept override {
        BOOST_TEST((left > 500s));
        note("renewed", key);
    }
    void lost(std::string_view key, std::chrono::nanoseconds left) noexcept override {
        remaining = left;
        note("lost", key);
    }
    void note(const char* what, std::string_view key) { all.push_back(what + (" " + std::string(key))); }
    /// What was noted since the last time.
    words take() { return std::exchange(all, {}); }

    words all;
    std::chrono::nanoseconds remaining{-1};
};

struct observation_test_fixture : lease_fixture {
    observation_test_fixture() : seen(std::make_shared<diary>()), locks(context.get_executor(), watched()) {}
    config watched() const {
        config c = settings();
        c.observer = seen;
        return c;
    }
    void expect(const words& happened) {
        settle();
        const words noted = seen->take();
        BOOST_TEST(noted == happened, boost::test_tools::per_element());
    }
    std::uint64_t calls_refused(errc why) const {
        return locks.metrics().refused_calls.at(static_cast<std::size_t>(why) - 1).calls;
    }

    const std::shared_ptr<diary> seen;
    client locks;
};

BOOST_FIXTURE_TEST_SUITE(observation_suite, observation_test_fixture,
                         *boost::unit_test::precondition(engine_in_hand))

BOOST_AUTO_TEST_CASE(an_observer_is_told_of_every_step) {
    lease held = lock(locks);
    expect({"granted key"});
    pass(221s);
    expect({"renewed key"});
    BOOST_TEST(!unlock(held));
    expect({"released key"});
    (void)lock(locks, "dropped");
    expect({"granted dropped", "released dropped"});
}

BOOST_AUTO_TEST_CASE(a_call_that_waits_for_another_of_its_owner_is_told) {
    const owner me;
    lock_options mine = patiently();
    mine.owner = &me;
    hold(1h);
    outcome<lease> first, second;
    locks.async_lock("key", mine, first.handler());
    expect({"refused key", "waiting key"});
    locks.async_lock("key", mine, second.handler());
    expect({"waiting key"});
    lose();
    expect({"granted key"});
    BOOST_TEST((!first.error() && !second.error()));
}

BOOST_AUTO_TEST_CASE(waiting_is_told_once_for_each_call) {
    hold(1h);
    outcome<lease> first, second;
    locks.async_lock("key", patiently(), first.handler());
    expect({"refused key", "waiting key"});
    locks.async_lock("key", patiently(), second.handler());
    expect({"waiting key"});
    BOOST_TEST(try_lock(locks) == errc::held);
    expect({"refused key"});
    hold(2h); // longer than they had in mind
    pass(100min);
    expect({});
    pass(21min);
    expect({"granted key"});
    BOOST_TEST(!unlock(first.value()));
    expect({"handed_over key", "granted key"});
    BOOST_TEST(second.value().valid());
    BOOST_TEST(locks.metrics().wait_time.count == 2u);
}

BOOST_AUTO_TEST_CASE(a_loss_is_told_with_what_is_left) {
    lease held = lock(locks);
    lose();
    expect({"granted key", "lost key"});
    BOOST_TEST((seen->remaining == 0s));
    BOOST_TEST(unlock(held) == errc::lease_lost);
    held = lock(locks);
    hand->fail_next(1000000);
    pass(540s);
    hand->fail_next(0);
    expect({"granted key", "lost key"});
    BOOST_TEST((seen->remaining > 20s && seen->remaining < 60s));
}

BOOST_AUTO_TEST_CASE(failures_are_told_and_counted) {
    hand->fail_next(1, errc::node_timeout);
    BOOST_TEST(try_lock(locks) == errc::node_timeout);
    expect({"failed key"});
    BOOST_TEST(calls_refused(errc::node_timeout) == 1u);
    BOOST_TEST(locks.metrics().no_quorum == 1u);
    BOOST_TEST(try_lock(locks, "") == errc::invalid_key);
    BOOST_TEST(calls_refused(errc::invalid_key) == 1u);
    hold(1h);
    BOOST_TEST(try_lock(locks) == errc::held);
    BOOST_TEST(calls_refused(errc::held) == 1u);
    BOOST_TEST(locks.metrics().refusals == 1u);
    BOOST_TEST(locks.metrics().grants == 0u);
}

BOOST_AUTO_TEST_CASE(metrics_show_what_is_under_way) {
    hold(1h, "wanted");
    lease held = lock(locks);
    outcome<lease> waits;
    locks.async_lock("wanted", patiently(), waits.handler());
    settle();
    const metrics_snapshot now = locks.metrics();
    BOOST_TEST(now.held == 1u);
    BOOST_TEST(now.waiting == 1u);
    BOOST_TEST(now.grants == 1u);
    BOOST_TEST(now.time_to_acquire.count == 1u);
    BOOST_TEST(now.nodes.size() == 1u);
    BOOST_TEST(now.nodes[0].node == address);
    BOOST_TEST(now.nodes[0].state == "ready");
    BOOST_TEST(!unlock(held));
    BOOST_TEST(locks.metrics().unlocks == 1u);
    BOOST_TEST(locks.metrics().hold_time.count == 1u);
    BOOST_TEST(locks.metrics().held == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
