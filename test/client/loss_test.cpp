#include "node_fault.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <optional>
#include <stop_token>

namespace redlock::test {
namespace {

namespace data = boost::unit_test::data;

// Listens to everything that tells of a loss, and looks at the lease at that very moment.
struct loss_watch {
    loss_watch(lock_fixture& f, client& locks, std::string key, lock_options options) : fixture(f) {
        options.stop = &work;
        held = f.lock(locks, key, options);
        held.async_wait_lost(lost.handler());
        at_stop.emplace(work.get_token(), look{this});
    }
    bool await_stop() {
        return fixture.run_until([&] { return stopped; });
    }

    struct look {
        loss_watch* watch;
        void operator()() const noexcept {
            watch->stopped = true;
            watch->was_valid = watch->held.valid();
            watch->remaining = watch->held.remaining();
        }
    };

    lock_fixture& fixture;
    std::stop_source work;
    lease held;
    outcome<> lost;
    bool stopped = false;
    bool was_valid = false;
    std::chrono::nanoseconds remaining{0};
    std::optional<std::stop_callback<look>> at_stop;
};

BOOST_FIXTURE_TEST_SUITE(loss, proxied_fixture)

BOOST_DATA_TEST_CASE_F(proxied_fixture, stop_comes_before_the_validity_ends, data::make(all_node_faults),
                       fault) {
    config c = settings();
    c.node_timeout = 1s;
    client locks(context.get_executor(), c);
    loss_watch watch(*this, locks, "key", {.ttl = 3s, .stop_margin = 1s});
    for (std::size_t node = 0; node < 5; ++node)
        inflict(*this, node, fault);
    BOOST_REQUIRE(watch.await_stop());
    BOOST_TEST(watch.was_valid);
    BOOST_TEST((watch.remaining > 0ns && watch.remaining <= 1s));
    BOOST_TEST(watch.held.stop_token().stop_requested());
    BOOST_TEST(run_until([&] { return watch.lost.done(); }));
    BOOST_TEST(!watch.lost.error());
    BOOST_TEST(run_until([&] { return !watch.held.valid(); }));
    BOOST_TEST(watch.held.remaining().count() == 0);
    BOOST_TEST(locks.metrics().lost_by_deadline == 1u);
    BOOST_TEST(unlock(watch.held) == errc::lease_lost);
}

BOOST_AUTO_TEST_CASE(a_lease_without_renewal_runs_out) {
    client locks(context.get_executor(), settings());
    loss_watch watch(*this, locks, "key", {.ttl = 1s, .renew = false, .stop_margin = 400ms});
    BOOST_REQUIRE(watch.await_stop());
    BOOST_TEST(watch.was_valid);
    BOOST_TEST((watch.remaining > 0ns && watch.remaining <= 400ms));
    BOOST_TEST(becomes_free("key"));
    BOOST_TEST(!watch.held.valid());
    lease next = lock(locks, "key");
    BOOST_TEST(next.valid());
}

BOOST_AUTO_TEST_CASE(keys_deleted_on_a_majority_are_never_put_back) {
    client locks(context.get_executor(), settings());
    loss_watch watch(*this, locks, "key", {.ttl = 6s});
    BOOST_REQUIRE(run_until([&] { return nodes.holders("key") == 5; }));
    for (const std::size_t node : {0u, 1u, 2u})
        nodes[node].command({"DEL", "key"});
    BOOST_REQUIRE(watch.await_stop());
    BOOST_TEST(!watch.was_valid);
    BOOST_TEST(!watch.held.valid());
    BOOST_TEST(locks.metrics().lost_by_majority == 1u);
    // The rest is given back long before it would run out.
    BOOST_TEST(becomes_free("key"));
    BOOST_TEST(unlock(watch.held) == errc::lease_lost);
    // It stays lost beyond the time of its next renewals, which somebody else's lease would not survive.
    lease next = lock(locks, "key");
    BOOST_TEST(!run_until(3s, [&] { return watch.held.valid() || !next.valid(); }));
    BOOST_TEST(!unlock(next));
}

BOOST_AUTO_TEST_CASE(keys_taken_over_on_a_majority_are_left_to_their_owner) {
    client locks(context.get_executor(), settings());
    loss_watch watch(*this, locks, "key", {.ttl = 6s});
    BOOST_REQUIRE(run_until([&] { return nodes.holders("key") == 5; }));
    for (const std::size_t node : {0u, 2u, 4u})
        nodes[node].command({"SET", "key", "somebody else"});
    BOOST_REQUIRE(watch.await_stop());
    BOOST_TEST(!watch.held.valid());
    BOOST_TEST(run_until([&] { return nodes.holders("key") == 3; }));
    for (const std::size_t node : {0u, 2u, 4u})
        BOOST_TEST(nodes[node].get("key").value() == "somebody else");
}

BOOST_AUTO_TEST_CASE(a_majority_that_forgot_its_data_is_a_loss) {
    client locks(context.get_executor(), settings());
    loss_watch watch(*this, locks, "key", {.ttl = 60s});
    BOOST_REQUIRE(run_until([&] { return nodes.holders("key") == 5; }));
    for (const std::size_t node : {0u, 1u, 2u})
        nodes[node].restart();
    BOOST_REQUIRE(run_until([&] {
        const auto seen = locks.metrics().nodes;
        return seen[0].connects == 2 && seen[1].connects == 2 && seen[2].connects == 2;
    }));
    BOOST_TEST(watch.held.valid());
    outcome<> extended;
    watch.held.async_extend(60s, extended.handler());
    BOOST_TEST(run_until([&] { return extended.done() && watch.lost.done(); }));
    BOOST_TEST(extended.error() == errc::lease_lost);
    BOOST_TEST(watch.stopped);
    BOOST_TEST(!watch.held.valid());
    BOOST_TEST(becomes_free("key"));
}

BOOST_AUTO_TEST_CASE(a_loss_is_told_to_who_asks_later) {
    client locks(context.get_executor(), settings());
    loss_watch watch(*this, locks, "key", {.ttl = 500ms, .renew = false});
    BOOST_REQUIRE(watch.await_stop());
    outcome<> late;
    watch.held.async_wait_lost(late.handler());
    BOOST_TEST(run_until([&] { return late.done(); }));
    BOOST_TEST(!late.error());
    outcome<> extended;
    watch.held.async_extend(1s, extended.handler());
    BOOST_TEST(run_until([&] { return extended.done(); }));
    BOOST_TEST(extended.error() == errc::lease_lost);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
