// What is made of an answer when a key that one has was written once more, or was not.

#include "engines/etcd/rule/transactions.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>

namespace redlock::etcd {
namespace {

using writing = rewritten::kind;

const std::string header_of_300("\x0a\x03\x18\xac\x02", 5);

std::string field(char tag, const std::string& content) {
    return std::string(1, tag) + static_cast<char>(content.size()) + content;
}

/// That the key was made at revision 5 and written at 9, with that value.
std::string not_done(const std::string& value) {
    const std::string key_value = field('\x0a', "k") + "\x10\x05\x18\x09" + field('\x2a', value);
    return header_of_300 + field('\x1a', field('\x0a', field('\x12', key_value)));
}

stand made_at(messages::revision created) {
    stand s{.key = "k", .queue = {}, .behind = {}, .grave = {}};
    s.created = created;
    return s;
}

BOOST_AUTO_TEST_SUITE(rewritten_suite)

BOOST_AUTO_TEST_CASE(what_was_done_has_the_revision_of_the_answer) {
    const rewritten how = read_rewritten(header_of_300 + "\x10\x01", made_at(5));
    BOOST_TEST((how.what == writing::carried_out));
    BOOST_TEST(how.revision == 300);
    BOOST_TEST(how.shown_token == 0u);
}

BOOST_AUTO_TEST_CASE(what_was_written_since_says_when_and_which_token_it_shows) {
    const rewritten moved = read_rewritten(not_done("7:somebody"), made_at(5));
    BOOST_TEST((moved.what == writing::written_since));
    BOOST_TEST(moved.revision == 9);
    BOOST_TEST(moved.shown_token == 7u);
    const rewritten advanced = read_rewritten(not_done(":somebody"), made_at(5));
    BOOST_TEST((advanced.what == writing::written_since));
    BOOST_TEST(advanced.revision == 9);
    BOOST_TEST(advanced.shown_token == 0u);
}

BOOST_AUTO_TEST_CASE(a_key_that_is_not_there_or_was_made_anew_is_gone) {
    BOOST_TEST((read_rewritten(not_done("7:"), made_at(6)).what == writing::key_was_gone));
    BOOST_TEST((read_rewritten(header_of_300, made_at(5)).what == writing::key_was_gone));
}

BOOST_AUTO_TEST_CASE(an_answer_that_ends_too_early_says_nothing) {
    const std::string whole = not_done("7:somebody");
    // What ends behind the header is an answer without a key.
    for (std::size_t size = header_of_300.size() + 1; size < whole.size(); ++size)
        BOOST_TEST((read_rewritten(whole.substr(0, size), made_at(5)).what == writing::unreadable),
                   "of " << size << " bytes");
}

BOOST_AUTO_TEST_CASE(a_value_shows_a_token_where_a_number_stands_before_its_colon) {
    BOOST_TEST(shown_token("18446744073709551615:x") == 18446744073709551615u);
    for (const std::string_view none :
         {"", ":", ":7", "7", "x:7", "7x:", "-7:", " 7:", "18446744073709551616:x"})
        BOOST_TEST(shown_token(none) == 0u, none << " shows a token");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::etcd
