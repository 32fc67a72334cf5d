// For how long a key that is handed on is free for those who stand in no queue.

#include "core/queue/open_door.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

using namespace redlock::core;
using namespace std::chrono_literals;

namespace {

constexpr instant began{1h};

/// Handed on once in a millisecond.
instant hand_on(open_door& door, instant now, std::uint32_t turns) {
    for (std::uint32_t i = 0; i < turns; ++i, now += 1ms)
        door.handed(door.sight(now), now);
    return now;
}

} // namespace

BOOST_AUTO_TEST_SUITE(a_door_for_strangers)

BOOST_AUTO_TEST_CASE(while_none_was_seen_there_is_none) {
    open_door door;
    hand_on(door, began, 1000);
    BOOST_TEST(!door.is_known(began + 1s));
    BOOST_TEST((door.opens_for(began + 1h) == 0ns));
}

BOOST_AUTO_TEST_CASE(it_opens_after_so_many_turns_and_so_much_time) {
    open_door door;
    door.used(200us, began);
    BOOST_TEST(door.is_known(began));
    const instant fourth = hand_on(door, began, open_door::fewest_turns);
    BOOST_TEST((door.opens_for(fourth) == 0ns)); // 4 ms
    BOOST_TEST((door.opens_for(began + 14ms - 1ns) == 0ns));
    BOOST_TEST((door.opens_for(began + 14ms) == open_door::first));

    open_door rare;
    rare.used(200us, began);
    hand_on(rare, began, open_door::fewest_turns - 1);
    BOOST_TEST((rare.opens_for(began + 9s) == 0ns));
}

BOOST_AUTO_TEST_CASE(it_is_open_for_no_longer_than_a_few_turns_take) {
    open_door slow, quick;
    slow.handed({.door = 8ms, .unseen{}, .shut = 40ms, .turns = 3}, began);
    BOOST_TEST((slow.opens_for(began) == 0ns));
    BOOST_TEST((slow.opens_for(began + 16ms) == 8ms)); // a seventh of the time since
    quick.handed({.door = 8ms, .unseen{}, .shut = 300ms, .turns = 399}, began);
    BOOST_TEST((quick.opens_for(began) == 6ms));
    quick.handed({.door = 8ms, .unseen{}, .shut = 300ms, .turns = 29'999}, began);
    BOOST_TEST((quick.opens_for(began) == 2 * open_door::first));
}

BOOST_AUTO_TEST_CASE(whoever_finds_the_key_free_begins_anew) {
    open_door door;
    door.handed({.door = 4ms, .unseen{}, .shut = 1s, .turns = 100}, began);
    BOOST_TEST((door.opens_for(began) == 4ms));
    door.found_free(began);
    BOOST_TEST((door.sight(began) == stranger_sight{.door = 4ms, .unseen{}, .shut{}, .turns = 0}));
    BOOST_TEST((door.opens_for(began + 1s) == 0ns));
}

BOOST_AUTO_TEST_CASE(one_that_nobody_used_was_too_short) {
    open_door door;
    door.handed({.door = open_door::first, .unseen{}, .shut{}, .turns = 0}, began);
    for (const nanoseconds length : {4ms, 8ms, 8ms}) {
        const stranger_sight unused = door.sight_behind(door.sight(began).door, began);
        BOOST_TEST((unused.door == length && unused.shut == 0ns && unused.turns == 0u));
        door.shut(unused, began);
    }
}

BOOST_AUTO_TEST_CASE(the_moment_in_which_any_key_is_free_was_none) {
    open_door door;
    door.seen(200us, began);
    BOOST_TEST((door.sight_behind(0ns, began + 1ms) == door.sight(began + 1ms)));
}

BOOST_AUTO_TEST_CASE(one_that_was_used_was_long_enough) {
    open_door door;
    door.used(200us, began);
    door.told_of_door({.door = 8ms, .unseen = 1s, .shut{}, .turns = 0}, began);
    door.used(200us, began + 1ms);
    door.used(200us, began + 2ms); // the next node says it, too
    BOOST_TEST((door.sight(began + 2ms) == stranger_sight{.door = 3500us, .unseen{}, .shut{}, .turns = 0}));
    door.told_of_door({.door = open_door::first, .unseen{}, .shut{}, .turns = 0}, began);
    door.used(200us, began);
    BOOST_TEST((door.sight(began).door == open_door::first));
    door.used(3ms, began); // it does not try again before it has an answer
    BOOST_TEST((door.sight(began).door == 6ms));
    door.used(10s, began);
    BOOST_TEST((door.sight(began).door == open_door::longest));
}

// It holds on to those that it has for a while, and the turns go on without it.
BOOST_AUTO_TEST_CASE(who_comes_to_too_few_nodes_has_not_had_its_turn) {
    const stranger_sight shut{.door = 8ms, .unseen = 1s, .shut = 1ms, .turns = 0};
    for (const bool first_told : {false, true}) {
        open_door door;
        if (!first_told) door.shut(shut, began);
        door.seen(200us, began);
        door.shut(shut, began);
        door.seen(200us, began);
        BOOST_TEST((door.sight(began) == stranger_sight{.door = 4ms, .unseen{}, .shut = 1ms, .turns = 0}));
        door.handed({.door = 8ms, .unseen{}, .shut = 100ms, .turns = 9}, began);
        door.seen(200us, began);
        BOOST_TEST((door.opens_for(began) == 8ms));
    }
}

BOOST_AUTO_TEST_CASE(what_is_known_goes_with_the_key) {
    open_door door, next;
    door.used(200us, began);
    next.handed(door.sight(began + 3ms), began + 4ms);
    next.handed(door.sight(began + 3ms), began + 4ms); // by another node
    BOOST_TEST(
        (next.sight(began + 4ms) == stranger_sight{.door = 2ms, .unseen = 3ms, .shut = 3ms, .turns = 1}));
}

BOOST_AUTO_TEST_CASE(when_none_was_seen_for_long_it_becomes_shorter_and_in_the_end_there_is_none) {
    open_door door;
    const stranger_sight sight{.door = 8ms, .unseen = 0s, .shut = 1s, .turns = 100};
    door.shut(sight, began);
    BOOST_TEST((door.opens_for(began + 500ms) == 8ms));
    BOOST_TEST((door.opens_for(began + 1s) == 4ms));
    BOOST_TEST((door.opens_for(began + 4s) == 1ms));
    BOOST_TEST((door.opens_for(began + 5s) == 0ns));
    BOOST_TEST(!door.is_known(began + 5s));
}

BOOST_AUTO_TEST_CASE(nothing_that_is_told_is_believed_beyond_the_bounds) {
    open_door door;
    const nanoseconds ever = nanoseconds::max();
    door.handed({.door = ever, .unseen = -1s, .shut = ever, .turns = 0xffffffff}, began);
    const stranger_sight s = door.sight(began);
    BOOST_TEST((s.door == open_door::longest && s.unseen == 0ns && s.shut == 24h && s.turns == 0xffffffff));
    door.handed({.door = -1s, .unseen = ever, .shut = -1s, .turns = 0}, began);
    BOOST_TEST(!door.is_known(began));
    BOOST_TEST((door.opens_for(began) == 0ns));
}

BOOST_AUTO_TEST_CASE(each_key_has_its_own) {
    open_doors doors;
    BOOST_TEST(!doors.find("a"));
    doors.at("a").seen(200us, began);
    BOOST_REQUIRE(doors.find("a"));
    BOOST_TEST(doors.find("a")->is_known(began));
    BOOST_TEST(!doors.find("b"));
    for (int i = 0; i < 10'000; ++i) {
        const std::string key = std::to_string(i);
        BOOST_TEST(!doors.at(key).is_known(began));
        doors.at(key).seen(200us, began);
        BOOST_TEST(doors.find(key)->is_known(began));
    }
}

BOOST_AUTO_TEST_SUITE_END()
