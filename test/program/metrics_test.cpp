#include "http_get.hpp"
#include "program.hpp"
#include "support/eventually.hpp"
#include "support/node_set.hpp"
#ifdef REDLOCK_PROMETHEUS
#include "prometheus_server.hpp"
#endif

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <fstream>
#include <iterator>
#include <regex>
#include <set>

namespace redlock::test {
namespace {

namespace json = boost::json;

struct orders_server {
    node_set nodes{3};
    program server{REDLOCK_EXAMPLES "/http_orders", nodes.uris()};
    std::uint16_t port = port_of(server.line_with("listening on port ").value_or("0"));

    static std::uint16_t port_of(const std::string& line) {
        return static_cast<std::uint16_t>(std::stoi(line.substr(line.find_last_of(' ') + 1)));
    }
};

/// The names of metrics in expressions that stand anywhere in the value.
void gather_metrics(const json::value& v, std::set<std::string>& names) {
    static const std::regex name("redlock_[a-z_]+");
    if (const auto* all = v.if_array())
        for (const json::value& each : *all)
            gather_metrics(each, names);
    if (const auto* members = v.if_object())
        for (const auto& [key, value] : *members) {
            const bool is_expression = (key == "expr" || key == "query") && value.is_string();
            if (!is_expression) {
                gather_metrics(value, names);
                continue;
            }
            const std::string text(value.as_string());
            names.insert(std::sregex_token_iterator(text.begin(), text.end(), name),
                         std::sregex_token_iterator());
        }
}

BOOST_FIXTURE_TEST_SUITE(metrics, orders_server)

BOOST_AUTO_TEST_CASE(every_metric_of_the_dashboard_is_exposed) {
    std::ifstream file(REDLOCK_DASHBOARD);
    const json::value dashboard = json::parse(std::string(std::istreambuf_iterator<char>(file), {}));
    std::set<std::string> used;
    gather_metrics(dashboard, used);
    BOOST_TEST(used.size() > 15u);
    const std::string exposed = '\n' + http_get(port, "/metrics").value_or("");
    for (const std::string& name : used) {
        const bool is_there = exposed.find('\n' + name + '{') != std::string::npos ||
                              exposed.find('\n' + name + ' ') != std::string::npos;
        BOOST_TEST(is_there, name);
    }
}

#ifdef REDLOCK_PROMETHEUS
/// The value of the one series that the answer has; nothing when there is none yet.
std::optional<std::string> value_in(const std::string& answer) {
    const json::value data = json::parse(answer);
    BOOST_REQUIRE(data.at("status").as_string() == "success");
    const auto& result = data.at("data").at("result").as_array();
    if (result.size() != 1) return std::nullopt;
    return std::string(result[0].at("value").as_array().at(1).as_string());
}

BOOST_AUTO_TEST_CASE(prometheus_scrapes_an_http_server) {
    for (int order = 0; order < 3; ++order)
        BOOST_REQUIRE(http_get(port, "/orders/" + std::to_string(order)).has_value());
    const prometheus_server prometheus(port);
    const auto becomes = [&](const std::string& expression, const std::string& value) {
        return eventually([&] { return value_in(prometheus.query(expression)) == value; });
    };
    BOOST_TEST(becomes("redlock_grants_total", "3"));
    BOOST_TEST(becomes("redlock_acquire_seconds_count", "3"));
    BOOST_TEST(becomes("sum(redlock_node_state{state=\"ready\"})", "3"));
    BOOST_TEST(becomes("histogram_quantile(0.5, redlock_hold_seconds_bucket) > bool 0.02", "1"));
}
#endif

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
