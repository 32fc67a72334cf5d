#include "lock_fixture.hpp"

#include <boost/test/unit_test.hpp>

namespace redlock::test {
namespace {

constexpr std::chrono::milliseconds longest{std::int64_t{1} << 53};

BOOST_FIXTURE_TEST_SUITE(options, lock_fixture)

BOOST_AUTO_TEST_CASE(a_key_is_neither_empty_nor_too_long) {
    config c = settings();
    c.key_prefix = "prefix:";
    client locks(context.get_executor(), c);
    const std::size_t room = max_key_size - c.key_prefix.size();
    BOOST_TEST(try_lock(locks, "") == errc::invalid_key);
    BOOST_TEST(try_lock(locks, std::string(room + 1, 'k')) == errc::invalid_key);
    BOOST_TEST(try_lock(locks, std::string(10'000'000, 'k')) == errc::invalid_key);
    BOOST_TEST(!try_lock(locks, std::string(room, 'k')));
    outcome<key_report> inspected;
    locks.async_inspect("", inspected.handler());
    BOOST_TEST(run_until([&] { return inspected.done(); }));
    BOOST_TEST(inspected.error() == errc::invalid_key);
}

BOOST_AUTO_TEST_CASE(a_ttl_is_positive_and_not_beyond_what_redis_counts) {
    client locks(context.get_executor(), settings());
    for (const auto ttl : {0ms, -1ms, std::chrono::milliseconds::min(), longest + 1ms, forever})
        BOOST_TEST(try_lock(locks, "key", {.ttl = ttl, .wait = 0ms}) == errc::invalid_option, ttl.count());
    BOOST_TEST(nodes.holders("key") == 0u);
    for (const auto ttl : {1000ms, longest - longest / 50}) {
        lease held = lock(locks, "key", {.ttl = ttl, .wait = 0ms});
        BOOST_TEST(held.valid());
        BOOST_TEST((held.remaining() > 0ns));
        BOOST_TEST(!unlock(held));
        BOOST_TEST(becomes_free("key"));
    }
}

// A lease whose margins leave nothing of its life is none.
BOOST_AUTO_TEST_CASE(margins_leave_something_of_the_ttl) {
    client locks(context.get_executor(), settings());
    const auto refused = [&](lock_options o) {
        BOOST_TEST(try_lock(locks, "key", o) == errc::invalid_option);
    };
    refused({.ttl = 2ms, .wait = 0ms});
    refused({.ttl = 1s, .wait = 0ms, .stop_margin = 500ms});
    refused({.ttl = 1s, .wait = 0ms, .stop_margin = forever});
    refused({.ttl = 1s, .wait = 0ms, .stop_margin = -2ms});
    BOOST_TEST(!try_lock(locks, "key", {.ttl = 1s, .wait = 0ms, .stop_margin = 499ms}));
    BOOST_TEST(!try_lock(locks, "other", {.ttl = 1s, .wait = 0ms, .stop_margin = 0ms}));
}

BOOST_AUTO_TEST_CASE(no_other_time_is_negative) {
    client locks(context.get_executor(), settings());
    const auto refused = [&](lock_options o) {
        BOOST_TEST(try_lock(locks, "key", o) == errc::invalid_option);
    };
    refused({.wait = -1ms});
    refused({.wait = std::chrono::milliseconds::min()});
    refused({.wait = 0ms, .max_hold = 0ms});
    refused({.wait = 0ms, .max_hold = -1ms});
    refused({.wait = 0ms, .lock_delay = -1ms});
    refused({.ttl = 1s, .wait = 0ms, .lock_delay = longest});
    refused({.ttl = 1s, .wait = 0ms, .lock_delay = forever});
    BOOST_TEST(nodes.holders("key") == 0u);
}

BOOST_AUTO_TEST_CASE(a_lock_delay_keeps_the_key_after_an_unclean_end) {
    client locks(context.get_executor(), settings());
    lease held = lock(locks, "key", {.ttl = 20s, .lock_delay = 40s});
    BOOST_TEST((held.remaining() <= 20s));
    BOOST_REQUIRE(run_until([&] { return nodes.holders("key") == 5; }));
    for (auto& node : nodes)
        BOOST_TEST((node.pttl("key") > 40s && node.pttl("key") <= 60s));
    outcome<> extended;
    held.async_extend(30s, extended.handler());
    BOOST_REQUIRE(run_until([&] { return extended.done(); }));
    BOOST_TEST((held.remaining() <= 30s));
    BOOST_TEST((nodes[0].pttl("key") > 60s || nodes[1].pttl("key") > 60s));
    // A clean end frees it at once.
    BOOST_TEST(!unlock(held));
    BOOST_TEST(becomes_free("key"));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
