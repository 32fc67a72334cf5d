#include "lock_fixture.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <array>

namespace redlock::test {
namespace {

namespace data = boost::unit_test::data;

// How far a node has come with a renewal when the unlock begins.
enum class progress { not_arrived, not_answered, answered };

// Some stages of a round over five nodes: how many of them have come how far.
struct stage {
    std::size_t not_arrived;
    std::size_t not_answered;
};
std::ostream& operator<<(std::ostream& out, const stage& s) {
    return out << s.not_arrived << " not arrived, " << s.not_answered << " not answered";
}
constexpr stage stages[] = {{5, 0}, {3, 2}, {0, 5}, {2, 2}, {1, 3}, {0, 3},
                            {3, 0}, {2, 0}, {0, 2}, {1, 1}, {0, 1}, {0, 0}};

progress progress_of(std::size_t node, const stage& s) {
    if (node < s.not_arrived) return progress::not_arrived;
    return node < s.not_arrived + s.not_answered ? progress::not_answered : progress::answered;
}

struct renewal_phase_test_fixture : proxied_fixture {
    // Sends a renewal and returns when it stands at the stage.
    void renew_up_to(lease& held, const stage& s, outcome<>& extended) {
        for (std::size_t node = 0; node < 5; ++node) {
            if (progress_of(node, s) == progress::not_arrived) proxies[node].freeze(direction::to_server);
            if (progress_of(node, s) == progress::not_answered) proxies[node].freeze(direction::to_client);
        }
        std::array<std::size_t, 5> sent{};
        for (std::size_t node = 0; node < 5; ++node)
            sent[node] = scripts_sent(node);
        held.async_extend(2 * long_ttl, extended.handler());
        BOOST_REQUIRE(run_until([&] {
            for (std::size_t node = 0; node < 5; ++node) {
                if (scripts_sent(node) == sent[node]) return false;
                const bool executed = nodes[node].pttl("key") > long_ttl;
                if (progress_of(node, s) != progress::not_arrived && !executed) return false;
            }
            return true;
        }));
    }
    std::size_t scripts_sent(std::size_t node) {
        return proxies[node].commands("EVAL") + proxies[node].commands("EVALSHA");
    }
    void thaw() {
        for (auto& proxy : proxies)
            proxy.thaw();
    }
    // Whatever is still on its way has arrived when the client has no connection left.
    void expect_nothing_left(client& locks) {
        BOOST_TEST(becomes_free("key"));
        close(locks);
        BOOST_TEST(becomes_free("key"));
    }
};

BOOST_FIXTURE_TEST_SUITE(renewal_phase, renewal_phase_test_fixture)

BOOST_DATA_TEST_CASE_F(renewal_phase_test_fixture, no_renewal_outlives_an_unlock, data::make(stages), at) {
    client locks(context.get_executor(), settings());
    BOOST_REQUIRE(becomes_ready(locks));
    lease held = lock(locks, "key");
    BOOST_REQUIRE(run_until([&] { return nodes.holders("key") == 5; }));
    outcome<> extended;
    renew_up_to(held, at, extended);
    outcome<> unlocked;
    held.async_unlock(unlocked.handler());
    BOOST_TEST(!held.valid());
    run_until(20ms, [&] { return unlocked.done(); });
    thaw();
    BOOST_TEST(run_until([&] { return unlocked.done() && extended.done(); }));
    BOOST_TEST(!unlocked.error());
    BOOST_TEST(unlocked.completions() == 1);
    BOOST_TEST(extended.completions() == 1);
    expect_nothing_left(locks);
}

// A repair writes the key where it is missing, which must not happen after the unlock.
BOOST_DATA_TEST_CASE_F(renewal_phase_test_fixture, no_repair_outlives_an_unlock, data::make(stages), at) {
    client locks(context.get_executor(), settings());
    BOOST_REQUIRE(becomes_ready(locks));
    lease held = lock(locks, "key");
    BOOST_REQUIRE(run_until([&] { return nodes.holders("key") == 5; }));
    for (const std::size_t node : {0u, 4u})
        nodes[node].command({"DEL", "key"});
    outcome<> extended;
    renew_up_to(held, at, extended);
    outcome<> unlocked;
    held.async_unlock(unlocked.handler());
    thaw();
    BOOST_TEST(run_until([&] { return unlocked.done() && extended.done(); }));
    BOOST_TEST(!unlocked.error());
    expect_nothing_left(locks);
}

BOOST_DATA_TEST_CASE_F(renewal_phase_test_fixture, the_destructor_is_an_unlock_too, data::make(stages), at) {
    client locks(context.get_executor(), settings());
    BOOST_REQUIRE(becomes_ready(locks));
    outcome<> extended;
    {
        lease held = lock(locks, "key");
        BOOST_REQUIRE(run_until([&] { return nodes.holders("key") == 5; }));
        renew_up_to(held, at, extended);
    }
    thaw();
    BOOST_TEST(run_until([&] { return extended.done(); }));
    BOOST_TEST(extended.completions() == 1);
    expect_nothing_left(locks);
}

// The nodes never answer the renewal: the unlock does not wait for them longer than a node may take.
BOOST_AUTO_TEST_CASE(an_unlock_does_not_wait_for_a_renewal_that_hangs) {
    config c = settings();
    c.node_timeout = 300ms;
    client locks(context.get_executor(), c);
    BOOST_REQUIRE(becomes_ready(locks));
    lease held = lock(locks, "key");
    BOOST_REQUIRE(run_until([&] { return nodes.holders("key") == 5; }));
    outcome<> extended;
    renew_up_to(held, {0, 5}, extended);
    outcome<> unlocked;
    const auto start = std::chrono::steady_clock::now();
    held.async_unlock(unlocked.handler());
    BOOST_TEST(run_until([&] { return unlocked.done(); }));
    BOOST_TEST((std::chrono::steady_clock::now() - start < 2 * c.node_timeout + 2s));
    BOOST_TEST(unlocked.error() == errc::no_quorum);
    thaw();
    expect_nothing_left(locks);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
