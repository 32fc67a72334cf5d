#include "engines/redis/node/cluster/slot_council.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>

namespace redlock::node {
namespace {

using namespace std::chrono_literals;

constexpr time::instant start{1000s};
const endpoint a{"10.0.0.1", 6379};
const endpoint b{"10.0.0.2", 6379};
const endpoint c{"10.0.0.3", 6379};
const endpoint d{"10.0.0.4", 6379};

slot_view thirds(const endpoint& first, const endpoint& second, const endpoint& third) {
    return {{.first = 0, .last = 5000, .owner = first, .id = first.name()},
            {.first = 5001, .last = 10'000, .owner = second, .id = second.name()},
            {.first = 10'001, .last = 16'383, .owner = third, .id = third.name()}};
}

struct asked_council {
    slot_council council{3s};

    std::string owner(std::uint16_t slot, time::instant now = start) const {
        const slot_map map = council.agreed(now);
        const std::size_t number = map.owner_of(slot);
        return number == slot_map::nobody ? "nobody" : map.servers()[number].name();
    }
    void all_say(const slot_view& view, time::instant asked = start) {
        for (const endpoint* one : {&a, &b, &c})
            council.said(one->name(), view, asked);
    }
};

BOOST_FIXTURE_TEST_SUITE(council_on_slots, asked_council)

BOOST_AUTO_TEST_CASE(nobody_has_a_slot_before_anybody_has_spoken) {
    BOOST_TEST(council.agreed(start).empty());
    BOOST_TEST(council.needed(start) == 1u);
    BOOST_TEST((council.next_change(start) == time::instant::max()));
}

BOOST_AUTO_TEST_CASE(a_majority_of_the_masters_decides) {
    council.said(a.name(), thirds(a, b, c), start);
    BOOST_TEST(council.needed(start) == 2u);
    BOOST_TEST(owner(0) == "nobody");
    council.said(b.name(), thirds(a, b, c), start);
    BOOST_TEST(owner(0) == a.name());
    BOOST_TEST(owner(5000) == a.name());
    BOOST_TEST(owner(5001) == b.name());
    BOOST_TEST(owner(16'383) == c.name());
    BOOST_TEST(council.agreed(start).servers().size() == 3u);
}

BOOST_AUTO_TEST_CASE(a_server_without_slots_has_no_say) {
    council.said(a.name(), thirds(a, b, c), start);
    council.said(d.name(), thirds(a, b, c), start);
    BOOST_TEST(council.speaking(start) == 1u);
    BOOST_TEST(owner(0) == "nobody");
}

BOOST_AUTO_TEST_CASE(one_server_speaks_once) {
    council.said(a.name(), thirds(a, b, c), start);
    council.said(a.name(), thirds(a, b, c), start);
    BOOST_TEST(owner(0) == "nobody");
}

BOOST_AUTO_TEST_CASE(what_was_said_counts_for_its_life_from_when_it_was_asked_for) {
    all_say(thirds(a, b, c));
    BOOST_TEST(owner(0, start + 3s - 1ns) == a.name());
    BOOST_TEST(owner(0, start + 3s) == "nobody");
    BOOST_TEST((council.next_change(start) == start + 3s));
    council.said(b.name(), thirds(a, b, c), start + 1s);
    council.said(c.name(), thirds(a, b, c), start + 2s);
    BOOST_TEST(owner(0, start + 3s) == a.name());
    BOOST_TEST((council.next_change(start + 3s) == start + 4s));
    BOOST_TEST(owner(0, start + 4s) == "nobody");
}

BOOST_AUTO_TEST_CASE(a_master_in_the_minority_is_not_believed) {
    all_say(thirds(a, b, c));
    council.said(a.name(), thirds(a, b, c), start + 2s);
    BOOST_TEST(owner(0, start + 3s) == "nobody");
}

BOOST_AUTO_TEST_CASE(the_successor_has_the_slots_once_a_majority_says_so) {
    all_say(thirds(a, b, c));
    council.said(b.name(), thirds(d, b, c), start + 1s);
    BOOST_TEST(owner(0, start + 1s) == a.name());
    council.said(c.name(), thirds(d, b, c), start + 1s);
    BOOST_TEST(owner(0, start + 1s) == d.name());
    BOOST_TEST(owner(16'383, start + 1s) == c.name());
}

BOOST_AUTO_TEST_CASE(a_slot_on_the_way_holds_up_no_other) {
    all_say(thirds(a, b, c));
    slot_view moved = thirds(a, b, c);
    moved[0].last = 4999;
    moved.push_back({.first = 5000, .last = 5000, .owner = b, .id = b.name()});
    slot_view elsewhere = thirds(a, b, c);
    elsewhere[0].last = 4999;
    elsewhere.push_back({.first = 5000, .last = 5000, .owner = c, .id = c.name()});
    council.said(b.name(), moved, start);
    council.said(c.name(), elsewhere, start);
    BOOST_TEST(owner(5000) == "nobody");
    BOOST_TEST(owner(4999) == a.name());
    BOOST_TEST(owner(5001) == b.name());
}

BOOST_AUTO_TEST_CASE(slots_that_nobody_has_are_nobodys) {
    slot_view some = thirds(a, b, c);
    some[0].last = 100;
    all_say(some);
    BOOST_TEST(owner(100) == a.name());
    BOOST_TEST(owner(101) == "nobody");
}

BOOST_AUTO_TEST_CASE(a_cluster_of_one_needs_one) {
    council.said(a.name(), {{.first = 0, .last = 16'383, .owner = a, .id = a.name()}}, start);
    BOOST_TEST(owner(16'383) == a.name());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::node
