#include "core/quorum/availability.hpp"
#include "core/random.hpp"

#include <boost/test/unit_test.hpp>

#include <vector>

using namespace redlock::core;
using namespace std::chrono_literals;

namespace {

struct availability_test_fixture {
    const instant now{10s};
    availability sight{5};
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(availability_of_a_key, availability_test_fixture)

BOOST_AUTO_TEST_CASE(nothing_is_known_at_first) {
    BOOST_TEST(!sight.free_on_majority());
    BOOST_TEST((sight.free_by() == instant::max()));
    BOOST_TEST(!sight.change_will_be_told());
    BOOST_TEST(sight.hopeless().empty());
}

BOOST_AUTO_TEST_CASE(a_majority_must_be_free) {
    sight.free(0);
    sight.free(3);
    BOOST_TEST(!sight.free_on_majority());
    sight.free(4);
    BOOST_TEST(sight.free_on_majority());
    sight.taken(3);
    BOOST_TEST(!sight.free_on_majority());
}

BOOST_AUTO_TEST_CASE(own_votes_count_until_they_are_given_back) {
    sight.ours(0);
    sight.ours(1);
    sight.free(2);
    BOOST_TEST(sight.free_on_majority());
    sight.give_way();
    BOOST_TEST(!sight.free_on_majority());
    BOOST_TEST((!sight.is_ours(0) && !sight.is_ours(1)));
    BOOST_TEST(sight.is_free(2));
}

BOOST_AUTO_TEST_CASE(it_is_free_when_the_majority_has_run_out) {
    sight.free(0);
    sight.taken_until(1, now + 3s);
    sight.taken_until(2, now + 1s);
    sight.taken_until(3, now + 2s);
    BOOST_TEST((sight.free_by() == now + 2s));
    sight.taken(3);
    BOOST_TEST((sight.free_by() == now + 3s));
    sight.taken(1);
    BOOST_TEST((sight.free_by() == instant::max()));
}

BOOST_AUTO_TEST_CASE(asking_is_in_vain_where_the_news_would_have_come) {
    sight.set_told(0, true);
    sight.set_told(1, true);
    sight.taken(0);
    sight.taken_until(1, now);
    sight.set_absent(2, true);
    BOOST_TEST((sight.worth_asking(now - 1ns) == (node_set::just(3) | node_set::just(4))));
    BOOST_TEST((sight.worth_asking(now) == (node_set::just(1) | node_set::just(3) | node_set::just(4))));
}

BOOST_AUTO_TEST_CASE(a_key_that_has_run_out_need_not_be_told) {
    for (const unsigned node : {0u, 1u, 2u}) {
        sight.set_told(node, true);
        sight.taken_until(node, now + (node + 1) * 1s);
    }
    BOOST_TEST((sight.told_until() == now + 1s));
    sight.set_told(3, true);
    BOOST_TEST((sight.told_until() == now + 2s));
    sight.free(3);
    BOOST_TEST((sight.told_until() == now + 1s));
    sight.set_absent(0, true);
    BOOST_TEST((sight.told_until() == now + 2s));
    sight.free(1);
    BOOST_TEST((sight.told_until() == instant::min()));
}

BOOST_AUTO_TEST_CASE(so_many_must_tell_that_the_others_are_no_majority) {
    for (const unsigned node : {0u, 1u})
        sight.set_told(node, true);
    BOOST_TEST(!sight.change_will_be_told());
    sight.set_told(2, true);
    BOOST_TEST(sight.change_will_be_told());
    // Where it is free already, there is nothing to tell.
    sight.free(2);
    BOOST_TEST(!sight.change_will_be_told());
    // Whoever is not there cannot be had, and will be noticed when it comes back.
    sight.set_absent(4, true);
    BOOST_TEST(sight.change_will_be_told());
    sight.set_absent(4, false);
    BOOST_TEST(!sight.change_will_be_told());
}

BOOST_AUTO_TEST_CASE(a_node_that_went_away_is_not_free) {
    for (const unsigned node : {0u, 1u, 2u})
        sight.free(node);
    sight.set_absent(2, true);
    BOOST_TEST(!sight.free_on_majority());
    BOOST_TEST((sight.hopeless() == node_set::just(2)));
}

// Whatever was said: a contender that relies on being told either knows of a majority now, or no majority can
// become free but by a node that tells, or by one that comes back.
BOOST_AUTO_TEST_CASE(no_chance_goes_untold) {
    redlock::core::random draw(7);
    for (int run = 0; run < 20'000; ++run) {
        const unsigned nodes = 1 + static_cast<unsigned>(draw() % 9);
        availability seen(nodes);
        std::vector<bool> silent(nodes);
        for (unsigned node = 0; node < nodes; ++node) {
            seen.set_told(node, draw() % 2 == 0);
            if (draw() % 3 == 0) seen.free(node);
            if (draw() % 5 == 0) seen.ours(node);
            if (draw() % 5 == 0) seen.set_absent(node, true);
            silent[node] = !seen.hopeless().has(node);
        }
        if (!seen.change_will_be_told() || seen.free_on_majority()) continue;
        // The worst that can happen untold: it becomes free wherever that is not told.
        for (unsigned node = 0; node < nodes; ++node)
            if (silent[node]) seen.free(node);
        BOOST_REQUIRE(!seen.free_on_majority());
    }
}

BOOST_AUTO_TEST_CASE(a_holder_that_was_not_named_lately_shows_that_the_key_changed_hands) {
    availability key(5);
    BOOST_TEST(!key.take_change_of_holder());
    key.refused_for(1);
    key.refused_for(2);
    BOOST_TEST(key.take_change_of_holder());
    BOOST_TEST(!key.take_change_of_holder());
    for (int i = 0; i < 10; ++i) {
        key.refused_for(2);
        key.refused_for(1);
    }
    BOOST_TEST(!key.take_change_of_holder());
    key.refused_for(3);
    BOOST_TEST(key.take_change_of_holder());
    // Of sixteen each is remembered.
    for (std::size_t other = 40; other < 54; ++other)
        key.refused_for(other);
    BOOST_TEST(key.take_change_of_holder());
    key.refused_for(2);
    BOOST_TEST(!key.take_change_of_holder());
    key.refused_for(1);
    BOOST_TEST(key.take_change_of_holder());
    // Long ago is forgotten.
    for (std::size_t other = 10; other < 30; ++other)
        key.refused_for(other);
    BOOST_TEST(key.take_change_of_holder());
    key.refused_for(1);
    BOOST_TEST(key.take_change_of_holder());
}

BOOST_AUTO_TEST_SUITE_END()
