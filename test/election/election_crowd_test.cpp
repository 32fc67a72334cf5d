// Candidates whose nodes hear of them in different orders.

#include "client/lock_fixture.hpp"

#include <redlock/leadership.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdint>
#include <string>

namespace redlock::test {
namespace {

/// Of four nodes two are far from one client, and two from the other.
struct crossed_ways : proxied_fixture {
    crossed_ways() : proxied_fixture(4) {
        for (auto& proxy : proxies)
            proxy.delay(8ms);
    }

    config far_from(std::size_t first, std::size_t last) const {
        config c = lock_fixture::settings();
        const config through_proxies = settings();
        for (std::size_t i = first; i <= last; ++i)
            c.nodes[i] = through_proxies.nodes[i];
        return c;
    }
    outcome<leadership> ask(client& by, const std::string& value) {
        outcome<leadership> got;
        by.async_campaign("key", value, patiently(), got.handler());
        return got;
    }

    client leading{context.get_executor(), lock_fixture::settings()};
    client one{context.get_executor(), far_from(0, 1)};
    client two{context.get_executor(), far_from(2, 3)};
};

BOOST_FIXTURE_TEST_SUITE(election_crowd, crossed_ways)

BOOST_AUTO_TEST_CASE(who_gives_way_in_the_queues_leads_after_the_other) {
    BOOST_REQUIRE((becomes_ready(leading) && becomes_ready(one) && becomes_ready(two)));
    const std::string value(1000, 'v');
    std::uint64_t last = 0;
    for (int i = 0; i < 20; ++i) {
        auto first = ask(leading, value);
        BOOST_REQUIRE(run_until([&] { return first.done(); }));
        auto here = ask(one, value);
        auto there = ask(two, value);
        // Some nodes have heard of one of them, and some of the other.
        BOOST_TEST(!run_until(std::chrono::milliseconds(i % 7), [] { return false; }));
        first.drop_values();
        for (int n = 0; n < 2; ++n) {
            BOOST_REQUIRE(run_until([&] { return bool(here.value()) || bool(there.value()); }));
            auto& next = here.value() ? here : there;
            BOOST_TEST(next.value().term() > last);
            last = next.value().term();
            outcome<> proclaimed;
            next.value().async_proclaim(value + value, proclaimed.handler());
            BOOST_REQUIRE(run_until([&] { return proclaimed.done(); }));
            BOOST_TEST(!proclaimed.error());
            next.drop_values();
        }
        BOOST_TEST(
            run_until([&] { return nodes.holders("key") == 0 && nodes.holders("key:redlock-leader") == 0; }));
    }
    BOOST_TEST(one.metrics().yields + two.metrics().yields > 0u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
