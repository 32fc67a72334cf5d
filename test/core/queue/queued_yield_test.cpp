// When one that stands in the queues of the nodes gives way to another.

#include "queued_contender_fixture.hpp"

namespace redlock::test::queued {
namespace {

BOOST_FIXTURE_TEST_SUITE(giving_way_in_queues, queued_fixture)

BOOST_AUTO_TEST_CASE(another_that_came_before_and_has_a_vote_is_given_way_to) {
    held({0, 1, 2, 3, 4});
    now += 10ms;
    handed({0, 1});
    now = next().until;
    BOOST_TEST((enter_as_told() == nodes_of({2, 3, 4})));
    held({2}, 60, 11);
    BOOST_TEST((next().what != action::yield)); // before all have answered
    held({3}, 60, 11);
    held({4}, 300, 12);
    BOOST_TEST((next().what == action::yield));
    rule.start(own_name + 1);
    BOOST_TEST(rule.votes().empty());
    BOOST_TEST((enter_as_told() == node_set::all_of(5)));
}

BOOST_AUTO_TEST_CASE(but_not_one_that_came_later_nor_whoever_is_just_giving_the_key_back) {
    for (const auto& [ticket, name] : {std::pair(300u, 11u), std::pair(50u, 9u), std::pair(0u, 3u)}) {
        queued_fixture f;
        f.held({0, 1, 2, 3, 4});
        f.now += 10ms;
        f.handed({0, 1});
        f.now = f.next().until;
        f.enter_as_told();
        f.held({2, 3}, ticket, name);
        f.held({4}, 0, 5);
        BOOST_TEST((f.next().what != action::yield));
    }
}

BOOST_AUTO_TEST_CASE(nor_one_that_has_the_key_by_now) {
    held({0, 1, 2, 3, 4});
    now += 10ms;
    handed({0, 1});
    now = next().until;
    enter_as_told();
    held({2, 3, 4}, 60, 11);
    BOOST_TEST((next().what == action::sleep));
}

// Whoever gave it back may have it at some nodes still.
BOOST_AUTO_TEST_CASE(one_that_is_told_nothing_gives_way_no_sooner_than_4_ms_after_its_first_vote) {
    for (const auto& [late, gives_way] : {std::pair(4ms - 1ns, false), std::pair(nanoseconds(4ms), true)}) {
        queued_fixture f;
        const auto next = [&] {
            return f.rule.next({f.now, f.ready, f.hopeless, 200us, node_set::all_of(5)});
        };
        f.held({0, 1, 2, 3, 4});
        f.now += 10ms;
        for (const unsigned node : {0u, 1u})
            f.rule.is_ours(node, f.now);
        const queued_contender::step look = next();
        BOOST_REQUIRE((look.what == action::enter && look.nodes == nodes_of({2, 3, 4})));
        for (const unsigned node : look.nodes)
            f.rule.entered(node, f.now);
        f.now += late;
        f.held({2, 3}, 60, 11);
        f.held({4}, 300, 12);
        BOOST_TEST((next().what == action::yield) == gives_way);
    }
}

BOOST_AUTO_TEST_CASE(of_two_with_the_same_ticket_one_gives_way) {
    held({0, 1, 2, 3, 4});
    now += 10ms;
    handed({0, 1});
    now = next().until;
    enter_as_told();
    held({2, 3}, own_ticket, own_name - 1);
    held({4}, 300, 12);
    BOOST_TEST((next().what == action::yield));
}

BOOST_AUTO_TEST_CASE(it_gives_way_three_times_and_then_once_in_a_second) {
    held({0, 1, 2, 3, 4});
    int yields = 0;
    for (; now < begun + 4s; now += 1ms) {
        if (rule.votes().empty()) {
            for (const unsigned node : {0u, 1u})
                rule.handed(node, now, 0ms, 9, now);
        }
        const queued_contender::step s = next();
        if (s.what == action::yield) {
            ++yields;
            rule.start(own_name);
        } else if (s.what == action::enter) {
            for (const unsigned node : s.nodes)
                rule.entered(node, now);
            for (const unsigned node : s.nodes)
                rule.votes().has(node) ? rule.is_ours(node, now) : held({node}, 60, 11 + node);
        }
    }
    BOOST_TEST(yields >= 3);
    BOOST_TEST(yields <= 3 + 4);
}

BOOST_AUTO_TEST_CASE(a_second_after_the_third_time_it_gives_way_again) {
    // With two votes, when it hears at that time who has the others.
    const auto gives_way_at = [&](instant heard) {
        rule.start(own_name);
        now = heard - 1ms;
        enter_as_told();
        held({0, 1, 2, 3, 4});
        for (const unsigned node : {0u, 1u})
            rule.handed(node, now, 0ms, 9, now);
        BOOST_TEST((next().what == action::sleep));
        now = heard;
        enter_as_told();
        held({2, 3}, 60, 11);
        held({4}, 300, 12);
        return next().what == action::yield;
    };
    const instant third = begun + 30ms;
    for (const instant at : {begun + 10ms, begun + 20ms, third})
        BOOST_TEST(gives_way_at(at));
    BOOST_TEST(!gives_way_at(begun + 40ms));
    BOOST_TEST(!gives_way_at(third + 1s - 1ns));
    BOOST_TEST(gives_way_at(third + 1s));
    BOOST_TEST(!gives_way_at(third + 1s + 10ms)); // it counts from there now
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test::queued
