// Unlocks that come together go to the nodes as one command.

#include "lock_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::test {
namespace {

constexpr std::size_t count = 60;

std::string key_of(std::size_t i) { return "key" + std::to_string(i); }

struct joint_release_fixture : lock_fixture {
    joint_release_fixture() : lock_fixture(3), locks(context.get_executor(), settings()) {
        BOOST_REQUIRE(becomes_ready(locks));
        for (std::size_t i = 0; i < count; ++i)
            held.push_back(lock(locks, key_of(i), {.ttl = long_ttl}));
        BOOST_REQUIRE(run_until([&] { return nodes.holders(key_of(count - 1)) == 3; }));
    }
    /// How many commands of that name the node has executed, be it in scripts.
    std::size_t calls(std::size_t node, std::string_view name) {
        const std::string stats = nodes[node].command({"INFO", "commandstats"}).text;
        const std::string entry = "cmdstat_" + std::string(name) + ":calls=";
        const auto at = stats.find(entry);
        return at == stats.npos ? 0 : std::stoul(stats.substr(at + entry.size()));
    }
    std::size_t scripts(std::size_t node) { return calls(node, "evalsha") + calls(node, "eval"); }
    /// By commands that servers have of their own.
    std::size_t native_releases(std::size_t node) { return calls(node, "delifeq") + calls(node, "delex"); }
    void unlock_all() {
        for (auto& node : nodes)
            node.command({"CONFIG", "RESETSTAT"});
        for (lease& l : held)
            l.async_unlock(unlocked.emplace_back().handler());
        BOOST_REQUIRE(
            run_until([&] { return std::ranges::all_of(unlocked, [](auto& u) { return u.done(); }); }));
    }

    client locks;
    std::vector<lease> held;
    std::deque<outcome<>> unlocked;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(joint_release, joint_release_fixture)

BOOST_AUTO_TEST_CASE(many_unlocks_take_few_commands_and_each_has_its_own_outcome) {
    for (auto& node : nodes)
        node.command({"SET", key_of(7), "somebody else's"});
    unlock_all();
    for (std::size_t i = 0; i < count; ++i)
        BOOST_TEST(unlocked[i].error() == (i == 7 ? make_error_code(errc::lease_lost) : error_code()));
    for (std::size_t i = 0; i < count; ++i)
        BOOST_TEST(run_until([&] { return nodes.holders(key_of(i)) == (i == 7 ? 3u : 0u); }));
    for (std::size_t node = 0; node < 3; ++node)
        BOOST_TEST(scripts(node) <= count / 10);
}

BOOST_AUTO_TEST_CASE(a_user_who_must_not_read_several_keys_at_once_unlocks_one_by_one) {
    nodes[1].command({"ACL", "SETUSER", "default", "-mget"});
    unlock_all();
    for (std::size_t i = 0; i < count; ++i)
        BOOST_TEST(!unlocked[i].error());
    for (std::size_t i = 0; i < count; ++i)
        BOOST_TEST(run_until([&] { return nodes.holders(key_of(i)) == 0u; }));
    BOOST_TEST(scripts(0) <= count / 10);
    BOOST_TEST(scripts(1) + native_releases(1) >= count);
}

BOOST_AUTO_TEST_CASE(who_unlocks_and_locks_again_at_once_gets_the_keys) {
    std::deque<outcome<lease>> again;
    for (std::size_t i = 0; i < count; ++i) {
        held[i].async_unlock(unlocked.emplace_back().handler());
        locks.async_try_lock(key_of(i), once(), again.emplace_back().handler());
    }
    BOOST_REQUIRE(run_until([&] { return std::ranges::all_of(again, [](auto& a) { return a.done(); }); }));
    for (auto& a : again)
        BOOST_TEST((!a.error() || a.error() == errc::held));
    held.clear();
    again.clear();
    for (std::size_t i = 0; i < count; ++i)
        BOOST_TEST(run_until([&] { return nodes.holders(key_of(i)) == 0u; }));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace redlock::test
