#include "program.hpp"
#include "support/temporary_folder.hpp"

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <fstream>
#include <iterator>

namespace redlock::test {
namespace {

namespace json = boost::json;

std::string contents_of(const std::filesystem::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

BOOST_AUTO_TEST_SUITE(contention_bench)

BOOST_AUTO_TEST_CASE(a_quick_run_gives_figures_and_charts) {
    const temporary_folder folder;
    const auto file = folder.path() / "figures.json";
    program bench(REDLOCK_CONTENTION_BENCH, {"--quick", "--only", "crowd", "--json", file});
    BOOST_TEST(bench.says("floor cycle p50"));
    BOOST_REQUIRE(bench.status() == 0);

    const json::value figures = json::parse(contents_of(file));
    BOOST_TEST(figures.at("floor_cycle_p50_microseconds").as_double() > 0);
    BOOST_TEST(figures.at("ping_p50_microseconds").as_double() > 0);
    for (const auto& result : figures.at("results").as_array()) {
        BOOST_TEST_CONTEXT(result) {
            BOOST_TEST(result.at("overlaps").to_number<int>() == 0);
            BOOST_TEST(result.at("grants_per_second").as_double() > 0);
            BOOST_TEST(result.at("commands_per_grant").as_double() > 0);
        }
    }
    BOOST_TEST(figures.at("results").as_array().size() == 7u);

    program plot(REDLOCK_PLOT, {file, folder.path()});
    BOOST_TEST(plot.status() == 0);
    for (const char* chart : {"hand-off.svg", "grants.svg"}) {
        const std::string drawn = contents_of(folder.path() / chart);
        BOOST_TEST(drawn.starts_with("<svg"));
        BOOST_TEST(drawn.find("NaN") == drawn.npos);
    }
}

BOOST_AUTO_TEST_CASE(hand_offs_stand_beside_those_of_bare_sockets) {
    const temporary_folder folder;
    const auto file = folder.path() / "figures.json";
    program bench(REDLOCK_CONTENTION_BENCH, {"--quick", "--only", "hand-off", "--json", file});
    BOOST_TEST(bench.says("hand-off over bare sockets"));
    BOOST_REQUIRE(bench.status() == 0);

    const json::value figures = json::parse(contents_of(file));
    const auto& rounds = figures.at("handoff_rounds").as_array();
    BOOST_TEST(rounds.size() == 3u);
    for (const auto& round : rounds)
        for (const auto& figure : round.as_object())
            if (figure.key() != "stolen") BOOST_TEST(figure.value().as_double() > 0, figure.key());
    std::size_t bare = 0;
    for (const auto& result : figures.at("results").as_array()) {
        BOOST_TEST(result.at("overlaps").to_number<int>() == 0);
        bare += result.at("contender").as_string() == "bare sockets";
    }
    BOOST_TEST(bare == 1u);
}

BOOST_AUTO_TEST_CASE(wrong_arguments_are_refused) {
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"--only"}, {"--json"}, {"--slow"}, {"quick"}}) {
        program bench(REDLOCK_CONTENTION_BENCH, arguments);
        BOOST_TEST(bench.status() == 2);
    }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
