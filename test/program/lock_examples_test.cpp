#include "program.hpp"
#include "support/environment.hpp"
#include "support/node_set.hpp"

#include <boost/test/unit_test.hpp>

namespace redlock::test {
namespace {

struct five_nodes {
    node_set nodes{5};

    void stop_majority() {
        for (std::size_t i = 0; i < 3; ++i)
            nodes[i].stop();
    }
};

BOOST_FIXTURE_TEST_SUITE(lock_examples, five_nodes)

BOOST_AUTO_TEST_CASE(hello_lock_takes_a_lock_and_gives_it_back) {
    program hello(REDLOCK_EXAMPLES "/hello_lock", nodes.uris());
    BOOST_TEST(hello.says("hello is ours"));
    BOOST_TEST(hello.says("given back"));
    BOOST_TEST(hello.status() == 0);
    BOOST_TEST(nodes.holders("hello") == 0u);
}

BOOST_AUTO_TEST_CASE(nodes_may_be_named_in_the_environment) {
    std::string list;
    for (const auto& uri : nodes.uris())
        list += (list.empty() ? "" : ",") + uri;
    const environment named("REDLOCK_NODES", list);
    program hello(REDLOCK_EXAMPLES "/hello_lock");
    BOOST_TEST(hello.says("given back"));
    BOOST_TEST(hello.status() == 0);
}

BOOST_AUTO_TEST_CASE(an_example_without_nodes_says_so_and_fails) {
    program hello(REDLOCK_EXAMPLES "/hello_lock");
    BOOST_TEST(hello.status() == 1);
}

BOOST_AUTO_TEST_CASE(with_lock_releases_on_both_ways_out) {
    program shop(REDLOCK_EXAMPLES "/with_lock", nodes.uris());
    BOOST_TEST(shop.says("the card does not cover"));
    BOOST_TEST(shop.says("charged 50"));
    BOOST_TEST(shop.says("receipt 1050"));
    BOOST_TEST(shop.status() == 0);
    BOOST_TEST(nodes.holders("order:apples") == 0u);
}

BOOST_AUTO_TEST_CASE(lost_lease_stops_while_the_lease_is_valid) {
    program report(REDLOCK_EXAMPLES "/lost_lease", nodes.uris());
    BOOST_REQUIRE(report.says("working"));
    stop_majority();
    const auto stopped = report.line_with("stopped after");
    BOOST_REQUIRE(stopped.has_value());
    const auto left = stopped->substr(stopped->find("steps, ") + 7);
    BOOST_TEST(std::stoi(left) > 0);
    BOOST_TEST(report.says("the lease was lost"));
    BOOST_TEST(report.status() == 0);
}

BOOST_AUTO_TEST_CASE(lost_lease_carry_on_is_told_and_finishes) {
    program cache(REDLOCK_EXAMPLES "/lost_lease_carry_on", nodes.uris());
    BOOST_REQUIRE(cache.says("working"));
    stop_majority();
    BOOST_TEST(cache.says("lost the lease, carrying on"));
    BOOST_TEST(cache.says("done, though perhaps not alone"));
    BOOST_TEST(cache.status() == 0);
}

BOOST_AUTO_TEST_CASE(lost_lease_carry_on_is_not_alarmed_without_reason) {
    program cache(REDLOCK_EXAMPLES "/lost_lease_carry_on", nodes.uris());
    const auto first = cache.line_with("");
    const auto second = cache.line_with("");
    BOOST_TEST(first.value_or("") == "working");
    BOOST_TEST(second.value_or("") == "done, alone");
    BOOST_TEST(cache.status() == 0);
}

BOOST_AUTO_TEST_CASE(callbacks_and_futures_lock_without_coroutines) {
    program callbacks(REDLOCK_EXAMPLES "/callbacks", nodes.uris());
    BOOST_TEST(callbacks.says("callback: stock is ours"));
    BOOST_TEST(callbacks.says("callback: given back"));
    BOOST_TEST(callbacks.says("future: stock is ours"));
    BOOST_TEST(callbacks.says("future: refused while it is ours"));
    BOOST_TEST(callbacks.says("future: given back"));
    BOOST_TEST(callbacks.status() == 0);
    BOOST_TEST(nodes.holders("stock") == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
