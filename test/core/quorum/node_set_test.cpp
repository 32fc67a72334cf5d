#include "core/quorum/node_set.hpp"

#include <boost/test/unit_test.hpp>

#include <vector>

using redlock::core::node_set;

BOOST_AUTO_TEST_SUITE(node_set_suite)

BOOST_AUTO_TEST_CASE(a_set_has_what_was_put_into_it) {
    node_set some;
    BOOST_TEST(some.empty());
    for (const unsigned node : {0u, 7u, 62u}) {
        BOOST_TEST(!some.has(node));
        some.add(node);
        BOOST_TEST(some.has(node));
    }
    BOOST_TEST(some.size() == 3u);
    some.remove(7);
    BOOST_TEST(!some.has(7));
    some.set(7, true);
    some.set(0, false);
    BOOST_TEST((some == (node_set::just(7) | node_set::just(62))));
}

BOOST_AUTO_TEST_CASE(all_of_none_and_of_the_most_there_may_be) {
    BOOST_TEST(node_set::all_of(0).empty());
    BOOST_TEST(node_set::all_of(5).size() == 5u);
    BOOST_TEST(!node_set::all_of(5).has(5));
    BOOST_TEST(node_set::all_of(redlock::core::max_nodes).size() == redlock::core::max_nodes);
}

BOOST_AUTO_TEST_CASE(sets_are_taken_from_each_other) {
    const node_set low = node_set::all_of(3);
    const node_set odd = node_set::just(1) | node_set::just(3);
    BOOST_TEST(((low & odd) == node_set::just(1)));
    BOOST_TEST(((low - odd) == (node_set::just(0) | node_set::just(2))));
    BOOST_TEST(((odd - odd).empty()));
}

BOOST_AUTO_TEST_CASE(the_nodes_come_in_order_whatever_becomes_of_the_set_meanwhile) {
    node_set some = node_set::just(2) | node_set::just(40) | node_set::just(5);
    std::vector<unsigned> came;
    for (const std::uint32_t node : some) {
        came.push_back(node);
        some = {};
    }
    const std::vector<unsigned> expected{2, 5, 40};
    BOOST_TEST(came == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
