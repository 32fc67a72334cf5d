// Keys that are taken and given back together, in transactions that they share.

#include "stranger.hpp"
#include "zookeeper_fixture.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace redlock::test {
namespace {

struct joint_fixture : zookeeper_fixture {
    static constexpr std::size_t crowd = 20;

    joint_fixture() {
        for (std::size_t i = 0; i < crowd; ++i)
            BOOST_REQUIRE(!try_lock(locks, key(i)));
    }

    static std::string key(std::size_t i) { return "key-" + std::to_string(i) + "-"; }
    std::vector<outcome<lease>> lock_all() {
        std::vector<outcome<lease>> all(crowd);
        for (std::size_t i = 0; i < crowd; ++i)
            locks.async_lock(key(i), fenced(), all[i].handler());
        for (const auto& each : all)
            complete(each);
        return all;
    }
    std::vector<outcome<>> unlock_all(std::vector<outcome<lease>>& held) {
        std::vector<outcome<>> all(held.size());
        for (std::size_t i = 0; i < held.size(); ++i)
            if (!held[i].error()) held[i].value().async_unlock(all[i].handler());
        for (std::size_t i = 0; i < held.size(); ++i)
            if (!held[i].error()) complete(all[i]);
        return all;
    }
    std::uint64_t requests() const { return locks.metrics().nodes.at(0).commands; }
    std::string folder_of(std::size_t i) {
        const auto all = other.children(root);
        const auto at = std::ranges::find_if(
            all, [&](const std::string& name) { return name.find(key(i)) != name.npos; });
        BOOST_REQUIRE(at != all.end());
        return root + "/" + *at;
    }

    client locks = make_client();
    stranger other{ensemble.port()};
};

BOOST_AUTO_TEST_SUITE(joint_suite, *boost::unit_test::fixture<shared_server>())

BOOST_FIXTURE_TEST_CASE(many_keys_at_once_share_requests, joint_fixture) {
    const std::uint64_t before = requests();
    auto held = lock_all();
    for (const auto& each : held)
        BOOST_TEST(!each.error());
    const std::uint64_t looks = crowd;
    BOOST_TEST(requests() - before < looks + crowd);
    const std::uint64_t locked = requests();
    for (const auto& each : unlock_all(held))
        BOOST_TEST(!each.error());
    BOOST_TEST(requests() - locked < crowd);
}

// What a leader has left behind is removed with the take, which this one cannot be.
BOOST_FIXTURE_TEST_CASE(one_that_is_refused_keeps_no_other_from_its_key, joint_fixture) {
    constexpr std::size_t spoiler = 7;
    const std::string stale = folder_of(spoiler) + "/leader";
    other.create(stale);
    other.create(stale + "/child");
    auto held = lock_all();
    for (std::size_t i = 0; i < crowd; ++i)
        BOOST_TEST(held[i].error() == (i == spoiler ? make_error_code(errc::no_quorum) : error_code()), i);
    for (const auto& each : unlock_all(held))
        BOOST_TEST(!each.error());
    other.remove(stale + "/child");
    BOOST_TEST(!try_lock(locks, key(spoiler)));
    for (std::size_t i = 0; i < crowd; ++i)
        BOOST_TEST(other.children(folder_of(i)).empty());
}

BOOST_FIXTURE_TEST_CASE(tokens_of_one_key_rise_though_they_share_transactions, joint_fixture) {
    std::vector<std::uint64_t> last(crowd);
    for (int round = 0; round < 3; ++round) {
        auto held = lock_all();
        for (std::size_t i = 0; i < crowd; ++i) {
            const std::uint64_t token = held[i].value().fencing_token().value();
            BOOST_TEST(token > last[i]);
            last[i] = token;
            BOOST_TEST(!check(locks, token, key(i)));
        }
        unlock_all(held);
    }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
