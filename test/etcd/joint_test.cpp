// What is asked of a real etcd cluster within a turn shares requests.

#include "etcd_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace redlock::test {
namespace {

lock_options reading() {
    lock_options o = patiently(20s);
    o.mode = mode::read;
    return o;
}

struct joint_fixture : etcd_fixture {
    explicit joint_fixture(etcd_options options = {}) : etcd_fixture(std::move(options)) {
        lease first =
            lock(locks, "first", patiently(20s)); // the lease of the server that the others are under
        BOOST_REQUIRE(!unlock(first));
    }

    std::uint64_t requests() { return locks.metrics().nodes.at(0).commands; }
    std::vector<outcome<lease>> take(const std::vector<std::string>& keys, const lock_options& how) {
        std::vector<outcome<lease>> taken(keys.size());
        for (std::size_t i = 0; i < keys.size(); ++i)
            locks.async_lock(keys[i], how, taken[i].handler());
        for (auto& each : taken)
            complete(each);
        return taken;
    }
    void give_back(std::vector<outcome<lease>>& taken) {
        std::vector<outcome<>> ends(taken.size());
        for (std::size_t i = 0; i < taken.size(); ++i)
            taken[i].value().async_unlock(ends[i].handler());
        for (auto& end : ends) {
            complete(end);
            BOOST_TEST(!end.error());
        }
    }
    static std::vector<std::string> keys_to(std::size_t count) {
        std::vector<std::string> names;
        for (std::size_t i = 0; i < count; ++i)
            names.push_back("key" + std::to_string(i));
        return names;
    }

    client locks = make_client();
};

struct joint_fixture_of_few : joint_fixture {
    joint_fixture_of_few() : joint_fixture(takes_few()) {}

    static etcd_options takes_few() {
        etcd_options o;
        o.arguments = {"--max-txn-ops=8"};
        return o;
    }
};

BOOST_AUTO_TEST_SUITE(joint_suite)

BOOST_FIXTURE_TEST_CASE(locks_of_a_turn_take_one_request_and_their_ends_another, joint_fixture) {
    const auto before = requests();
    auto taken = take(keys_to(20), patiently(20s));
    for (auto& each : taken)
        BOOST_REQUIRE(!each.error());
    BOOST_TEST(requests() - before == 1u);
    BOOST_TEST(keys() == 20u);
    give_back(taken);
    BOOST_TEST(requests() - before == 2u);
    BOOST_TEST(keys() == 0u);
}

// Each of them has its own answer.
BOOST_FIXTURE_TEST_CASE(one_that_is_taken_does_not_keep_the_others_from_being_granted, joint_fixture) {
    client others = make_client();
    lease held = lock(others, "key3", patiently(20s));
    auto taken = take(keys_to(8), once(20s));
    for (std::size_t i = 0; i < taken.size(); ++i)
        BOOST_TEST(taken[i].error() == (i == 3 ? make_error_code(errc::held) : boost::system::error_code()));
    BOOST_TEST(keys() == 8u);
    BOOST_TEST(!unlock(held));
    BOOST_TEST(keys() == 7u);
}

BOOST_FIXTURE_TEST_CASE(one_that_was_removed_is_lost_and_the_others_are_given_back, joint_fixture) {
    auto taken = take(keys_to(8), patiently(20s));
    std::vector<outcome<>> ends(taken.size());
    for (const std::string& key : cluster.keys("redlock/key3/"))
        cluster.control({"del", key});
    for (std::size_t i = 0; i < taken.size(); ++i)
        taken[i].value().async_unlock(ends[i].handler());
    for (std::size_t i = 0; i < taken.size(); ++i) {
        complete(ends[i]);
        BOOST_TEST(ends[i].error() ==
                   (i == 3 ? make_error_code(errc::lease_lost) : boost::system::error_code()));
    }
    BOOST_TEST(keys() == 0u);
}

// What is written by one request has one revision, by which those who want the same lock are told apart.
BOOST_FIXTURE_TEST_CASE(those_who_want_the_same_lock_do_not_share_a_request, joint_fixture) {
    const auto before = requests();
    auto taken = take({"key", "key", "key"}, reading());
    for (auto& each : taken)
        BOOST_REQUIRE(!each.error());
    BOOST_TEST(requests() - before == 3u);
    give_back(taken);
}

// As where the server forbids one of many, or no lease is there for it.
BOOST_FIXTURE_TEST_CASE(what_the_server_refuses_together_is_asked_for_one_by_one, joint_fixture_of_few) {
    const auto before = requests();
    auto taken = take(keys_to(20), patiently(20s));
    for (auto& each : taken)
        BOOST_REQUIRE(!each.error());
    BOOST_TEST(requests() - before == 21u);
    give_back(taken);
    BOOST_TEST(requests() - before == 42u);
    BOOST_TEST(keys() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
