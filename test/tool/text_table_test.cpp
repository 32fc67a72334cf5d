#include "tool/cli/option_words.hpp"
#include "tool/text/json_line.hpp"
#include "tool/text/printable.hpp"
#include "tool/text/text_table.hpp"

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

namespace redlock::tool {
namespace {

std::string at(std::size_t width) {
    using side = text_table::side;
    text_table table({{"node"}, {"round trip", side::right}, {"commands", side::right}, {"state"}});
    table.add({"redis://one", "1 ms", "12", "ready"});
    table.add({"redis://number-two", "12.5 ms", "1,234", "waits for the disk"});
    table.add({"redis://three", "a node is not connected"});
    return table.text({.width = width});
}

BOOST_AUTO_TEST_SUITE(text_table_suite)

BOOST_AUTO_TEST_CASE(rows_stand_below_their_titles) {
    BOOST_TEST(at(unlimited) == "node                round trip  commands  state\n"
                                "redis://one               1 ms        12  ready\n"
                                "redis://number-two     12.5 ms     1,234  waits for the disk\n"
                                "redis://three       a node is not connected\n");
    BOOST_TEST(at(60) == at(unlimited));
}

BOOST_AUTO_TEST_CASE(titles_are_broken_first) {
    BOOST_TEST(at(59) == "                      round\n"
                         "node                   trip  commands  state\n"
                         "redis://one            1 ms        12  ready\n"
                         "redis://number-two  12.5 ms     1,234  waits for the disk\n"
                         "redis://three       a node is not connected\n");
    BOOST_TEST(at(57) == at(59));
}

BOOST_AUTO_TEST_CASE(then_each_row_becomes_a_paragraph) {
    BOOST_TEST(at(56) == "node\n"
                         "redis://one\n"
                         "  round trip 1 ms, commands 12, state ready\n"
                         "redis://number-two\n"
                         "  round trip 12.5 ms, commands 1,234,\n"
                         "  state waits for the disk\n"
                         "redis://three\n"
                         "  a node is not connected\n");
    BOOST_TEST(at(24) == "node\n"
                         "redis://one\n"
                         "  round trip 1 ms,\n"
                         "  commands 12,\n"
                         "  state ready\n"
                         "redis://number-two\n"
                         "  round trip 12.5 ms,\n"
                         "  commands 1,234,\n"
                         "  state waits for the\n"
                         "    disk\n"
                         "redis://three\n"
                         "  a node is not\n"
                         "    connected\n");
}

// Blanks keep columns in their places; a paragraph has none.
BOOST_AUTO_TEST_CASE(a_paragraph_has_no_cell_of_blanks) {
    text_table table({{"key"}, {"state"}, {"since", text_table::side::right}, {"left"}, {"nodes"}});
    table.add({"orders", "free   ", "   1.4 s", "     ", "0/3"});
    BOOST_TEST(table.text({.width = 39}) == "key     state       since  left   nodes\n"
                                            "orders  free        1.4 s         0/3\n");
    BOOST_TEST(table.text({.width = 30}) == "key\n"
                                            "orders\n"
                                            "  state free, since 1.4 s,\n"
                                            "  nodes 0/3\n");
}

BOOST_AUTO_TEST_CASE(a_long_text_goes_on_below_its_beginning) {
    text_table table({{"node"}, {"state"}});
    table.add({"one", "it waits for the disk, which is slow"});
    BOOST_TEST(table.text({.width = 30}) == "node  state\n"
                                            "one   it waits for the disk,\n"
                                            "      which is slow\n");
}

BOOST_AUTO_TEST_CASE(columns_are_counted_and_not_bytes) {
    BOOST_TEST(display_width("größe") == 5u);
    BOOST_TEST(display_width("錠") == 2u);
    BOOST_TEST(display_width("e\u0301") == 1u);
    BOOST_TEST(fitting("größe", 3) == "grö");
    BOOST_TEST(fitting("a錠", 2) == "a");
    BOOST_TEST(padded_left("µs", 4) == "  µs");
    BOOST_TEST(wrapped("µµµ µµµ", 7, 0, 2) == "µµµ µµµ");
    BOOST_TEST(wrapped("µµµ µµµ", 6, 0, 2) == "µµµ\n  µµµ");
    BOOST_TEST(wrapped("a word", 10, 8, 2) == "a\n  word");
    BOOST_TEST(wrapped("word", 10, 8, 2) == "\n  word");
}

BOOST_AUTO_TEST_CASE(nothing_steers_the_terminal) {
    BOOST_TEST(printable("a\x1b[2J\x7f\n", charset::utf8) == R"(a\x1b[2J\x7f\x0a)");
    BOOST_TEST(printable("größe", charset::utf8) == "größe");
    BOOST_TEST(printable("ö", charset::ascii) == R"(\xc3\xb6)");
    // C1 in UTF-8 and as a byte, a cut character, an overlong form, a surrogate, a change of direction.
    for (const char* text : {"\xc2\x9b", "\x9b", "\xe2\x82", "\xc0\x80", "\xed\xa0\x80", "\u202e", "\ufeff"})
        BOOST_TEST(printable(text, charset::utf8).starts_with("\\x"), text);
}

BOOST_AUTO_TEST_CASE(json_has_what_was_put_in_as_far_as_it_is_text) {
    for (const std::string text : {"größe", "\u009b\u202e", "\U000e0041", "\"\\\x01\x7f"})
        BOOST_TEST(boost::json::parse(json_line(boost::json::value(text))).as_string() == text);
    BOOST_TEST(json_line(boost::json::value("\xff\u009b")) == "\"\\\\xff\\u009b\"\n");
    BOOST_TEST(json_line(boost::json::value("\U000e0041")) == "\"\\udb40\\udc41\"\n");
}

BOOST_AUTO_TEST_CASE(fields_are_named_as_options) {
    BOOST_TEST(in_options("config::nodes[0]: it is wrong") == "node 1 (see --node): it is wrong");
    BOOST_TEST(in_options("config::nodes[9] and config::nodes[10] are both x") ==
               "node 10 and node 11 (see --node) are both x");
    BOOST_TEST(in_options("config::nodes must list 1 to 63 nodes") == "--node must list 1 to 63 nodes");
    BOOST_TEST(in_options("(config::node_timeout), (lock_options::wait)") == "(--node-timeout), (--wait)");
    BOOST_TEST(in_options("config::restart_guard must be 0 to 1 year") ==
               "restart_guard must be 0 to 1 year");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::tool
