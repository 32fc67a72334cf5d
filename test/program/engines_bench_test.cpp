#include "program.hpp"
#include "support/temporary_folder.hpp"

#include <boost/json/parse.hpp>
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

BOOST_AUTO_TEST_CASE(a_quick_run_measures_each_engine_that_it_is_told_to) {
    const temporary_folder folder;
    const auto file = folder.path() / "figures.json";
    std::vector<std::string> words{"--quick", "--json", file};
    const std::vector<std::string> engines = engines_here();
    for (const std::string& engine : engines)
        words.insert(words.end(), {"--only", engine});
    program bench(REDLOCK_ENGINES_BENCH, words);
    BOOST_TEST(bench.says("hand-off"));
    for (const std::string& engine : engines)
        BOOST_TEST(bench.says(engine));
    BOOST_TEST(bench.says("share of a core that renewing 10000 leases takes"));
    BOOST_REQUIRE(bench.status() == 0);

    const json::value figures = figures_in(file);
    BOOST_REQUIRE(figures.at("engines").as_array().size() == engines.size());
    for (const auto& engine : figures.at("engines").as_array())
        BOOST_TEST_CONTEXT(engine.at("engine")) {
            const bool has_usual = engine.at("usual_client").is_string();
            for (const auto& load : engine.at("loads").as_array()) {
                BOOST_TEST(load.at("library").at(0).at("cycles").as_int64() > 0);
                BOOST_TEST(load.at("usual").as_array().size() == (has_usual ? 1u : 0u));
            }
            for (const char* crowd : {"two_clients", "eight_clients"}) {
                BOOST_TEST(engine.at(crowd).at(0).at("hand_offs").as_int64() > 0);
                BOOST_TEST(engine.at(crowd).at(0).at("overlaps").as_int64() == 0);
            }
            BOOST_TEST(engine.at("renewals").at(0).at("renewals").as_int64() > 0);
            BOOST_TEST(engine.at("renewals").at(0).at("lost").as_int64() == 0);
        }
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
