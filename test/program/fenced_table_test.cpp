#include "program.hpp"
#include "support/node_set.hpp"
#include "support/postgres_server.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace redlock::test {
namespace {

struct nodes_and_table {
    node_set nodes{5};
    postgres_server database;

    std::vector<std::string> arguments() const {
        std::vector<std::string> words = nodes.uris();
        words.insert(words.begin(), database.conninfo());
        return words;
    }
};

/// The number after "token" in the next line that contains the text; 0 when there is none.
std::uint64_t token_in(program& example, const std::string& text) {
    const auto line = example.line_with(text);
    if (!line) return 0;
    return std::stoull(line->substr(line->find("token ") + 6));
}

BOOST_AUTO_TEST_SUITE(fenced_table)

BOOST_FIXTURE_TEST_CASE(only_the_row_without_a_fence_takes_the_late_write, nodes_and_table) {
    program example(REDLOCK_EXAMPLES "/fenced_table", arguments());
    const auto old_token = token_in(example, "A with token");
    const auto token = token_in(example, "B with token");
    BOOST_TEST(old_token > 0u);
    BOOST_TEST(token > old_token);
    BOOST_TEST(example.says("fenced: B writes 7: taken, 1 row"));
    BOOST_TEST(example.says("bare: B writes 7: taken, 1 row"));
    BOOST_TEST(example.says("A is late, its lease is over"));
    BOOST_TEST(example.says("fenced: A writes 9: refused, 0 rows"));
    BOOST_TEST(example.says("bare: A writes 9: taken, 1 row"));
    BOOST_TEST(example.says("optimistic: B writes 7: taken, 1 row"));
    BOOST_TEST(example.says("optimistic: A writes 9: refused, 0 rows"));
    BOOST_TEST(example.says("optimistic: A writes 6: taken, 1 row"));
    BOOST_TEST(example.status() == 0);
    BOOST_TEST(nodes.holders("stock") == 0u);

    const std::vector<std::string> rows{"bare|9|0", "fenced|7|" + std::to_string(token), "optimistic|6|0"};
    const auto found = database.query("SELECT item, pieces, fence FROM redlock_stock ORDER BY item");
    BOOST_TEST(found == rows, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_database_that_cannot_be_reached_is_an_error) {
    program example(REDLOCK_EXAMPLES "/fenced_table", {"host=/nowhere", "unix:///nowhere"});
    BOOST_TEST(example.status() == 1);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
