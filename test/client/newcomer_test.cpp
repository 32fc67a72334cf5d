#include "wakeup_mode.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <string_view>

namespace redlock::test {
namespace {

using clock = std::chrono::steady_clock;

BOOST_AUTO_TEST_SUITE(newcomer)

// Not at once, for the one that was told is to have the key; but in time to hear of its release.
BOOST_AUTO_TEST_CASE(who_has_just_unlocked_listens_again_after_four_round_trips) {
    constexpr auto delay = 20ms;
    // Of a user who may stand in no queue.
    const auto& modes = wakeup_modes();
    const auto is_it = [](const wakeup_mode& m) {
        return std::string_view(m.name) == "events, minimal rights";
    };
    wakeup_fixture f(*std::ranges::find_if(modes, is_it));
    for (auto& proxy : f.proxies)
        proxy.delay(delay);
    config far = f.settings();
    far.wakeup = wakeup::keyspace_events;
    far.node_timeout = 1s;
    client one(f.context.get_executor(), far);
    client two(f.context.get_executor(), far);
    for (const client* locks : {&one, &two})
        BOOST_REQUIRE(f.knows(*locks, wakeup::keyspace_events));
    const auto subscriptions = [&f] {
        std::size_t all = 0;
        for (auto& proxy : f.proxies)
            all += proxy.commands("SUBSCRIBE");
        return all;
    };
    const auto waits = [&](client& locks, const std::string& key, outcome<lease>& waiting) {
        const auto before = subscriptions();
        locks.async_lock(key, patiently(), waiting.handler());
        BOOST_REQUIRE(f.run_until([&] { return subscriptions() >= before + f.nodes.size(); }));
    };
    const auto gives = [&f](lease& held, outcome<lease>& waiting) {
        BOOST_TEST(!f.unlock(held));
        BOOST_REQUIRE(f.run_until([&] { return waiting.done(); }));
        BOOST_REQUIRE(!waiting.error());
    };
    auto soonest = clock::duration::max();
    for (const std::string key : {"a", "b", "c", "d", "e"}) {
        lease held = f.lock(one, key);
        outcome<lease> first;
        waits(two, key, first); // from now on it knows that others want the key
        gives(held, first);
        outcome<lease> second;
        waits(one, key, second);
        BOOST_TEST(!f.unlock(first.value()));
        const auto unlocked = clock::now();
        outcome<lease> again;
        waits(two, key, again);
        soonest = std::min(soonest, clock::now() - unlocked);
        BOOST_REQUIRE(f.run_until([&] { return second.done(); }));
        BOOST_REQUIRE(!second.error());
        gives(second.value(), again);
        BOOST_TEST(!f.unlock(again.value()));
    }
    const auto round_trip = 2 * delay;
    BOOST_TEST_MESSAGE(soonest / 1ms << " ms");
    BOOST_TEST((soonest > 3 * round_trip));
    BOOST_TEST((soonest < 6 * round_trip));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
