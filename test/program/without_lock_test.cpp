#include "program.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace redlock::test {
namespace {

BOOST_AUTO_TEST_SUITE(without_lock)

BOOST_AUTO_TEST_CASE(one_load_serves_all_who_want_the_page_and_one_failure_fails_them) {
    program example(REDLOCK_EXAMPLES "/single_flight", {});
    int loads = 0;
    int pages = 0;
    int failures = 0;
    while (const auto line = example.line_with(" ")) {
        loads += line->starts_with("loading ");
        pages += line->ends_with("reads: the page news");
        failures += line->ends_with("reads: there is no page");
    }
    BOOST_TEST(loads == 2);
    BOOST_TEST(pages == 6);
    BOOST_TEST(failures == 2);
    BOOST_TEST(example.status() == 0);
}

BOOST_AUTO_TEST_CASE(each_key_has_one_owner_and_moves_only_when_that_leaves) {
    program example(REDLOCK_EXAMPLES "/one_owner", {});
    int all = 0;
    int of_clara = 0;
    for (const std::string name : {"anna", "berta", "clara"}) {
        const auto line = example.line_with(name + " owns ");
        BOOST_REQUIRE(line);
        const int owned = std::stoi(line->substr(name.size() + 6));
        const int complete = std::stoi(line->substr(line->rfind(' ') + 1));
        BOOST_TEST(owned == complete);
        BOOST_TEST(owned > 60); // of 300: a third each, more or less
        all += owned;
        of_clara = owned;
    }
    BOOST_TEST(all == 300);
    const auto line = example.line_with("clara leaves: ");
    BOOST_REQUIRE(line);
    BOOST_TEST(*line == "clara leaves: " + std::to_string(of_clara) + " articles move, of others 0");
    BOOST_TEST(example.status() == 0);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
