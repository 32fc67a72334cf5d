// Thousands of locks of one client in a real etcd cluster.

#include "etcd_fixture.hpp"

#include <string>
#include <vector>

namespace redlock::test {
namespace {

BOOST_FIXTURE_TEST_SUITE(many_suite, etcd_fixture)

// Keeping them alive is one message of a stream for all, and one call that proves who has answered it.
BOOST_AUTO_TEST_CASE(ten_thousand_are_kept_by_one_lease_of_the_server) {
    constexpr std::size_t count = 10'000;
    constexpr auto ttl = 20s;
    client locks = make_client();
    std::vector<outcome<lease>> all(count);
    // So many at a time that none waits for longer than the cluster is given for an answer.
    constexpr std::size_t at_once = 250;
    for (std::size_t first = 0; first < count; first += at_once) {
        for (std::size_t i = first; i < first + at_once; ++i)
            locks.async_lock("key" + std::to_string(i), patiently(ttl), all[i].handler());
        for (std::size_t i = first; i < first + at_once; ++i) {
            complete(all[i]);
            BOOST_REQUIRE(!all[i].error());
        }
    }
    BOOST_TEST(keys() == count);
    BOOST_TEST(leases() == 1u);
    const auto before = locks.metrics();
    const auto commands = before.nodes.at(0).commands;
    BOOST_REQUIRE(run_until(120s, [&] { return locks.metrics().renewals >= before.renewals + 2 * count; }));
    const auto after = locks.metrics();
    const auto calls = after.nodes.at(0).commands - commands;
    BOOST_TEST((calls == 2u || calls == 3u),
               calls << " calls for two rounds of renewals, and the last's beginning");
    BOOST_TEST(after.lost_by_deadline + after.lost_by_majority == 0u);
    for (auto& each : all)
        BOOST_REQUIRE(each.value().valid());
    BOOST_TEST(keys() == count);
    BOOST_TEST(leases() == 1u);
    for (std::size_t first = 0; first < count; first += at_once) {
        std::vector<outcome<>> ends(at_once);
        for (std::size_t i = 0; i < at_once; ++i)
            all[first + i].value().async_unlock(ends[i].handler());
        for (auto& end : ends) {
            complete(end);
            BOOST_REQUIRE(!end.error());
        }
    }
    BOOST_TEST(keys() == 0u);
    close(locks);
    BOOST_TEST(all_keys() == 0u);
    BOOST_TEST(leases() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
