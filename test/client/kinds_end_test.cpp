// How locks of every kind end with their client, their process's fork, or the function that they are held
// for.

#include "forked_child.hpp"
#include "read_write_fixture.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <optional>
#include <ostream>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <vector>

namespace redlock::test {
namespace {

namespace data = boost::unit_test::data;

enum class kind { reading, writing, downgraded, permit, owned, kept };
constexpr kind kinds_of_lease[] = {kind::reading, kind::writing, kind::downgraded,
                                   kind::permit,  kind::owned,   kind::kept};
std::ostream& operator<<(std::ostream& out, kind k) { return out << "kind " << static_cast<int>(k); }

struct ending_fixture : lock_fixture {
    ending_fixture() {
        locks.emplace(context.get_executor(), settings());
        BOOST_REQUIRE(becomes_ready(*locks));
    }
    lock_options options_of(kind k, lock_options options = patiently()) {
        if (k == kind::reading) options.mode = mode::read;
        if (k == kind::writing || k == kind::downgraded) options.mode = mode::write;
        if (k == kind::permit) options.permits = 2;
        if (k == kind::owned) options.owner = &me;
        if (k == kind::kept) options.keep = 1h;
        return options;
    }
    lease take(kind k, lock_options options = patiently()) {
        lease held = lock(*locks, "key", options_of(k, options));
        if (k != kind::downgraded) return held;
        outcome<> done;
        held.async_downgrade(done.handler());
        BOOST_REQUIRE(run_until([&] { return done.done(); }));
        BOOST_REQUIRE(!done.error());
        BOOST_REQUIRE(becomes_free("key"));
        return held;
    }
    lease_set take_set(lock_options options) {
        const std::vector<std::string> keys{"key", "key:0"};
        outcome<lease_set> got;
        locks->async_lock_all(keys, options, got.handler());
        BOOST_REQUIRE(run_until([&] { return got.done(); }));
        BOOST_REQUIRE(!got.error());
        return std::move(got.value());
    }
    /// Nodes that have anything of it.
    std::size_t left() {
        std::size_t most = 0;
        for (const char* key : {"key", readers_of_key, "key:redlock-leader", "key:0", "key:1"})
            most = std::max(most, nodes.holders(key));
        return most;
    }
    bool nothing_is_left() {
        return run_until([&] { return left() == 0; });
    }

    // Here, for a lambda of a test with data is of no type that g++ 12 takes into a coroutine.
    void hold_while_a_function_runs(kind what) {
        std::size_t held_on = 0;
        bool throws = false;
        auto body = [&](lease& held) -> asio::awaitable<void> {
            if (what == kind::downgraded) co_await held.async_downgrade();
            held_on = left();
            BOOST_TEST(held.valid());
            if (throws) throw std::runtime_error("on purpose");
        };
        const lock_options options = options_of(what);
        run(locks->async_with_lock("key", options, body, asio::use_awaitable));
        BOOST_TEST(held_on >= 3u);
        if (what == kind::kept) return;
        BOOST_TEST(nothing_is_left());
        throws = true;
        BOOST_CHECK_THROW(run(locks->async_with_lock("key", options, body, asio::use_awaitable)),
                          std::runtime_error);
        BOOST_TEST(nothing_is_left());
    }
    /// Its body is told to end.
    void lose_while_a_function_runs(kind what) {
        lock_options brief = patiently();
        brief.ttl = 900ms;
        auto body = [&](lease& held) -> asio::awaitable<void> {
            if (what == kind::downgraded) co_await held.async_downgrade();
            // Somebody of the other kind is there before, so that it cannot be put back.
            const bool reads = what == kind::reading || what == kind::downgraded;
            for (auto& node : nodes) {
                if (!reads) node.command({"ZADD", readers_of_key, "9e15", "somebody"});
                for (const char* key : {"key", "key:0", "key:1"})
                    node.command({"SET", key, "somebody", "PX", "60000"});
                if (reads) node.command({"DEL", readers_of_key});
            }
            asio::steady_timer timer(co_await asio::this_coro::executor,
                                     asio::steady_timer::time_point::max());
            co_await timer.async_wait(asio::use_awaitable);
        };
        const lock_options options = options_of(what, brief);
        try {
            run(locks->async_with_lock("key", options, body, asio::use_awaitable));
            BOOST_ERROR("it did not end");
        } catch (const boost::system::system_error& error) {
            BOOST_TEST(error.code() == errc::lease_lost);
        }
    }

    const owner me;
    std::optional<client> locks;
};

BOOST_AUTO_TEST_SUITE(kinds_end)

BOOST_DATA_TEST_CASE_F(ending_fixture, a_client_that_is_closed_gives_everything_back,
                       data::make(kinds_of_lease), what) {
    std::stop_source stop;
    lock_options options = patiently();
    options.stop = &stop;
    lease held = take(what, options);
    close(*locks);
    BOOST_TEST(stop.stop_requested());
    BOOST_TEST(!held.valid());
    BOOST_TEST(nothing_is_left());
    BOOST_TEST(unlock(held) == errc::closed);
}

BOOST_FIXTURE_TEST_CASE(a_client_that_is_closed_gives_a_set_back, ending_fixture) {
    std::stop_source stop;
    lock_options options = patiently();
    options.stop = &stop;
    lease_set held = take_set(options);
    outcome<> lost, unlocked;
    held.async_wait_lost(lost.handler());
    BOOST_TEST((nodes.holders("key") >= 3u && nodes.holders("key:0") >= 3u));
    close(*locks);
    BOOST_TEST((stop.stop_requested() && held.stop_token().stop_requested()));
    BOOST_TEST(!held.valid());
    BOOST_TEST(nothing_is_left());
    BOOST_TEST(lost.completions() == 1);
    BOOST_TEST(lost.error() == errc::closed);
    held.async_unlock(unlocked.handler());
    BOOST_REQUIRE(run_until([&] { return unlocked.done(); }));
    BOOST_TEST(unlocked.error() == errc::closed);
}

BOOST_FIXTURE_TEST_CASE(a_client_that_is_closed_resigns, ending_fixture) {
    std::stop_source stop;
    lock_options options = patiently();
    options.stop = &stop;
    outcome<leadership> got;
    locks->async_campaign("key", "me", options, got.handler());
    BOOST_REQUIRE(run_until([&] { return got.done(); }));
    BOOST_REQUIRE(!got.error());
    leadership& leads = got.value();
    outcome<> lost, proclaimed;
    leads.async_wait_lost(lost.handler());
    client observes(context.get_executor(), settings());
    outcome<leader_info> seen, gone;
    observes.async_observe("key", {}, seen.handler());
    BOOST_REQUIRE(run_until([&] { return seen.done(); }));
    BOOST_TEST(seen.value().value == "me");
    observes.async_observe("key", seen.value().mark, gone.handler());
    close(*locks);
    BOOST_TEST(stop.stop_requested());
    BOOST_TEST(!leads.valid());
    BOOST_TEST(nothing_is_left());
    BOOST_REQUIRE(run_until([&] { return gone.done(); }));
    BOOST_TEST((!gone.error() && !gone.value().present));
    BOOST_TEST(lost.completions() == 1);
    BOOST_TEST(lost.error() == errc::closed);
    leads.async_proclaim("again", proclaimed.handler());
    BOOST_REQUIRE(run_until([&] { return proclaimed.done(); }));
    BOOST_TEST(proclaimed.error() == errc::closed);
    BOOST_TEST(unlock(leads) == errc::closed);
}

BOOST_DATA_TEST_CASE_F(ending_fixture, a_client_that_is_destroyed_gives_everything_back,
                       data::make(kinds_of_lease), what) {
    lease held = take(what);
    locks.reset();
    BOOST_TEST(nothing_is_left());
    BOOST_TEST(!held.valid());
}

BOOST_DATA_TEST_CASE_F(ending_fixture, a_lease_that_is_dropped_is_given_back, data::make(kinds_of_lease),
                       what) {
    std::optional<lease> held(take(what));
    BOOST_TEST(left() >= 3u);
    held.reset();
    if (what != kind::kept) {
        BOOST_TEST(nothing_is_left());
        return;
    }
    BOOST_TEST(run_until([&] { return nodes[0].pttl("key") > long_ttl; }));
    BOOST_TEST(nodes.holders("key") == 5u);
}

BOOST_DATA_TEST_CASE_F(ending_fixture, a_child_does_the_parents_lease_no_harm, data::make(kinds_of_lease),
                       what) {
    lock_options brief = patiently();
    brief.ttl = 1500ms;
    std::optional<lease> held(take(what, brief));
    forked_child child([&]() -> std::string {
        if (held->valid()) return "the lease is valid in the child";
        context.notify_fork(asio::io_context::fork_child);
        run_until(1s, [] { return false; });
        if (!held->stop_token().stop_requested()) return "stop was not requested in the child";
        outcome<> downgraded;
        held->async_downgrade(downgraded.handler());
        if (!run_until([&] { return downgraded.done(); })) return "a call did not end in the child";
        if (downgraded.error() != errc::closed) return "ended with " + downgraded.error().message();
        held.reset();
        locks.reset();
        run_until(200ms, [] { return false; });
        return {};
    });
    bool was_valid = true;
    BOOST_REQUIRE(run_until([&] {
        was_valid = was_valid && held->valid();
        return child.ended();
    }));
    BOOST_TEST(child.verdict() == "");
    BOOST_TEST(was_valid);
    const auto renewals = locks->metrics().renewals;
    BOOST_TEST(run_until([&] { return locks->metrics().renewals >= renewals + 2; }));
    BOOST_TEST(left() >= 3u);
    BOOST_TEST(!unlock(*held));
    if (what != kind::kept) BOOST_TEST(nothing_is_left());
}

BOOST_DATA_TEST_CASE_F(ending_fixture, it_is_held_for_as_long_as_a_function_runs, data::make(kinds_of_lease),
                       what) {
    hold_while_a_function_runs(what);
}

BOOST_DATA_TEST_CASE_F(ending_fixture, a_function_ends_with_a_lock_that_is_lost, data::make(kinds_of_lease),
                       what) {
    lose_while_a_function_runs(what);
}

BOOST_FIXTURE_TEST_CASE(a_child_does_a_set_no_harm, ending_fixture) {
    lock_options brief = patiently();
    brief.ttl = 1500ms;
    std::optional<lease_set> held(take_set(brief));
    forked_child child([&]() -> std::string {
        if (held->valid()) return "the set is valid in the child";
        context.notify_fork(asio::io_context::fork_child);
        run_until(1s, [] { return false; });
        if (!held->stop_token().stop_requested()) return "stop was not requested in the child";
        held.reset();
        locks.reset();
        run_until(200ms, [] { return false; });
        return {};
    });
    bool was_valid = true;
    BOOST_REQUIRE(run_until([&] {
        was_valid = was_valid && held->valid();
        return child.ended();
    }));
    BOOST_TEST(child.verdict() == "");
    BOOST_TEST(was_valid);
    outcome<> unlocked;
    held->async_unlock(unlocked.handler());
    BOOST_REQUIRE(run_until([&] { return unlocked.done(); }));
    BOOST_TEST(!unlocked.error());
    BOOST_TEST(nothing_is_left());
}

BOOST_FIXTURE_TEST_CASE(a_set_is_held_for_as_long_as_a_function_runs, ending_fixture) {
    const std::vector<std::string> keys{"key", "key:0"};
    auto body = [&](lease_set& held) -> asio::awaitable<void> {
        BOOST_TEST(held.valid());
        BOOST_TEST(left() >= 3u);
        co_return;
    };
    run(locks->async_with_lock(keys, patiently(), body, asio::use_awaitable));
    BOOST_TEST(nothing_is_left());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
