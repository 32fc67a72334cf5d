// New fencing tokens that are asked for together, by callers to whom leases are handed on in one turn, go to
// the nodes as one command.

#include "lock_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::test {
namespace {

constexpr std::size_t handed_on = 60;
constexpr lock_options with_token{.ttl = long_ttl, .fencing = true};

std::string handed_key(std::size_t i) { return "fenced" + std::to_string(i); }
std::string handed_fence(std::size_t i) { return handed_key(i) + ":redlock-fence"; }

struct joint_fencing_fixture : lock_fixture {
    joint_fencing_fixture() : lock_fixture(3), locks(context.get_executor(), settings()) {
        BOOST_REQUIRE(becomes_ready(locks));
        for (std::size_t i = 0; i < handed_on; ++i)
            locks.async_lock(handed_key(i), with_token, first.emplace_back().handler());
        BOOST_REQUIRE(run_until([&] { return all_done(first); }));
        for (std::size_t i = 0; i < handed_on; ++i) {
            BOOST_REQUIRE(!first[i].error());
            BOOST_REQUIRE(run_until([&] { return nodes.holders(handed_key(i)) == 3u; }));
            locks.async_lock(handed_key(i), with_token, next.emplace_back().handler());
        }
        BOOST_REQUIRE(run_until([&] { return locks.metrics().waiting == handed_on; }));
        for (auto& node : nodes)
            node.command({"CONFIG", "RESETSTAT"});
    }
    static bool all_done(std::deque<outcome<lease>>& leases) {
        return std::ranges::all_of(leases, [](auto& l) { return l.done(); });
    }
    static std::uint64_t token_in(outcome<lease>& l) {
        BOOST_REQUIRE(!l.error());
        return l.value().fencing_token().value_or(0);
    }
    /// Gives all of them back in one turn: each goes to the next caller, who needs another token.
    void hand_on() {
        for (auto& l : first)
            l.value().async_unlock([](error_code) {});
        BOOST_REQUIRE(run_until([&] { return all_done(next); }));
    }
    /// How many scripts the node has executed.
    std::size_t scripts(std::size_t node) {
        const std::string stats = nodes[node].command({"INFO", "commandstats"}).text;
        std::size_t sum = 0;
        for (const std::string entry : {"cmdstat_evalsha:calls=", "cmdstat_eval:calls="})
            if (const auto at = stats.find(entry); at != stats.npos)
                sum += std::stoul(stats.substr(at + entry.size()));
        return sum;
    }
    /// Whatever it is.
    std::string fence_at(std::size_t node, std::size_t i) {
        return nodes[node].command({"ZSCORE", handed_fence(i), "fence"}).text;
    }
    std::size_t nodes_with_fence(std::size_t i, std::uint64_t fence) {
        std::size_t found = 0;
        for (std::size_t node = 0; node < 3; ++node)
            found += fence_at(node, i) == std::to_string(fence);
        return found;
    }
    void expect_new_token(std::size_t i) {
        BOOST_TEST(token_in(next[i]) > token_in(first[i]));
        BOOST_TEST(nodes_with_fence(i, token_in(next[i])) >= 2u);
    }

    client locks;
    std::deque<outcome<lease>> first;
    std::deque<outcome<lease>> next;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(joint_fencing, joint_fencing_fixture)

BOOST_AUTO_TEST_CASE(many_hand_overs_take_few_commands_and_each_token_is_that_of_its_key) {
    hand_on();
    BOOST_TEST(locks.metrics().handoffs == handed_on);
    for (std::size_t node = 0; node < 3; ++node)
        BOOST_TEST(run_until([&] { return scripts(node) > 0; }));
    for (std::size_t node = 0; node < 3; ++node)
        BOOST_TEST(scripts(node) <= handed_on / 4);
    for (std::size_t i = 0; i < handed_on; ++i) {
        expect_new_token(i);
        for (std::size_t node = 0; node < 3; ++node)
            if (fence_at(node, i) == std::to_string(token_in(next[i]))) {
                BOOST_TEST((nodes[node].pttl(handed_fence(i)) > std::chrono::hours(24)));
                BOOST_TEST(nodes[node]
                               .get(handed_key(i))
                               .value_or("")
                               .ends_with(":" + std::to_string(token_in(next[i]))));
            }
    }
    std::deque<outcome<>> unlocked;
    for (auto& l : next)
        l.value().async_unlock(unlocked.emplace_back().handler());
    BOOST_REQUIRE(run_until([&] { return std::ranges::all_of(unlocked, [](auto& u) { return u.done(); }); }));
    for (std::size_t i = 0; i < handed_on; ++i) {
        BOOST_TEST(!unlocked[i].error());
        BOOST_TEST(run_until([&] { return nodes.holders(handed_key(i)) == 0u; }));
    }
}

BOOST_AUTO_TEST_CASE(a_fence_that_is_none_spoils_its_own_key_alone) {
    for (auto& node : nodes) {
        node.command({"DEL", handed_fence(7)});
        node.command({"SET", handed_fence(7), "somebody else's"});
    }
    nodes[0].command({"DEL", handed_fence(8)});
    nodes[0].command({"SET", handed_fence(8), "somebody else's"});
    nodes[1].command({"ZADD", handed_fence(9), "inf", "fence"});
    nodes[2].command({"ZADD", handed_fence(10), "-17.5", "fence"});
    const std::uint64_t ahead = token_in(first[11]) + 600'000'000;
    for (auto& node : nodes)
        node.command({"ZADD", handed_fence(11), std::to_string(ahead), "fence"});
    hand_on();
    for (std::size_t i = 0; i < handed_on; ++i)
        if (i != 7) expect_new_token(i);
    BOOST_TEST(next[7].error() == errc::wrong_type);
    BOOST_TEST(token_in(next[11]) == ahead + 1);
    BOOST_TEST(token_in(next[12]) < ahead);
    for (auto& node : nodes)
        BOOST_TEST(node.get(handed_fence(7)).value_or("") == "somebody else's");
}

BOOST_AUTO_TEST_CASE(a_user_who_must_not_read_several_keys_at_once_has_them_one_by_one) {
    nodes[1].command({"ACL", "SETUSER", "default", "-mget"});
    nodes[2].stop(); // so that the others are not enough without that one
    hand_on();
    nodes[2].resume();
    for (std::size_t i = 0; i < handed_on; ++i)
        expect_new_token(i);
    BOOST_TEST(run_until([&] { return scripts(1) >= handed_on; }));
    BOOST_TEST(scripts(0) <= handed_on / 4);
}

BOOST_AUTO_TEST_CASE(a_node_that_has_gone_costs_no_token) {
    nodes[2].kill();
    hand_on();
    for (std::size_t i = 0; i < handed_on; ++i)
        BOOST_TEST(token_in(next[i]) > token_in(first[i]));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace redlock::test
