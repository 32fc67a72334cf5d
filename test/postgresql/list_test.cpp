// Which rows are held, as a search finds them in a real database.

#include "postgres_fixture.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace redlock::test {
namespace {

using names = std::vector<std::string>;

struct list_in_table_fixture : postgres_fixture {
    client locks = make_client(), others = make_client();

    names list(client& by, const std::string& beginning = {}) {
        outcome<key_list> result;
        by.async_list(beginning, result.handler());
        complete(result);
        BOOST_TEST(!result.error());
        more = result.value().more;
        return result.value().keys;
    }
    bool more = false;
};

BOOST_FIXTURE_TEST_SUITE(list_suite, list_in_table_fixture)

BOOST_AUTO_TEST_CASE(what_is_held_is_listed_and_what_was_given_back_or_has_run_out_is_not) {
    BOOST_TEST(list(locks).empty());
    const std::string odd("a\0\xff", 3);
    lease a = lock(others, "a"), b = lock(others, odd), c = lock(others, "b");
    BOOST_TEST(list(locks) == names({"a", odd, "b"}), boost::test_tools::per_element());
    BOOST_TEST(list(locks, "a") == names({"a", odd}), boost::test_tools::per_element());
    BOOST_TEST(!unlock(a));
    database.query("UPDATE redlock SET expires = clock_timestamp() WHERE key = 'b'");
    BOOST_TEST(list(locks) == names({odd}), boost::test_tools::per_element());
    BOOST_TEST(!more);
}

BOOST_AUTO_TEST_CASE(a_client_with_a_prefix_finds_keys_of_its_own) {
    config c = settings();
    c.key_prefix = "app\xff";
    client app(context.get_executor(), c);
    lease mine = lock(app, "key"), theirs = lock(locks, "key"), behind = lock(locks, "apq");
    BOOST_TEST(list(app) == names({"key"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(more_than_a_page_is_found_in_order_and_more_than_the_most_is_said) {
    lease first = lock(locks, "a");
    const auto add = [this](std::size_t from, std::size_t to) {
        database.query("INSERT INTO redlock SELECT convert_to('m' || i, 'UTF8'), 'token', 1, "
                       "clock_timestamp() + interval '1 hour' FROM generate_series(" +
                       std::to_string(from) + ", " + std::to_string(to) + ") AS i");
    };
    add(1, 2500);
    const names found = list(locks, "m");
    BOOST_TEST(found.size() == 2500u);
    BOOST_TEST(std::ranges::is_sorted(found));
    BOOST_TEST((std::ranges::adjacent_find(found) == found.end()));
    BOOST_TEST(!more);
    add(2501, most_listed_keys + 1);
    BOOST_TEST(list(locks, "m").size() == most_listed_keys);
    BOOST_TEST(more);
    BOOST_TEST(first.valid());
}

BOOST_AUTO_TEST_CASE(rows_of_others_that_are_free_do_not_hide_what_is_held) {
    lease last = lock(locks, "z"), first = lock(locks, "a"); // with the table
    database.query("INSERT INTO redlock SELECT convert_to('m' || i, 'UTF8'), NULL, 1, clock_timestamp() FROM "
                   "generate_series(1, 5000) AS i");
    BOOST_TEST(list(others) == names({"a", "z"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_client_that_closes_tells_who_asked) {
    BOOST_TEST(list(locks).empty());
    outcome<key_list> result;
    locks.async_list({}, result.handler());
    close(locks);
    complete(result);
    BOOST_TEST(result.error() == errc::closed);
}

BOOST_AUTO_TEST_CASE(a_database_that_is_out_of_reach_is_named) {
    BOOST_TEST(list(locks).empty());
    database.stop();
    outcome<key_list> result;
    locks.async_list({}, result.handler());
    complete(result);
    BOOST_TEST(result.error() == errc::no_quorum);
    database.resume();
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
