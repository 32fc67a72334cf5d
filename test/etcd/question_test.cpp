// What users ask of a real etcd cluster.

#include "etcd_fixture.hpp"

#include <string>
#include <vector>

namespace redlock::test {
namespace {

struct etcd_question_fixture : etcd_fixture {
    client locks = make_client(), others = make_client();
};

BOOST_FIXTURE_TEST_SUITE(question_suite, etcd_question_fixture)

BOOST_AUTO_TEST_CASE(inspect_and_break_see_and_end_the_lease_of_another) {
    lease held = lock(locks, "key", fenced());
    const key_report shown = inspect(others);
    BOOST_TEST(shown.holder.has_value());
    BOOST_TEST((shown.nodes.at(0).fence == held.fencing_token()));
    BOOST_TEST(shown.nodes.at(0).product == "etcd");
    outcome<break_report> broken;
    others.async_break(shown, broken.handler());
    complete(broken);
    BOOST_TEST(!broken.error());
    BOOST_TEST(broken.value().removed == 1u);
    BOOST_TEST(!try_lock(others));
    outcome<break_report> again;
    others.async_break(shown, again.handler());
    complete(again);
    BOOST_TEST((again.value().nodes.at(0).outcome == removal::changed));
}

// The name of a try serves again for the same lock.
BOOST_AUTO_TEST_CASE(what_was_shown_of_an_earlier_try_breaks_no_later_one) {
    lease held = lock(locks);
    const key_report shown = inspect(others);
    BOOST_TEST(!unlock(held));
    held = lock(locks);
    BOOST_TEST((inspect(others).holder != shown.holder));
    outcome<break_report> broken;
    others.async_break(shown, broken.handler());
    complete(broken);
    BOOST_TEST((broken.value().nodes.at(0).outcome == removal::changed));
    BOOST_TEST(keys() == 1u);
    BOOST_TEST(held.valid());
}

BOOST_AUTO_TEST_CASE(an_examination_finds_a_healthy_cluster) {
    outcome<std::vector<node_examination>> result;
    locks.async_examine(result.handler());
    complete(result);
    BOOST_TEST(!result.error());
    const node_examination& healthy = result.value().at(0);
    BOOST_TEST(!healthy.error);
    BOOST_TEST(!healthy.refusal);
    BOOST_TEST(healthy.product == "etcd");
    BOOST_TEST(healthy.version == cluster.version());
    BOOST_TEST((healthy.least_round_trip <= healthy.median_round_trip));
}

BOOST_AUTO_TEST_CASE(a_list_finds_the_locks_that_begin_alike) {
    lease a = lock(locks, "a/1"), b = lock(locks, "a/2"), c = lock(locks, "b");
    outcome<lease> waiting;
    others.async_lock("a/1", patiently(), waiting.handler());
    BOOST_REQUIRE(waits(locks, 1, "a/1"));
    const auto list = [&](const std::string& beginning) {
        outcome<key_list> found;
        others.async_list(beginning, found.handler());
        complete(found);
        BOOST_TEST(!found.error());
        return found.value();
    };
    BOOST_TEST((list("a/").keys == std::vector<std::string>{"a/1", "a/2"}));
    BOOST_TEST((list("").keys == std::vector<std::string>{"a/1", "a/2", "b"}));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
