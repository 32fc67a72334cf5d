#include "fencing_fixture.hpp"

// What the nodes say of a token and of its fence.

namespace redlock::test {
namespace {

BOOST_FIXTURE_TEST_SUITE(fencing_check, fencing_fixture)

BOOST_AUTO_TEST_CASE(a_token_is_current_as_long_as_its_lease) {
    lease held = lock(locks, "key", fenced);
    const std::uint64_t token = token_of(held);
    client other(context.get_executor(), settings());
    BOOST_TEST(try_lock(other, "key", fenced_once) == errc::held);
    BOOST_TEST(check(token) == error_code());
    BOOST_TEST(check(token - 1) == errc::lease_lost);
    BOOST_TEST(!unlock(held));
    BOOST_TEST(check(token) == errc::lease_lost);
    const std::uint64_t later = next_token(other);
    BOOST_TEST(later > token);
    BOOST_TEST(check(token) == errc::lease_lost);
}

BOOST_AUTO_TEST_CASE(whether_a_token_is_current_takes_a_majority_to_say) {
    lease held = lock(locks, "key", fenced);
    const std::uint64_t token = token_of(held);
    BOOST_REQUIRE(run_until([&] { return nodes.holders("key") == 5; }));
    nodes[0].command({"DEL", "key"});
    nodes[1].command({"DEL", "key"});
    BOOST_TEST(check(token) == error_code());
    config c = settings();
    c.node_timeout = 300ms;
    client asking(context.get_executor(), c);
    BOOST_REQUIRE(becomes_ready(asking));
    for (std::size_t i = 2; i < 5; ++i)
        proxies[i].freeze();
    outcome<> checked;
    asking.async_check("key", token, checked.handler());
    BOOST_TEST(run_until([&] { return checked.done(); }));
    BOOST_TEST(checked.error() == errc::no_quorum);
    for (std::size_t i = 2; i < 5; ++i)
        proxies[i].thaw();
}

// A token that is advanced reaches a majority of nodes; the others name the one before, of the same holder.
BOOST_AUTO_TEST_CASE(nodes_that_missed_the_token_are_its_holders_all_the_same) {
    lease held = lock(locks, "key", fenced);
    const std::uint64_t token = token_of(held);
    BOOST_REQUIRE(run_until([&] { return nodes.holders("key") == 5; }));
    const std::string whose = nodes[0].get("key").value().substr(0, 28);
    const auto name = [&](std::size_t node, const std::string& value) {
        nodes[node].command({"SET", "key", value, "PX", "600000"});
    };
    name(0, whose + std::to_string(token - 1));
    name(1, whose + std::to_string(token - 2));
    nodes[2].command({"DEL", "key"});
    BOOST_TEST(check(token) == error_code());
    BOOST_TEST(check(token - 1) == errc::lease_lost); // others name a later one
    nodes[0].command({"DEL", "key"});
    BOOST_TEST(check(token) == error_code());
    name(1, std::string(27, 'x') + ":" + std::to_string(token - 2));
    BOOST_TEST(check(token) == errc::lease_lost);
    name(1, whose + std::to_string(token + 1)); // was handed on
    BOOST_TEST(check(token) == errc::lease_lost);
    name(1, whose);
    BOOST_TEST(check(token) == errc::lease_lost);
}

BOOST_AUTO_TEST_CASE(a_check_of_no_key_is_refused) {
    outcome<> checked;
    locks.async_check("", 1, checked.handler());
    BOOST_TEST(run_until([&] { return checked.done(); }));
    BOOST_TEST(checked.error() == errc::invalid_key);
    BOOST_TEST(try_lock(locks, "key:redlock-fence") == errc::invalid_key);
}

BOOST_AUTO_TEST_CASE(a_report_names_the_fence) {
    const std::uint64_t token = next_token(locks);
    const key_report report = run(locks.async_inspect("key", asio::use_awaitable));
    BOOST_TEST(std::ranges::count_if(report.nodes, [&](const node_key_report& node) {
                   return node.fence.value_or(0) == token;
               }) >= 3);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
