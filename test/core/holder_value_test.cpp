#include "core/holder_value.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace redlock::core {
namespace {

constexpr std::size_t size_of_token = 5;

holder_value read(std::string_view value) { return read_holder_value(value, size_of_token); }

} // namespace

BOOST_AUTO_TEST_SUITE(value_of_a_key)

BOOST_AUTO_TEST_CASE(it_is_a_token_with_what_stands_behind_it) {
    BOOST_TEST(read("token").token == "token");
    BOOST_TEST(!read("token").fencing_token.has_value());
    BOOST_TEST(read("token:17").token == "token");
    BOOST_TEST(read("token:17").fencing_token.value() == 17u);
    BOOST_TEST(read("token:17").label.empty());
    BOOST_TEST(read("token:17:web-1").fencing_token.value() == 17u);
    BOOST_TEST(read("token:17:web-1").label == "web-1");
    BOOST_TEST(read("token::web-1").token == "token");
    BOOST_TEST(!read("token::web-1").fencing_token.has_value());
    BOOST_TEST(read("token::web-1").label == "web-1");
    BOOST_TEST(read("token::web:1:2").label == "web:1:2");
}

BOOST_AUTO_TEST_CASE(what_others_wrote_is_nothing_but_a_token) {
    for (const char* const other : {"", "tok", "tokens", "token-17", "token:x", "token:17x:label", "token:-1",
                                    "token:99999999999999999999999"}) {
        BOOST_TEST(read(other).token == other);
        BOOST_TEST(!read(other).fencing_token.has_value(), other);
        BOOST_TEST(read(other).label.empty(), other);
    }
}

BOOST_AUTO_TEST_CASE(what_is_put_behind_a_token_is_read_again) {
    BOOST_TEST(label_ending("", false) == "");
    BOOST_TEST(label_ending("", true) == "");
    BOOST_TEST(read("token" + label_ending("web-1", false)).label == "web-1");
    BOOST_TEST(read("token:17" + label_ending("web-1", true)).label == "web-1");
}

BOOST_AUTO_TEST_CASE(a_label_is_shown_bounded_and_printable) {
    BOOST_TEST(label_of("token::a\x1b[2Jb", size_of_token).find('\x1b') == std::string::npos);
    BOOST_TEST(label_of("token::" + std::string(1000, 'x'), size_of_token).size() < 100u);
    BOOST_TEST(label_of("token:17", size_of_token).empty());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace redlock::core
