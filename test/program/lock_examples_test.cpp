#include "program.hpp"
#include "support/environment.hpp"
#include "support/node_set.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

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

BOOST_AUTO_TEST_CASE(one_visitor_makes_what_all_read) {
    program cache(REDLOCK_EXAMPLES "/cache_stampede", nodes.uris());
    int makers = 0;
    int visitors = 0;
    while (const auto line = cache.line_with("the catalogue"))
        ++(line->starts_with("making") ? makers : visitors);
    BOOST_TEST(makers == 1);
    BOOST_TEST(visitors == 8);
    BOOST_TEST(cache.status() == 0);
    BOOST_TEST((nodes.holders("catalogue") == 0u && nodes.holders("catalogue:redlock-readers") == 0u));
}

BOOST_AUTO_TEST_CASE(four_jobs_run_at_a_time_with_four_licences) {
    program pool(REDLOCK_EXAMPLES "/licence_pool", nodes.uris());
    std::map<std::string, std::string> running; // and the licence of each
    std::set<std::string> done;
    std::size_t most = 0;
    while (const auto line = pool.line_with("job ")) {
        const std::string job = line->substr(4, line->find(' ', 4) - 4);
        if (line->ends_with(" is done")) {
            BOOST_TEST(running.erase(job) == 1u);
            done.insert(job);
            continue;
        }
        const std::string licence = line->substr(line->rfind(' ') + 1);
        BOOST_TEST((licence >= "0" && licence <= "3" && licence.size() == 1));
        for (const auto& [other, taken] : running)
            BOOST_TEST(licence != taken, "jobs " << job << " and " << other << " have licence " << taken);
        BOOST_TEST(running.emplace(job, licence).second);
        most = std::max(most, running.size());
    }
    BOOST_TEST(most <= 4u);
    BOOST_TEST(most > 1u);
    BOOST_TEST(done.size() == 10u);
    BOOST_TEST(pool.status() == 0);
    for (int licence = 0; licence < 4; ++licence)
        BOOST_TEST(nodes.holders("licence:" + std::to_string(licence)) == 0u);
}

BOOST_AUTO_TEST_CASE(two_lead_one_after_the_other_and_an_observer_knows) {
    program election(REDLOCK_EXAMPLES "/leader", nodes.uris());
    int jobs = 0;
    std::vector<std::string> seen;
    while (const auto line = election.line_with("")) {
        jobs += line->find(" schedules job ") != std::string::npos;
        if (line->starts_with("observer: ")) seen.push_back(line->substr(10));
    }
    BOOST_TEST(jobs == 20);
    // The new address of a leader is told behind the one that it campaigned with, and is the last of it.
    for (const std::string host : {"10.0.0.1", "10.0.0.2"}) {
        const auto first = std::ranges::find(seen, host + ":80 leads");
        BOOST_REQUIRE((first != seen.end() && std::next(first) != seen.end()));
        BOOST_TEST(*std::next(first) == host + ":81 leads");
    }
    BOOST_REQUIRE(!seen.empty());
    BOOST_TEST(seen.back() == "nobody leads");
    BOOST_TEST(election.status() == 0);
    BOOST_TEST((nodes.holders("scheduler") == 0u && nodes.holders("scheduler:redlock-leader") == 0u));
}

BOOST_AUTO_TEST_CASE(transfers_in_any_order_end) {
    program bank(REDLOCK_EXAMPLES "/transfer", nodes.uris());
    BOOST_TEST(bank.says("altogether 300"));
    BOOST_TEST(bank.status() == 0);
    BOOST_TEST(nodes.holders("account:1") == 0u);
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
