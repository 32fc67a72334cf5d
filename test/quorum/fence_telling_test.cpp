#include "contest_fixture.hpp"

#include <string>

namespace redlock::test {
namespace {

/// Grants with a token, one after the other, each of which may tell the nodes how long the fence lives.
struct telling_fixture : contest_fixture {
    static constexpr std::string_view fence = ":2000000000000000\r\n";

    /// The nodes that were told, one digit for each.
    std::string told_by_a_grant() {
        listener = {};
        for (const auto& n : nodes)
            n->told.clear();
        contend(true);
        answer_each(std::string(nodes.size(), '+'), "$-1\r\n", {});
        for (const auto& n : nodes)
            while (!listener.granted && !n->asked().empty())
                turn([&] { n->answer(n->asked().find("ZADD") != n->asked().npos ? ":1\r\n" : fence); });
        BOOST_TEST(listener.granted.has_value());
        std::string told;
        for (unsigned node = 0; node < nodes.size(); ++node)
            for (const std::string& command : nodes[node]->told) {
                BOOST_TEST(command.find("PEXPIRE") != std::string::npos);
                BOOST_TEST(command.find(std::to_string((24h + 90min) / 1ms)) != std::string::npos);
                told += std::to_string(node);
            }
        return told;
    }
};

BOOST_FIXTURE_TEST_SUITE(fence_telling_suite, telling_fixture)

BOOST_AUTO_TEST_CASE(a_fence_is_told_its_life_with_the_first_grant_and_after_the_pause) {
    BOOST_TEST(told_by_a_grant() == "01");
    BOOST_TEST(told_by_a_grant() == "");
    clock += 80min;
    BOOST_TEST(told_by_a_grant() == "");
    clock += 10min;
    BOOST_TEST(told_by_a_grant() == "01");
}

BOOST_AUTO_TEST_CASE(a_node_that_did_not_take_it_is_told_with_the_next_grant) {
    nodes[0]->refused = "PEXPIRE";
    BOOST_TEST(told_by_a_grant() == "1");
    nodes[0]->refused.clear();
    BOOST_TEST(told_by_a_grant() == "01");
    BOOST_TEST(told_by_a_grant() == "");
}

BOOST_AUTO_TEST_CASE(nodes_that_were_not_asked_before_are_told) {
    BOOST_TEST(told_by_a_grant() == "01");
    nodes[0]->trip = 1s;
    BOOST_TEST(told_by_a_grant() == "12");
    BOOST_TEST(told_by_a_grant() == "");
}

// Four usual round trips and a millisecond.
BOOST_AUTO_TEST_CASE(a_node_stays_among_them_for_as_long_as_it_is_not_much_slower_than_others) {
    BOOST_TEST(told_by_a_grant() == "01");
    nodes[0]->trip = 5ms;
    BOOST_TEST(told_by_a_grant() == "");
    nodes[0]->trip = 5ms + 1ns;
    BOOST_TEST(told_by_a_grant() == "12");
    nodes[0]->trip = 1ms;
    BOOST_TEST(told_by_a_grant() == ""); // these will do
    nodes[2]->health = node::health::suspect;
    BOOST_TEST(told_by_a_grant() == "01");
    // Too few are quick, so it matters no more.
    nodes[2]->health = node::health::ready;
    for (const unsigned slow : {0u, 2u})
        nodes[slow]->trip = 1s;
    BOOST_TEST(told_by_a_grant() == "");
    nodes[0]->health = node::health::suspect;
    BOOST_TEST(told_by_a_grant() == "12");
}

// Whoever was not asked has no fence to be told of, and counts as told no more than before.
BOOST_AUTO_TEST_CASE(
    where_a_node_does_not_take_the_proposal_the_others_are_told_and_all_of_them_the_next_time) {
    nodes[1]->refused = "ZADD";
    BOOST_TEST(told_by_a_grant() == "0");
    nodes[1]->refused.clear();
    BOOST_TEST(told_by_a_grant() == "01");
    nodes[1]->refused = "ZADD";
    BOOST_TEST(told_by_a_grant() == "0");
    nodes[1]->refused.clear();
    BOOST_TEST(told_by_a_grant() == "");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
