#include "core/printable.hpp"

#include <boost/test/unit_test.hpp>

using redlock::core::printable;
using namespace std::string_literals;

BOOST_AUTO_TEST_SUITE(printable_text)

BOOST_AUTO_TEST_CASE(plain_text_stays_as_it_is) {
    BOOST_TEST(printable("", 10) == "");
    BOOST_TEST(printable("order:17 {a}~", 100) == "order:17 {a}~");
}

BOOST_AUTO_TEST_CASE(what_a_terminal_would_act_on_is_spelled_out) {
    BOOST_TEST(printable("\x1b[2J\n\t\x7f\0"s, 100) == "\\x1b[2J\\x0a\\x09\\x7f\\x00");
    BOOST_TEST(printable("\xc3\xa9\x9b\xff", 100) == "\\xc3\\xa9\\x9b\\xff");
}

BOOST_AUTO_TEST_CASE(the_end_of_quoted_text_can_be_told) {
    BOOST_TEST(printable("a\"b\\x0a", 100) == "a\\\"b\\\\x0a");
}

BOOST_AUTO_TEST_CASE(a_long_text_is_cut_where_it_stands) {
    BOOST_TEST(printable("12345", 5) == "12345");
    BOOST_TEST(printable("123456", 5) == "12345...");
    BOOST_TEST(printable("\n\n\n", 2) == "\\x0a\\x0a...");
    BOOST_TEST(printable(std::string(1'000'000, 'k'), 3) == "kkk...");
}

BOOST_AUTO_TEST_SUITE_END()
