#include "any_operation.hpp"
#include "stepping.hpp"

#include <redlock/observer.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <optional>

namespace redlock::test {
namespace {

namespace data = boost::unit_test::data;

constexpr int most_steps_before_the_end = 40;

// Every kind of operation at once, in whatever state some steps of the loop bring them to.
struct everything {
    everything(proxied_fixture& f, const config& c, scene s)
        : locks(std::in_place, f.context.get_executor(), c) {
        BOOST_REQUIRE(f.becomes_ready(*locks));
        for (const char* key : {"held", "unlocked", "extended", "dropped"})
            leases.push_back(f.lock(*locks, key));
        arrange(f, s, "wanted");
        locks->async_lock("wanted", patiently(), acquired.handler());
        locks->async_inspect("wanted", inspected.handler());
        start(operation::try_lock, *locks, leases[0], tried);
        start(operation::with_lock, *locks, leases[0], used);
        leases[0].async_wait_lost(lost.handler());
        leases[1].async_unlock(unlocked.handler());
        leases[2].async_extend(2 * long_ttl, extended.handler());
        leases.pop_back();
    }
    bool all_done() const {
        return acquired.done() && inspected.done() && lost.done() && unlocked.done() && extended.done() &&
               tried->completions > 0 && used->completions > 0;
    }
    void expect_one_completion_each() const {
        for (const int count :
             {acquired.completions(), inspected.completions(), lost.completions(), unlocked.completions(),
              extended.completions(), tried->completions, used->completions})
            BOOST_TEST(count == 1);
    }
    void expect_closed_or_done_before() {
        for (const error_code& e : {acquired.error(), unlocked.error(), extended.error(), inspected.error()})
            if (e) BOOST_TEST(e == errc::closed);
        BOOST_TEST(lost.error() == errc::closed);
        // One of those who want the key holds it, or is about to.
        if (tried->error != errc::held) BOOST_TEST((!tried->error || tried->error == errc::closed));
        BOOST_TEST(used->error == errc::closed);
    }

    std::optional<client> locks;
    std::vector<lease> leases;
    outcome<lease> acquired;
    outcome<key_report> inspected;
    outcome<> lost;
    outcome<> unlocked;
    outcome<> extended;
    const std::shared_ptr<ending> tried = std::make_shared<ending>();
    const std::shared_ptr<ending> used = std::make_shared<ending>();
};

constexpr const char* all_keys[] = {"wanted", "held", "unlocked", "extended", "dropped"};

struct shutdown_test_fixture : proxied_fixture {
    config settings() {
        config c = proxied_fixture::settings();
        c.node_timeout = 500ms;
        return c;
    }
    bool nothing_left() {
        return std::ranges::all_of(all_keys, [&](const char* key) { return nothing_of_ours(*this, key); });
    }
    void reset() {
        for (auto& proxy : proxies)
            proxy.pass();
        for (auto& node : nodes)
            node.command({"FLUSHALL"});
    }
};

// Those in which a lease can be had to begin with.
constexpr scene scenes[] = {scene::connected, scene::held_elsewhere, scene::minority_held, scene::one_silent};

BOOST_FIXTURE_TEST_SUITE(shutdown_suite, shutdown_test_fixture)

BOOST_DATA_TEST_CASE_F(shutdown_test_fixture, a_client_can_be_destroyed_at_every_point, data::make(scenes),
                       s) {
    for (int steps = 0; steps < most_steps_before_the_end; steps += 2) {
        everything all(*this, settings(), s);
        run_steps(*this, steps, [] { return false; });
        all.locks.reset();
        BOOST_REQUIRE(run_until([&] { return all.all_done(); }));
        all.expect_closed_or_done_before();
        for (const lease& held : all.leases)
            BOOST_TEST(!held.valid());
        for (auto& proxy : proxies)
            proxy.thaw();
        BOOST_TEST(run_until([&] { return nothing_left(); }));
        all.expect_one_completion_each();
        reset();
    }
}

BOOST_DATA_TEST_CASE_F(shutdown_test_fixture, a_client_can_be_closed_at_every_point, data::make(scenes), s) {
    for (int steps = 0; steps < most_steps_before_the_end; steps += 2) {
        everything all(*this, settings(), s);
        run_steps(*this, steps, [] { return false; });
        outcome<> closed;
        all.locks->async_close(closed.handler());
        BOOST_REQUIRE(run_until([&] { return closed.done(); }));
        BOOST_TEST(!closed.error());
        // All that the client did has ended: the rest of the loop has nothing to do.
        BOOST_TEST(run_until([&] { return all.all_done(); }));
        all.expect_closed_or_done_before();
        for (auto& proxy : proxies)
            proxy.thaw();
        BOOST_TEST(run_until([&] { return nothing_left(); }));
        all.expect_one_completion_each();
        BOOST_TEST(try_lock(*all.locks, "held") == errc::closed);
        reset();
    }
}

// The handlers are destroyed without a call, and AddressSanitizer finds nothing that was forgotten.
BOOST_DATA_TEST_CASE_F(shutdown_test_fixture, a_loop_can_be_abandoned_at_every_point, data::make(all_scenes),
                       s) {
    for (int steps = 0; steps < most_steps_before_the_end; steps += 2) {
        auto loop = std::make_unique<asio::io_context>(1);
        std::optional<client> locks(std::in_place, loop->get_executor(), settings());
        auto token = std::make_shared<int>(0);
        const std::weak_ptr<int> alive = token;
        int completions = 0;
        lease held;
        locks->async_lock("held", once(), [&, token](error_code, lease granted) {
            ++completions;
            held = std::move(granted);
            if (!held) return; // what is asked of an empty lease does not depend on the loop
            held.async_wait_lost([&, token](error_code) { ++completions; });
            held.async_extend(2 * long_ttl, [&, token](error_code) { ++completions; });
        });
        arrange(*this, s, "wanted");
        locks->async_lock("wanted", patiently(), [&, token](error_code, lease) { ++completions; });
        locks->async_inspect("wanted", [&, token](error_code, key_report) { ++completions; });
        locks->async_with_lock("used", once(), wait_for_cancellation,
                               [&, token](std::exception_ptr) { ++completions; });
        if (steps % 10 == 0) locks->async_close([&, token](error_code) { ++completions; });
        token.reset();
        for (int i = 0; i < steps; ++i)
            loop->run_one_for(20ms);
        const int completed = completions;
        loop->stop();
        // In any order: the context may go first, or the client, or the lease.
        if (steps % 6 == 0) locks.reset();
        if (steps % 4 == 0) held = lease();
        loop.reset();
        BOOST_TEST(alive.expired());
        BOOST_TEST(completions == completed);
        locks.reset();
        held = lease();
        reset();
    }
}

// Also where it has closed so far that only its connections are left to end.
BOOST_AUTO_TEST_CASE(a_loop_may_go_at_every_point_of_a_close) {
    for (int steps = 0; steps < most_steps_before_the_end; ++steps) {
        auto loop = std::make_unique<asio::io_context>(1);
        config c = settings();
        c.observer = std::make_shared<observer>();
        const std::weak_ptr<observer> alive = c.observer;
        std::optional<client> locks(std::in_place, loop->get_executor(), std::move(c));
        for (int i = 0; i < 200 && ready_nodes(*locks) < nodes.size(); ++i)
            loop->run_one_for(20ms);
        locks->async_close([](error_code) {});
        for (int i = 0; i < steps; ++i)
            loop->run_one_for(1ms);
        loop.reset();
        locks.reset();
        BOOST_TEST(alive.expired(), steps << " steps");
    }
}

// What was posted on behalf of the call then goes after everything else of the client.
BOOST_AUTO_TEST_CASE(a_context_may_go_between_a_cancellation_and_its_effect) {
    for (auto& node : nodes)
        node.command({"SET", "wanted", "somebody else's", "PX", "60000"});
    auto loop = std::make_unique<asio::io_context>(1);
    client locks(loop->get_executor(), settings());
    asio::cancellation_signal cancel;
    outcome<lease> waiting;
    locks.async_lock("wanted", patiently(), asio::bind_cancellation_slot(cancel.slot(), waiting.handler()));
    const auto bound = std::chrono::steady_clock::now() + patience;
    while (locks.metrics().refusals == 0 && std::chrono::steady_clock::now() < bound)
        loop->run_one_for(20ms);
    BOOST_REQUIRE(locks.metrics().refusals > 0u);
    cancel.emit(asio::cancellation_type::terminal);
    loop.reset();
    BOOST_TEST(!waiting.done());
}

BOOST_AUTO_TEST_CASE(a_client_that_was_never_run_can_be_destroyed) {
    asio::io_context idle;
    client locks(idle.get_executor(), settings());
    outcome<lease> tried;
    locks.async_lock("key", once(), tried.handler());
    BOOST_TEST(!tried.done());
}

BOOST_AUTO_TEST_CASE(closing_releases_every_lease_and_tells_it) {
    client locks(context.get_executor(), settings());
    std::stop_source work;
    lease held = lock(locks, "key", {.ttl = long_ttl, .stop = &work});
    BOOST_REQUIRE(run_until([&] { return nodes.holders("key") == 5; }));
    close(locks);
    BOOST_TEST(nodes.holders("key") == 0u);
    BOOST_TEST(work.stop_requested());
    BOOST_TEST(held.stop_token().stop_requested());
    BOOST_TEST(!held.valid());
    BOOST_TEST(unlock(held) == errc::closed);
    // Again, and after that: it is closed already.
    close(locks);
    BOOST_TEST(try_lock(locks, "key") == errc::closed);
    BOOST_TEST(run_until([&] { return proxies[0].open_connections() == 0; }));
}

// Its keys go with the client, so it must not last any longer than they do.
BOOST_AUTO_TEST_CASE(closing_ends_what_a_lost_lease_has_left_to_stop_in) {
    client locks(context.get_executor(), settings());
    lease held = lock(locks, "key", {.ttl = 6s, .renew = false, .stop_margin = 2900ms});
    outcome<> lost;
    held.async_wait_lost(lost.handler());
    BOOST_REQUIRE(run_until([&] { return lost.done(); }));
    BOOST_TEST(held.valid());
    close(locks);
    BOOST_TEST(!held.valid());
    BOOST_TEST(held.remaining().count() == 0);
    BOOST_TEST(nodes.holders("key") == 0u);
}

BOOST_AUTO_TEST_CASE(closing_takes_no_longer_than_two_deadlines) {
    client locks(context.get_executor(), settings());
    lease held = lock(locks, "key");
    for (auto& proxy : proxies)
        proxy.freeze();
    const auto start = std::chrono::steady_clock::now();
    close(locks);
    BOOST_TEST((std::chrono::steady_clock::now() - start < 2 * settings().node_timeout + 2s));
}

BOOST_AUTO_TEST_CASE(a_destroyed_client_leaves_the_loop_without_work) {
    {
        client locks(context.get_executor(), settings());
        BOOST_REQUIRE(becomes_ready(locks));
        BOOST_TEST(!try_lock(locks, "key"));
    }
    context.restart();
    BOOST_TEST(context.run_for(patience) > 0u);
    BOOST_TEST(context.stopped());
    BOOST_TEST(nodes.holders("key") == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
