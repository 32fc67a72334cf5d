#include "tool/look/key_board.hpp"

#include <boost/test/unit_test.hpp>

namespace redlock::tool {
namespace {

using namespace std::chrono_literals;

key_report board_report(const std::string& holder, std::uint64_t waiting = 0) {
    key_report report;
    report.nodes.resize(1);
    if (!holder.empty()) report.nodes[0].value = holder;
    report.waiting = waiting;
    return report;
}

struct board_fixture {
    key_board board{3};
    key_board::time_point start{1h};

    void look(const std::string& key, const std::string& holder, std::chrono::milliseconds at,
              std::uint64_t waiting = 0) {
        board.saw(board_report(holder, waiting), key, start + at);
    }
    std::string names(key_order order) const {
        std::string all;
        for (const board_key* k : board.in_order(order))
            all += k->name;
        return all;
    }
    const board_key& first() const { return *board.in_order(key_order::name).at(0); }
};

BOOST_FIXTURE_TEST_SUITE(key_board_suite, board_fixture)

BOOST_AUTO_TEST_CASE(what_was_not_looked_at_is_not_shown) {
    board.found({.keys = {"a", "b"}});
    BOOST_TEST(names(key_order::name) == "");
    look("b", "x", 0ms);
    look("c", "x", 0ms);
    BOOST_TEST(names(key_order::name) == "b");
    BOOST_TEST(board.names() == std::vector<std::string>({"a", "b"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_search_keeps_what_it_finds_again_and_forgets_the_rest) {
    board.found({.keys = {"a", "b"}});
    look("a", "x", 0ms);
    look("b", "x", 0ms);
    board.found({.keys = {"b", "c"}, .more = true});
    BOOST_TEST(names(key_order::name) == "b");
    BOOST_TEST(board.more());
    board.found({.keys = {"a", "b"}});
    BOOST_TEST(names(key_order::name) == "b");
    BOOST_TEST(!board.more());
}

BOOST_AUTO_TEST_CASE(those_on_the_board_stay_where_there_is_no_room) {
    board.found({.keys = {"m", "n"}});
    board.found({.keys = {"a", "b", "m", "n"}});
    BOOST_TEST(board.names() == std::vector<std::string>({"a", "m", "n"}), boost::test_tools::per_element());
    BOOST_TEST(board.left_out() == 1u);
    board.found({.keys = {"b"}});
    BOOST_TEST(board.names() == std::vector<std::string>({"b"}), boost::test_tools::per_element());
    BOOST_TEST(board.left_out() == 0u);
}

BOOST_AUTO_TEST_CASE(a_rate_is_of_the_last_ten_looks) {
    board.found({.keys = {"a"}});
    look("a", "x0", 0ms);
    BOOST_TEST(!first().rate);
    look("a", "x1", 500ms);
    BOOST_TEST(first().rate.value() == 2.0);
    for (int i = 2; i <= 20; ++i)
        look("a", "x" + std::to_string(i), i * 500ms);
    BOOST_TEST(first().rate.value() == 2.0);
    for (int i = 21; i <= 25; ++i)
        look("a", "x20", i * 500ms);
    BOOST_TEST(first().rate.value() == 1.0);
    for (int i = 26; i <= 30; ++i)
        look("a", "x20", i * 500ms);
    BOOST_TEST(first().rate.value() == 0.0);
}

BOOST_AUTO_TEST_CASE(two_looks_at_one_instant_make_no_rate) {
    board.found({.keys = {"a"}});
    look("a", "x", 0ms);
    look("a", "y", 0ms);
    BOOST_TEST(!first().rate);
}

BOOST_AUTO_TEST_CASE(the_order_is_as_told_and_by_name_where_that_is_the_same) {
    board.found({.keys = {"a", "b", "c"}});
    look("c", "x", 0ms, 1);
    look("b", "x", 1ms, 2);
    look("a", "x", 1ms, 2);
    BOOST_TEST(names(key_order::name) == "abc");
    BOOST_TEST(names(key_order::age) == "cab");
    BOOST_TEST(names(key_order::waiting) == "abc");
    BOOST_TEST(names(key_order::grants) == "abc");
    look("a", "x", 2s, 0);
    look("b", "x", 2s, 2);
    look("c", "y", 2s, 3);
    BOOST_TEST(names(key_order::waiting) == "cba");
    BOOST_TEST(names(key_order::grants) == "cab");
    BOOST_TEST(names(key_order::age) == "abc");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::tool
