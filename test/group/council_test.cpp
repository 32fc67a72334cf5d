#include "engines/redis/node/group/council.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace redlock::test {
namespace {

using namespace std::chrono_literals;
using node::council;
using node::endpoint;
using node::testimony;
using time::instant;

struct council_fixture {
    council all{3s};
    const instant now{1h};
    const endpoint old_master{"10.0.0.1", 6379};
    const endpoint new_master{"10.0.0.2", 6379};

    council_fixture() { all.expect(3); }

    void say(const std::string& sentinel, const endpoint& master, std::uint64_t epoch = 1,
             std::chrono::nanoseconds for_so_long = 1min, unsigned sentinels = 3) {
        say_at(now, sentinel, master, epoch, for_so_long, sentinels);
    }
    void say_at(instant asked, const std::string& sentinel, const endpoint& master, std::uint64_t epoch = 1,
                std::chrono::nanoseconds for_so_long = 1min, unsigned sentinels = 3) {
        all.said(sentinel,
                 {.master = master, .epoch = epoch, .since = asked - for_so_long, .sentinels = sentinels},
                 asked);
    }
    std::string master(instant at) const {
        const auto found = all.master(at);
        return found ? found->at.name() : "none";
    }
    std::string master() const { return master(now); }
};

BOOST_FIXTURE_TEST_SUITE(council_suite, council_fixture)

BOOST_AUTO_TEST_CASE(a_majority_names_the_master) {
    BOOST_TEST(master() == "none");
    say("a", old_master);
    BOOST_TEST(master() == "none");
    BOOST_TEST(all.agreeing(now) == 1u);
    BOOST_TEST(all.needed(now) == 2u);
    say("a", old_master);
    BOOST_TEST(master() == "none");
    say("b", old_master);
    BOOST_TEST(master() == "10.0.0.1:6379");
}

// Of every number of Sentinels, and every number that agree.
BOOST_AUTO_TEST_CASE(it_takes_more_than_half_of_all_that_there_are) {
    for (unsigned sentinels = 1; sentinels <= 9; ++sentinels) {
        all = council(3s);
        all.expect(sentinels);
        for (unsigned agreeing = 1; agreeing <= sentinels; ++agreeing) {
            say(std::string(1, static_cast<char>('a' + agreeing)), old_master, 1, 1min, sentinels);
            BOOST_TEST((master() != "none") == (2 * agreeing > sentinels));
        }
    }
}

// The address may name one of three, and one of them may know of more than the others.
BOOST_AUTO_TEST_CASE(those_that_only_the_others_know_of_count) {
    all.expect(1);
    say("a", old_master, 1, 1min, 3);
    BOOST_TEST(master() == "none");
    say("b", old_master, 1, 1min, 3);
    BOOST_TEST(master() != "none");
    say("c", old_master, 1, 1min, 7);
    BOOST_TEST(all.needed(now) == 4u);
    BOOST_TEST(master() == "none");
}

// One that was set up anew knows of no other.
BOOST_AUTO_TEST_CASE(those_that_are_expected_count_whatever_is_said) {
    say("a", new_master, 9, 1min, 1);
    BOOST_TEST(master() == "none");
}

BOOST_AUTO_TEST_CASE(a_fail_over_that_one_has_heard_of_ends_the_old_master) {
    for (const char* sentinel : {"a", "b", "c"})
        say(sentinel, old_master, 1);
    say("a", new_master, 2, 0s);
    BOOST_TEST(master() == "none");
    say("b", new_master, 2, 0s);
    BOOST_TEST(master() == "10.0.0.2:6379");
}

BOOST_AUTO_TEST_CASE(what_was_said_counts_from_when_it_was_asked_and_not_for_ever) {
    say_at(now, "a", old_master);
    say_at(now + 1s, "b", old_master);
    BOOST_TEST((all.next_change(now + 1s) == now + 3s));
    BOOST_TEST(master(now + 3s - 1ns) != "none");
    BOOST_TEST(master(now + 3s) == "none");
    BOOST_TEST((all.next_change(now + 3s) == now + 4s));
    BOOST_TEST((all.next_change(now + 4s) == instant::max()));
    say_at(now + 4s, "a", old_master);
    say_at(now + 4s, "b", old_master);
    BOOST_TEST(master(now + 4s) != "none");
}

BOOST_AUTO_TEST_CASE(an_answer_that_was_overtaken_changes_nothing) {
    say_at(now + 1s, "a", new_master, 2);
    say_at(now + 1s, "b", new_master, 2);
    say_at(now, "a", old_master, 1);
    BOOST_TEST(master(now + 1s) == "10.0.0.2:6379");
}

BOOST_AUTO_TEST_CASE(one_that_forgot_the_group_says_nothing) {
    say("a", old_master);
    say("b", old_master);
    all.knows_nothing("b");
    BOOST_TEST(master() == "none");
    all.knows_nothing("z");
}

// Each of them may have begun to watch later than the switch, and none before it.
BOOST_AUTO_TEST_CASE(it_has_led_for_as_long_as_all_who_name_it_have_seen) {
    say("a", old_master, 1, 10min);
    say("b", old_master, 1, 5s);
    say("c", new_master, 1, 0s);
    BOOST_TEST((all.master(now)->since == now - 5s));
}

BOOST_AUTO_TEST_CASE(no_more_are_kept_than_it_has_room_for) {
    for (std::size_t i = 0; i < 10 * council::most_members; ++i)
        say(std::to_string(i), old_master);
    BOOST_TEST(all.agreeing(now) == council::most_members);
    say_at(now + 3s, "new", new_master);
    BOOST_TEST(all.agreeing(now + 3s) == 1u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
