#include "program.hpp"
#include "support/postgres_server.hpp"

#include <boost/test/unit_test.hpp>

namespace redlock::test {
namespace {

BOOST_AUTO_TEST_SUITE(guarded_stock)

BOOST_AUTO_TEST_CASE(who_was_stalled_cannot_commit_behind_who_took_over) {
    postgres_server database;
    program example(REDLOCK_EXAMPLES "/guarded_stock", {database.uri()});
    BOOST_TEST(example.says("B sells 3: committed"));
    BOOST_TEST(example.says("A sells 1: refused"));
    BOOST_TEST(example.says("A begins in time: yes"));
    BOOST_TEST(example.says("B meanwhile: somebody else holds the key"));
    BOOST_TEST(example.says("A commits"));
    BOOST_TEST(example.status() == 0);
    BOOST_TEST(database.query("SELECT pieces FROM redlock_guarded_stock").at(0) == "6");
}

BOOST_AUTO_TEST_CASE(a_database_that_cannot_be_reached_is_an_error) {
    program example(REDLOCK_EXAMPLES "/guarded_stock", {"postgresql:///test?host=/nowhere"});
    BOOST_TEST(example.status() == 1);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
