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

const std::string drawn_by = "REDLOCK_DRAW_CHARTS=" REDLOCK_DRAW_CHARTS;

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

    program plot("/usr/bin/env", {drawn_by, REDLOCK_PLOT, file, folder.path()});
    BOOST_TEST(plot.status() == 0);
    const std::string drawn = contents_of(folder.path() / "grants.svg");
    BOOST_TEST(drawn.starts_with("<svg"));
    BOOST_TEST(drawn.find("NaN") == drawn.npos);
    BOOST_TEST(drawn.find("prefers-color-scheme: dark") != drawn.npos);
    BOOST_TEST(drawn.find("(logarithmic scale)</text>") != drawn.npos);
    BOOST_TEST(drawn.find("font-weight: bold") < drawn.find("class=\"title\""));
    BOOST_TEST(drawn.find("class=\"title\"") != drawn.npos);
    // Of scenarios that were not run there is none.
    BOOST_TEST(!std::filesystem::exists(folder.path() / "hand-off.svg"));
}

// Figures whose first digits a number of three digits is rounded up to, and which are easily written as
// powers.
BOOST_AUTO_TEST_CASE(charts_of_peers_have_figures_for_people) {
    const temporary_folder folder;
    const auto charts = std::filesystem::path(REDLOCK_PLOT).parent_path() / "peers/charts.mjs";
    const std::string script =
        "import { drawCharts } from '" + charts.string() +
        "'; const of = (n) => ({ name: 'n' + n, eight_processes: { grants_per_second: n }, "
        "inflight_1024: { cycles: n, seconds: 1 } }); "
        "drawCharts({ results: [99.6, 99.96, 0.25, 111963].map(of) }, '" +
        folder.path().string() + "')";
    program node("/usr/bin/env", {drawn_by, "node", "--input-type=module", "-e", script});
    BOOST_TEST(node.status() == 0);
    for (const char* chart : {"peers-contention.svg", "peers-throughput.svg"}) {
        const std::string drawn = contents_of(folder.path() / chart);
        for (const char* figure : {">99.6<", ">100<", ">0.25<", ">111,963<", ">1,000,000<"})
            BOOST_TEST(drawn.find(figure) != drawn.npos, figure);
        BOOST_TEST(drawn.find("e+") == drawn.npos);
        // No line of the scale strikes them through.
        BOOST_TEST(drawn.find("paint-order:stroke") < drawn.find("<text class=\"ink figure\""));
        BOOST_TEST(drawn.find("<text class=\"ink figure\"") != drawn.npos);
        BOOST_TEST(drawn.find("prefers-color-scheme: dark") != drawn.npos);
        BOOST_TEST(drawn.find("(logarithmic scale)</text>") != drawn.npos);
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

BOOST_AUTO_TEST_CASE(kinds_of_lock_stand_beside_each_other) {
    const temporary_folder folder;
    const auto file = folder.path() / "figures.json";
    program bench(REDLOCK_CONTENTION_BENCH, {"--quick", "--only", "kind 8 x 1 ", "--json", file});
    BOOST_TEST(bench.says("95 % read"));
    BOOST_REQUIRE(bench.status() == 0);

    const json::value figures = json::parse(contents_of(file));
    BOOST_TEST(figures.at("results").as_array().size() == 12u);
    for (const auto& result : figures.at("results").as_array()) {
        BOOST_TEST_CONTEXT(result) {
            BOOST_TEST(result.at("overlaps").to_number<int>() == 0);
            BOOST_TEST(result.at("failures").to_number<int>() == 0);
            BOOST_TEST(result.at("grants_per_second").as_double() > 0);
        }
    }
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
