#include "wakeup_mode.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

namespace redlock::test {
namespace {

namespace data = boost::unit_test::data;
using clock = std::chrono::steady_clock;

constexpr int handovers = 12;

// Two clients behind proxies of their own that drop, repeat and hold back what servers say by themselves,
// each on its own: so it also comes in another order from node to node.
struct lost_wakeup_test_fixture : wakeup_fixture {
    explicit lost_wakeup_test_fixture(const wakeup_mode& m) : wakeup_fixture(m) {
        for (auto& node : nodes)
            others.emplace_back(node.port());
        for (auto* ways : {&proxies, &others})
            for (auto& way : *ways)
                way.garble_pushes({.drop = 30, .duplicate = 20, .hold_back = 30});
        config c = settings();
        c.node_timeout = 100ms;
        one.emplace(context.get_executor(), c);
        for (std::size_t i = 0; i < others.size(); ++i)
            c.nodes[i] = others[i].uri();
        two.emplace(context.get_executor(), c);
    }

    /// A busy machine may let some deadlines pass.
    lease lock_at_last(client& locks) {
        for (;;) {
            outcome<lease> tried;
            locks.async_lock("key", {.ttl = 600s}, tried.handler());
            BOOST_REQUIRE(run_until([&] { return tried.done(); }));
            if (!tried.error()) return std::move(tried.value());
            BOOST_TEST(tried.error() == errc::no_quorum);
        }
    }

    std::deque<fault_proxy> others;
    std::optional<client> one, two;
};

const wakeup_mode& mode_of(const std::string& name) {
    for (const wakeup_mode& m : wakeup_modes())
        if (m.name == name) return m;
    throw std::invalid_argument(name);
}

const char* const modes[] = {"events", "tracking", "events over RESP2", "timed, wanted"};

BOOST_AUTO_TEST_SUITE(lost_wakeup)

// The keys live far longer than the test: no expiry comes to the rescue.
BOOST_DATA_TEST_CASE(no_waiter_sleeps_on_whatever_becomes_of_the_news, data::make(modes), mode) {
    lost_wakeup_test_fixture f(mode_of(mode));
    BOOST_REQUIRE(f.run_until([&] { return f.one->metrics().nodes.at(4).connects > 0; }));
    clock::duration longest{};
    lease held = f.lock_at_last(*f.one);
    for (int i = 0; i < handovers; ++i) {
        client& next = i % 2 == 0 ? *f.two : *f.one;
        outcome<lease> waiting;
        next.async_lock("key", {.ttl = 600s}, waiting.handler());
        f.run_until(20ms, [&] { return waiting.done(); });
        (void)f.unlock(held);
        const auto released = clock::now();
        BOOST_REQUIRE(f.run_until([&] { return waiting.done(); }));
        longest = std::max(longest, clock::now() - released);
        held = waiting.error() ? f.lock_at_last(next) : std::move(waiting.value());
    }
    BOOST_TEST_MESSAGE(mode << ": " << longest / 1ms << " ms at most");
    // A look every second or twenty node timeouts, whatever was told.
    BOOST_TEST((longest < 10s));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
