// Renewals that come together go to the nodes as one command.

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

constexpr std::size_t leases = 200;
constexpr std::chrono::seconds renewed_ttl{3};

std::string renewed_key(std::size_t i) { return "renewed" + std::to_string(i); }

struct joint_renewal_fixture : lock_fixture {
    joint_renewal_fixture() : lock_fixture(3), locks(context.get_executor(), settings()) {
        BOOST_REQUIRE(becomes_ready(locks));
        std::deque<outcome<lease>> granted;
        for (std::size_t i = 0; i < leases; ++i)
            locks.async_lock(renewed_key(i), {.ttl = renewed_ttl}, granted.emplace_back().handler());
        BOOST_REQUIRE(
            run_until([&] { return std::ranges::all_of(granted, [](auto& g) { return g.done(); }); }));
        for (auto& g : granted)
            held.push_back(std::move(g.value()));
        for (auto& node : nodes)
            node.command({"CONFIG", "RESETSTAT"});
        // On a busy machine the first are renewed before that.
        renewals_before = locks.metrics().renewals;
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
    bool all_are_renewed() {
        return run_until([&] { return locks.metrics().renewals >= renewals_before + leases; });
    }

    client locks;
    std::vector<lease> held;
    std::uint64_t renewals_before = 0;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(joint_renewal, joint_renewal_fixture)

BOOST_AUTO_TEST_CASE(many_leases_are_renewed_by_few_commands_and_repaired_alone) {
    nodes[0].command({"DEL", renewed_key(7)});
    nodes[1].command({"SET", renewed_key(8), "somebody else's"});
    BOOST_REQUIRE(all_are_renewed());
    for (std::size_t node = 0; node < 3; ++node)
        BOOST_TEST(scripts(node) <= leases / 4);
    BOOST_TEST(run_until([&] { return nodes[0].exists(renewed_key(7)); }));
    BOOST_TEST(nodes[1].get(renewed_key(8)).value_or("") == "somebody else's");
    for (const lease& l : held)
        BOOST_TEST(l.valid());
}

BOOST_AUTO_TEST_CASE(one_that_was_taken_away_is_lost_alone) {
    for (std::size_t node : {0u, 1u})
        nodes[node].command({"SET", renewed_key(8), "somebody else's", "PX", "600000"});
    BOOST_REQUIRE(run_until([&] { return locks.metrics().lost_by_majority == 1; }));
    BOOST_REQUIRE(all_are_renewed());
    for (std::size_t i = 0; i < leases; ++i)
        BOOST_TEST(held[i].valid() == (i != 8));
}

BOOST_AUTO_TEST_CASE(a_user_who_must_not_read_several_keys_at_once_renews_one_by_one) {
    nodes[1].command({"ACL", "SETUSER", "default", "-mget"});
    BOOST_REQUIRE(all_are_renewed());
    BOOST_TEST(scripts(0) <= leases / 4);
    BOOST_TEST(run_until([&] { return scripts(1) >= leases; }));
    for (const lease& l : held)
        BOOST_TEST(l.valid());
}

BOOST_AUTO_TEST_CASE(leases_given_back_while_they_are_renewed_leave_no_key) {
    // Each before, in the middle of, or behind its renewal.
    std::deque<outcome<>> unlocked;
    while (!held.empty()) {
        const auto renewals = locks.metrics().renewals;
        held.back().async_unlock(unlocked.emplace_back().handler());
        held.pop_back();
        if (held.size() % 20 == 0) run_until([&] { return locks.metrics().renewals > renewals; });
    }
    BOOST_REQUIRE(run_until([&] { return std::ranges::all_of(unlocked, [](auto& u) { return u.done(); }); }));
    for (std::size_t i = 0; i < leases; ++i)
        BOOST_TEST(run_until([&] { return nodes.holders(renewed_key(i)) == 0u; }));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace redlock::test
