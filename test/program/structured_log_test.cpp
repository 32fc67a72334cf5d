#include "program.hpp"
#include "support/node_set.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>

namespace redlock::test {
namespace {

namespace json = boost::json;

struct log_lines {
    node_set nodes{3};
    program example{REDLOCK_EXAMPLES "/structured_log", nodes.uris()};
    std::vector<json::object> lines = read_all();

    std::vector<json::object> read_all() {
        std::vector<json::object> all;
        while (const auto line = example.line_with(""))
            all.push_back(json::parse(*line).as_object());
        return all;
    }

    /// The lines about keys of one client, in order.
    std::vector<json::object> of_keys(const std::string& client) const {
        std::vector<json::object> some;
        std::ranges::copy_if(lines, std::back_inserter(some), [&](const json::object& line) {
            return line.at("client").as_string() == client && line.contains("key");
        });
        return some;
    }

    static std::string events(const std::vector<json::object>& some) {
        std::string all;
        for (const json::object& line : some)
            all.append(line.at("event").as_string()) += ' ';
        return all;
    }
};

BOOST_FIXTURE_TEST_SUITE(structured_log, log_lines)

BOOST_AUTO_TEST_CASE(every_line_is_an_object_that_says_what_happened) {
    BOOST_REQUIRE(example.status() == 0);
    const auto shop = of_keys("shop");
    BOOST_TEST(events(shop) == "waiting granted handed_over granted released ");
    BOOST_TEST(events(of_keys("rival")) == "refused ");
    for (const json::object& line : shop) {
        BOOST_TEST(line.at("key").as_string() == "order \"17\"\nof today");
        BOOST_TEST(line.at("time_ms").as_int64() > 1'600'000'000'000);
    }
    BOOST_REQUIRE(shop.size() == 5u);
    BOOST_TEST(shop[1].at("waited_ms").as_double() > 0);
    BOOST_TEST(shop[2].at("held_ms").as_double() > 0);
    BOOST_TEST(of_keys("rival").at(0).at("why").as_string() == "somebody else holds the key");
}

BOOST_AUTO_TEST_CASE(nodes_are_in_the_log_too) {
    for (const char* client : {"shop", "rival"}) {
        const auto ready = std::ranges::count_if(lines, [&](const json::object& line) {
            return line.at("client").as_string() == client &&
                   line.at("event").as_string() == "node_changed" && line.at("ready").as_bool();
        });
        BOOST_TEST(ready >= 2); // a majority: the last may have come too late
    }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
