// What stands in a row for people, and what is made of whatever stands there.

#include "engines/sql/holder_label.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace redlock::sql {
namespace {

BOOST_AUTO_TEST_SUITE(holder_label_suite)

BOOST_AUTO_TEST_CASE(a_database_with_all_characters_is_given_them_and_no_broken_ones) {
    for (const std::string fine : {"", "web-1",
                                   "gr\xc3\xb6\xc3\x9f"
                                   "e",
                                   "\xe2\x82\xac", "\xf0\x9f\x94\x92", "\xed\x9f\xbf", "\xf4\x8f\xbf\xbf"})
        BOOST_TEST(storable_label(fine, true) == fine);
    BOOST_TEST(storable_label("a\xff"
                              "b\xc3",
                              true) == "a?b?");
    BOOST_TEST(storable_label("\xc0\xaf", true) == "??");           // overlong
    BOOST_TEST(storable_label("\xed\xa0\x80", true) == "???");      // a surrogate
    BOOST_TEST(storable_label("\xf4\x90\x80\x80", true) == "????"); // beyond the last
    BOOST_TEST(storable_label("\xe2\x82", true) == "??");
}

BOOST_AUTO_TEST_CASE(another_one_is_given_letters_of_ascii) {
    BOOST_TEST(storable_label("web-1 gr\xc3\xb6"
                              "b",
                              false) == "web-1 gr??b");
}

BOOST_AUTO_TEST_CASE(a_label_is_that_of_the_token_that_it_names) {
    const std::string token = "0123456789abcdefghijklmnopq";
    BOOST_TEST(label_beside(token, "jklmnopq:web-1") == "web-1");
    BOOST_TEST(label_beside(token, "jklmnopq:a:b") == "a:b");
    BOOST_TEST(label_beside(token, "jklmnopq:").empty());
    for (const answer::cell& others : {answer::cell(), answer::cell(""), answer::cell("web-1"),
                                       answer::cell("jklmnopr:web-1"), answer::cell("jklmnopq")})
        BOOST_TEST(label_beside(token, others).empty());
    BOOST_TEST(label_beside("short", "short:who").starts_with("who"));
}

BOOST_AUTO_TEST_CASE(whatever_a_server_sends_is_printable_and_bounded) {
    const std::string token(27, 'x');
    BOOST_TEST(label_beside(token, "xxxxxxxx:\x1b[2J") == R"(\x1b[2J)");
    BOOST_TEST(label_beside(token, "xxxxxxxx:" + std::string(8000, 'y')).size() == 67u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::sql
