#include "fencing_fixture.hpp"

#include <functional>
#include <vector>

namespace redlock::test {
namespace {

BOOST_FIXTURE_TEST_SUITE(fencing, fencing_fixture)

BOOST_AUTO_TEST_CASE(tokens_increase_from_grant_to_grant_whoever_gets_it) {
    client other(context.get_executor(), settings());
    std::uint64_t last = 0;
    for (int i = 0; i < 20; ++i)
        for (client* with : {&locks, &other}) {
            const std::uint64_t token = next_token(*with);
            BOOST_TEST(token > last);
            last = token;
        }
    // Each was agreed on at the first attempt.
    BOOST_TEST(locks.metrics().fence_retries + other.metrics().fence_retries == 0u);
}

BOOST_AUTO_TEST_CASE(without_fencing_there_is_neither_token_nor_fence) {
    lease held = lock(locks, "key");
    BOOST_TEST(!held.fencing_token().has_value());
    BOOST_TEST(run_until([&] { return nodes.holders("key") == 5; }));
    for (auto& node : nodes)
        BOOST_TEST(node.command({"DBSIZE"}).integer == 1);
}

BOOST_AUTO_TEST_CASE(a_clock_that_is_behind_costs_one_round_trip_and_is_made_up_for) {
    const std::uint64_t ahead = next_token(locks) + 600'000'000;
    for (auto& node : nodes)
        set_fence(node, ahead);
    BOOST_TEST(next_token(locks) == ahead + 1);
    BOOST_TEST(locks.metrics().fence_retries == 1u);
    BOOST_TEST(next_token(locks) > ahead + 1);
    BOOST_TEST(locks.metrics().fence_retries == 1u);
}

BOOST_AUTO_TEST_CASE(fences_that_differ_are_brought_together_on_a_majority) {
    const std::uint64_t ahead = next_token(locks) + 600'000'000;
    for (std::size_t i = 0; i < 5; ++i)
        set_fence(nodes[i], ahead + 10 * i);
    lease held = lock(locks, "key", fenced);
    const std::uint64_t token = token_of(held);
    BOOST_TEST(token > ahead + 20);
    BOOST_TEST(nodes_with_fence(token) >= 3u);
    BOOST_TEST(check(token) == error_code());
}

BOOST_AUTO_TEST_CASE(a_minority_of_high_fences_costs_one_round_trip_at_most) {
    const std::uint64_t before = next_token(locks);
    set_fence(nodes[0], before + 600'000'000);
    set_fence(nodes[4], before + 700'000'000);
    const std::uint64_t token = next_token(locks);
    BOOST_TEST(token > before);
    // The others may have agreed before those two were heard. Behind this, all have been.
    outcome<key_report> seen;
    locks.async_inspect("key", seen.handler());
    BOOST_REQUIRE(run_until([&] { return seen.done(); }));
    BOOST_TEST(next_token(locks) > token);
    BOOST_TEST(locks.metrics().fence_retries <= 1u);
}

BOOST_AUTO_TEST_CASE(tokens_go_on_increasing_when_nodes_have_lost_their_data) {
    std::uint64_t last = next_token(locks);
    for (const std::size_t lost : {1u, 2u, 3u, 5u}) {
        for (std::size_t i = 0; i < lost; ++i)
            nodes[i].command({"FLUSHALL"});
        const std::uint64_t token = next_token(locks);
        BOOST_TEST(token > last);
        last = token;
    }
}

BOOST_AUTO_TEST_CASE(a_lease_that_is_handed_over_gets_a_token_of_its_own) {
    lease held = lock(locks, "key", fenced);
    outcome<lease> next;
    locks.async_lock("key", fenced, next.handler());
    BOOST_TEST(run_until([&] { return locks.metrics().waiting == 1; }));
    const std::uint64_t first = token_of(held);
    BOOST_TEST(!unlock(held));
    BOOST_TEST(run_until([&] { return next.done(); }));
    BOOST_TEST(!next.error());
    const std::uint64_t second = token_of(next.value());
    BOOST_TEST(second > first);
    BOOST_TEST(locks.metrics().handoffs == 1u);
    BOOST_TEST(check(first) == errc::lease_lost);
    BOOST_TEST(check(second) == error_code());
    BOOST_TEST(!unlock(next.value()));
    BOOST_TEST(becomes_free("key"));
}

BOOST_AUTO_TEST_CASE(callers_with_and_without_fencing_follow_each_other) {
    std::uint64_t last = 0;
    lease held = lock(locks, "key");
    for (int i = 0; i < 6; ++i) {
        outcome<lease> next;
        locks.async_lock("key", {.ttl = long_ttl, .fencing = i % 3 != 2}, next.handler());
        BOOST_TEST(run_until([&] { return locks.metrics().waiting == 1; }));
        BOOST_TEST(!unlock(held));
        BOOST_TEST(run_until([&] { return next.done(); }));
        BOOST_TEST(!next.error());
        held = std::move(next.value());
        BOOST_TEST(held.valid());
        BOOST_TEST(held.fencing_token().has_value() == (i % 3 != 2));
        BOOST_TEST(held.fencing_token().value_or(last + 1) > last);
        last = held.fencing_token().value_or(last);
    }
    BOOST_TEST(!unlock(held));
    BOOST_TEST(becomes_free("key"));
}

BOOST_AUTO_TEST_CASE(a_renewal_puts_the_fence_back_with_the_key) {
    lease held = lock(locks, "key", {.ttl = 1500ms, .fencing = true});
    const std::uint64_t token = token_of(held);
    BOOST_REQUIRE(run_until([&] { return nodes.holders("key") == 5; }));
    nodes[2].command({"FLUSHALL"});
    BOOST_TEST(run_until([&] { return fence_of(nodes[2]) == token; }));
    BOOST_TEST(nodes[2].get("key").value_or("none") == nodes[0].get("key").value_or("nothing"));
    BOOST_TEST(nodes[2].command({"PTTL", "key:redlock-fence"}).integer > 0);
    BOOST_TEST(held.valid());
    BOOST_TEST(!unlock(held));
    BOOST_TEST(becomes_free("key"));
}

BOOST_AUTO_TEST_CASE(a_fence_lives_for_the_retention_after_its_last_use) {
    config c = settings();
    c.fence_retention = std::chrono::hours(2);
    client brief(context.get_executor(), c);
    next_token(brief);
    BOOST_TEST(run_until([&] {
        return std::ranges::all_of(nodes, [](auto& node) {
            const auto left = node.pttl("key:redlock-fence");
            return left == 0ms || (left > std::chrono::hours(2) && left <= std::chrono::minutes(128));
        });
    }));
}

BOOST_AUTO_TEST_CASE(contenders_get_tokens_in_the_order_of_their_grants) {
    constexpr int grants_each = 15;
    client other(context.get_executor(), settings());
    std::vector<std::uint64_t> given;
    int running = 0;
    auto use = [&](client& mine) -> asio::awaitable<void> {
        for (int i = 0; i < grants_each; ++i) {
            lease held = co_await mine.async_lock("key", fenced, asio::use_awaitable);
            given.push_back(held.fencing_token().value_or(0));
            co_await asio::post(context, asio::use_awaitable);
            co_await held.async_unlock(asio::use_awaitable);
        }
    };
    for (client* mine : {&locks, &other})
        for (int i = 0; i < 3; ++i, ++running)
            asio::co_spawn(context, use(*mine), [&](std::exception_ptr failure) {
                BOOST_CHECK(!failure);
                --running;
            });
    BOOST_TEST(run_until([&] { return running == 0; }));
    BOOST_TEST(given.size() == 6u * grants_each);
    BOOST_TEST(std::ranges::is_sorted(given, std::less_equal<>()));
    BOOST_TEST((std::ranges::adjacent_find(given) == given.end()));
    BOOST_TEST(becomes_free("key"));
}

// The line in the guide with what fencing and the guard need besides.
BOOST_AUTO_TEST_CASE(fencing_needs_few_rights) {
    lock_fixture limited(
        3, {.directives = {"user fenced on >secret ~lock:* resetchannels -@all +set +get +del +pttl "
                           "+pexpire +eval +evalsha +ping +info +hello +client|setname +zadd "
                           "+zscore +time"}});
    config c = limited.settings();
    for (std::size_t i = 0; i < 3; ++i)
        c.nodes[i] = limited.nodes[i].uri("fenced", "secret");
    c.key_prefix = "lock:";
    c.restart_guard = 1s;
    client with_few(limited.context.get_executor(), c);
    BOOST_REQUIRE(limited.becomes_ready(with_few));
    lease held = limited.lock(with_few, "key", {.ttl = 1s, .fencing = true});
    BOOST_TEST(held.fencing_token().has_value());
    BOOST_TEST(limited.run_until([&] { return with_few.metrics().renewals > 0; }));
    outcome<lease> next;
    with_few.async_lock("key", fenced, next.handler());
    BOOST_TEST(limited.run_until([&] { return with_few.metrics().waiting == 1; }));
    BOOST_TEST(!limited.unlock(held));
    BOOST_TEST(limited.run_until([&] { return next.done(); }));
    BOOST_TEST(!next.error());
    outcome<> checked;
    with_few.async_check("key", next.value().fencing_token().value_or(0), checked.handler());
    BOOST_TEST(limited.run_until([&] { return checked.done(); }));
    BOOST_TEST(!checked.error());
}

// Every fence runs out by itself.
BOOST_AUTO_TEST_CASE(no_fence_stays_for_ever) {
    for (int i = 0; i < 500; ++i) {
        lease held = lock(locks, "key:" + std::to_string(i), fenced_once);
        BOOST_REQUIRE(held.valid());
        BOOST_REQUIRE(!unlock(held));
    }
    std::int64_t fences = 0;
    for (auto& node : nodes) {
        fences += node.command({"DBSIZE"}).integer;
        BOOST_TEST(node.command({"EVAL",
                                 "local n=0 for _,k in ipairs(redis.call('keys','*')) do if "
                                 "redis.call('pttl',k)<=0 then n=n+1 end end return n",
                                 "0"})
                       .integer == 0);
    }
    BOOST_TEST(fences >= 3 * 500);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
