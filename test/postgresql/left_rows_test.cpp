// Which rows a client knows to be there.

#include "engines/sql/session/left_rows.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace redlock::sql {
namespace {

BOOST_AUTO_TEST_SUITE(left_rows_suite)

BOOST_AUTO_TEST_CASE(a_key_that_was_given_back_is_known_until_it_is_asked_for) {
    left_rows all;
    BOOST_TEST(!all.asked_for("a"));
    all.given_back("a");
    BOOST_TEST(!all.asked_for("b"));
    BOOST_TEST(all.asked_for("a"));
    BOOST_TEST(!all.asked_for("a"));
}

BOOST_AUTO_TEST_CASE(of_many_it_knows_a_bounded_number_and_none_that_was_not_given_back) {
    left_rows all;
    constexpr int many = 100'000;
    for (int i = 0; i < many; ++i)
        all.given_back("key" + std::to_string(i));
    int known = 0;
    for (int i = 0; i < many; ++i) {
        BOOST_TEST(!all.asked_for("other" + std::to_string(i)));
        known += all.asked_for("key" + std::to_string(i));
    }
    BOOST_TEST(known > 0);
    BOOST_TEST(known <= 1024);
    BOOST_TEST(!all.asked_for(""));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::sql
