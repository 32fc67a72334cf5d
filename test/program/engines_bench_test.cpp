#include "program.hpp"
#include "support/temporary_folder.hpp"

#include <boost/json/parse.hpp>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace redlock::test {
namespace {

namespace json = boost::json;

json::value figures_in(const std::filesystem::path& file) {
    std::ifstream in(file);
    return json::parse(std::string(std::istreambuf_iterator<char>(in), {}));
}

BOOST_AUTO_TEST_SUITE(engines_bench)

// Whose servers are to be had here: names with a space between them.
std::vector<std::string> engines_here() {
    std::istringstream names(REDLOCK_BENCH_ENGINES);
    return {std::istream_iterator<std::string>(names), {}};
}

BOOST_DATA_TEST_CASE(a_quick_run_measures_the_engine_that_it_is_told_to,
                     boost::unit_test::data::make(engines_here()), engine) {
    const temporary_folder folder;
    const auto file = folder.path() / "figures.json";
    program bench(REDLOCK_ENGINES_BENCH, {"--quick", "--json", file, "--only", engine});
    BOOST_TEST(bench.says("hand-off"));
    BOOST_TEST(bench.says(engine));
    BOOST_TEST(bench.says("share of a core that renewing 10000 leases takes"));
    BOOST_REQUIRE(bench.status() == 0);

    const json::value figures = figures_in(file);
    BOOST_REQUIRE(figures.at("engines").as_array().size() == 1u);
    const json::value& seen = figures.at("engines").at(0);
    BOOST_TEST(seen.at("engine").as_string() == engine);
    const bool has_usual = seen.at("usual_client").is_string();
    for (const auto& load : seen.at("loads").as_array()) {
        BOOST_TEST(load.at("library").at(0).at("cycles").as_int64() > 0);
        BOOST_TEST(load.at("usual").as_array().size() == (has_usual ? 1u : 0u));
        if (has_usual) BOOST_TEST(load.at("usual").at(0).at("cycles").as_int64() > 0);
        for (const auto& other : load.at("others").as_array()) {
            BOOST_TEST_INFO(other.at("client").as_string());
            BOOST_REQUIRE(other.at("samples").as_array().size() == 1u);
            const json::value& measured = other.at("samples").at(0);
            BOOST_TEST(measured.at("cycles").as_int64() > 0);
            BOOST_TEST(measured.at("failures").as_int64() == 0);
            BOOST_TEST(measured.at("p50_microseconds").to_number<double>() > 0);
        }
    }
    for (const char* crowd : {"two_clients", "eight_clients"}) {
        BOOST_TEST(seen.at(crowd).at(0).at("hand_offs").as_int64() > 0);
        BOOST_TEST(seen.at(crowd).at(0).at("overlaps").as_int64() == 0);
    }
    BOOST_TEST(seen.at("renewals").at(0).at("renewals").as_int64() > 0);
    BOOST_TEST(seen.at("renewals").at(0).at("lost").as_int64() == 0);
}

BOOST_AUTO_TEST_CASE(arguments_that_it_does_not_know_are_refused_by_name) {
    for (const std::vector<std::string>& wrong :
         {std::vector<std::string>{"--only"}, {"--only", "paper"}, {"--runs", "0"}, {"--fast"}}) {
        program bench(REDLOCK_ENGINES_BENCH, wrong);
        BOOST_TEST(bench.status() == 2);
    }
    program help(REDLOCK_ENGINES_BENCH, {"--help"});
    BOOST_TEST(help.says("redis-5"));
    BOOST_TEST(help.status() == 0);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
