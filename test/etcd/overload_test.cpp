// More callers than the way to the cluster carries in the time that an answer has.

#include "etcd_fixture.hpp"
#include "support/fault_proxy.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>

#include <algorithm>
#include <deque>
#include <string>
#include <vector>

namespace redlock::test {
namespace {

namespace asio = boost::asio;

/// A link that carries 100 kB/s each way, whatever the machine: a chunk of 16 KiB in 160 ms. What thousands
/// of callers ask for together then takes longer than an answer may.
struct etcd_overload_fixture : etcd_fixture {
    static constexpr std::chrono::seconds answer_time{10};

    etcd_overload_fixture() { BOOST_REQUIRE(!try_lock(locks, "first")); }

    client make_distant_client() {
        config c = settings(cluster.uri_over({network.port()}));
        c.node_timeout = answer_time;
        return client(context.get_executor(), c);
    }
    /// All at once, over the link that carries so little from then on.
    std::vector<outcome<lease>> flood(std::size_t crowd) {
        network.delay(160ms);
        std::vector<outcome<lease>> all(crowd);
        for (std::size_t i = 0; i < crowd; ++i)
            locks.async_lock("key" + std::to_string(i), once(), all[i].handler());
        return all;
    }
    template <class Outcomes>
    bool end(const Outcomes& all) {
        return run_until(4 * patience, [&] {
            return std::ranges::all_of(all, [](const auto& each) { return each.done(); });
        });
    }
    template <class Outcomes>
    void none_failed(const Outcomes& all) const {
        for (const auto& each : all)
            BOOST_REQUIRE_MESSAGE(!each.error(), each.error().message()
                                                     << ": " << locks.metrics().nodes.at(0).last_error_text);
    }
    std::uint64_t timeouts() const { return locks.metrics().nodes.at(0).timeouts; }

    fault_proxy network{cluster.port()};
    client locks = make_distant_client();
};

BOOST_FIXTURE_TEST_SUITE(overload_suite, etcd_overload_fixture)

// What is held is kept meanwhile.
BOOST_AUTO_TEST_CASE(thousands_of_callers_are_granted_and_released_and_nothing_runs_out_of_time) {
    constexpr std::size_t crowd = 8'000;
    std::vector<lease> held;
    for (int i = 0; i < 20; ++i)
        held.push_back(lock(locks, "held" + std::to_string(i), patiently(30s)));
    const auto before = locks.metrics();
    auto all = flood(crowd);
    BOOST_TEST(run_until([&] { return locks.metrics().queued > 0; }));
    BOOST_TEST(locks.metrics().inflight <= locks.metrics().inflight_limit);
    BOOST_REQUIRE(end(all));
    none_failed(all);
    BOOST_TEST(locks.metrics().queued == 0u);
    BOOST_TEST(locks.metrics().inflight == 0u);
    std::vector<outcome<>> released(crowd);
    for (std::size_t i = 0; i < crowd; ++i)
        all[i].value().async_unlock(released[i].handler());
    BOOST_REQUIRE(end(released));
    none_failed(released);
    const auto after = locks.metrics();
    BOOST_TEST(timeouts() == before.nodes.at(0).timeouts);
    BOOST_TEST(after.no_quorum == before.no_quorum);
    BOOST_TEST(after.renewals > before.renewals);
    BOOST_TEST(after.lost_by_deadline + after.lost_by_majority == 0u);
    for (const lease& each : held)
        BOOST_TEST(each.valid());
}

BOOST_AUTO_TEST_CASE(who_waits_for_his_turn_may_go_away) {
    constexpr std::size_t crowd = 2'000;
    auto all = flood(crowd);
    std::deque<asio::cancellation_signal> signals(100);
    std::vector<outcome<lease>> cancelled(signals.size());
    for (std::size_t i = 0; i < signals.size(); ++i)
        locks.async_lock("cancelled" + std::to_string(i), patiently(),
                         asio::bind_cancellation_slot(signals[i].slot(), cancelled[i].handler()));
    outcome<lease> impatient;
    locks.async_lock("impatient", {.ttl = long_ttl, .wait = 200ms}, impatient.handler());
    BOOST_REQUIRE(run_until([&] { return locks.metrics().queued > signals.size(); }));
    const auto queued = locks.metrics().queued;
    for (auto& each : signals)
        each.emit(asio::cancellation_type::terminal);
    BOOST_REQUIRE(run_until(
        [&] { return std::ranges::all_of(cancelled, [](const auto& each) { return each.done(); }); }));
    for (auto& each : cancelled)
        BOOST_TEST(each.error() == asio::error::operation_aborted);
    BOOST_TEST(!all.back().done());
    BOOST_TEST(locks.metrics().queued <= queued - signals.size());
    BOOST_REQUIRE(run_until([&] { return impatient.done(); }));
    BOOST_TEST(impatient.error() == errc::wait_timeout);
    BOOST_TEST(!all.back().done());
    BOOST_REQUIRE(end(all));
    none_failed(all);
    network.pass();
    BOOST_TEST(keys() == crowd);
}

// Those who have waited for a key come before those who have only just asked for others, and releases come
// before all of them.
BOOST_AUTO_TEST_CASE(a_key_is_handed_over_in_the_middle_of_a_flood) {
    constexpr std::size_t crowd = 8'000;
    client others = make_client();
    lease held = lock(others, "wanted");
    outcome<lease> next;
    locks.async_lock("wanted", patiently(), next.handler());
    BOOST_REQUIRE(waits(others, 1, "wanted"));
    auto all = flood(crowd);
    BOOST_REQUIRE(run_until([&] { return locks.metrics().queued > crowd / 2; }));
    BOOST_TEST(!unlock(held));
    BOOST_REQUIRE(run_until([&] { return next.done(); }));
    BOOST_REQUIRE(!next.error());
    BOOST_TEST(!unlock(next.value()));
    BOOST_TEST(locks.metrics().queued > crowd / 4);
    BOOST_REQUIRE(end(all));
    BOOST_TEST(timeouts() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
