#include "network/transport/encryption.hpp"
#include "program.hpp"
#include "support/temporary_folder.hpp"

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <fstream>
#include <iterator>
#include <string_view>

namespace redlock::test {
namespace {

namespace json = boost::json;

std::string contents_of(const std::filesystem::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

BOOST_AUTO_TEST_SUITE(lock_bench)

BOOST_AUTO_TEST_CASE(a_quick_run_measures_everything) {
    const temporary_folder folder;
    const auto file = folder.path() / "figures.json";
    program bench(REDLOCK_BENCH, {"--quick", "--runs", "1", "--json", file});
    BOOST_TEST(bench.says("wire floor"));
    BOOST_TEST(bench.says("bytes of memory for a held, renewing lease"));
    BOOST_REQUIRE(bench.status() == 0);

    const json::value figures = json::parse(contents_of(file));
    for (const auto& load : figures.at("loads").as_array())
        for (const char* side : {"library", "floor", "fenced"}) {
            const auto& samples = load.at(side).as_array();
            BOOST_TEST(samples.size() == 1u);
            BOOST_TEST(samples[0].at("cycles").as_int64() > 0);
            BOOST_TEST(samples[0].at("cpu_microseconds_per_cycle").as_double() > 0);
            const bool is_floor = std::string_view(side) == "floor";
            BOOST_TEST((samples[0].at("records_per_cycle").as_double() > 0) == !is_floor);
            BOOST_TEST(samples[0].at("p99_microseconds").as_double() >=
                       samples[0].at("p50_microseconds").as_double());
        }
    BOOST_TEST(figures.at("loads").as_array().size() == 4u);
    BOOST_TEST(figures.at("checks").as_array().size() == 8u);
    BOOST_TEST(figures.at("bytes_per_lease").as_double() > 0);
    BOOST_TEST(figures.at("nanoseconds_per_record").as_double() > 0);
}

BOOST_AUTO_TEST_CASE(kinds_of_lock_are_compared_with_each_other) {
    const temporary_folder folder;
    const auto file = folder.path() / "figures.json";
    program bench(REDLOCK_BENCH, {"--kinds", "--quick", "--runs", "1", "--json", file});
    BOOST_TEST(bench.says("to excl."));
    BOOST_TEST(bench.says("p50 at 1 in flight of a set of four / of one"));
    BOOST_REQUIRE(bench.status() == 0);
    const json::value figures = json::parse(contents_of(file));
    for (const auto& load : figures.at("loads").as_array())
        for (const char* kind :
             {"exclusive", "read", "write", "again", "permit", "set of 1", "set of 4", "lead", "kept"}) {
            const auto& samples = load.at(kind).as_array();
            // Exclusive locks are measured beside each of the eight others.
            const bool others = std::string_view(kind) != "exclusive";
            BOOST_TEST(samples.size() == (others ? 1u : 8u));
            if (others) BOOST_TEST(load.at("exclusive_beside").at(kind).as_array().size() == 1u);
            BOOST_TEST(samples[0].at("cycles").as_int64() > 0);
            BOOST_TEST(samples[0].at("failures").as_int64() == 0);
        }
    BOOST_TEST(figures.at("checks").as_array().size() == 4u);
}

BOOST_AUTO_TEST_CASE(tls_is_compared_with_plain_connections) {
    const temporary_folder folder;
    const auto file = folder.path() / "figures.json";
    program bench(REDLOCK_BENCH, {"--tls", "--quick", "--runs", "1", "--json", file});
    if (!network::has_encryption()) {
        BOOST_TEST(bench.says("lock_bench: this is built without TLS"));
        BOOST_TEST(bench.status() == 3);
        return;
    }
    BOOST_TEST(bench.says("to plain"));
    BOOST_TEST(bench.says("throughput at 1024 in flight over TLS / plain"));
    BOOST_REQUIRE(bench.status() == 0);

    const json::value figures = json::parse(contents_of(file));
    BOOST_TEST(figures.at("loads").as_array().size() == 3u);
    for (const auto& load : figures.at("loads").as_array())
        for (const char* side : {"plain", "tls"}) {
            BOOST_TEST(load.at(side).as_array().size() == 1u);
            BOOST_TEST(load.at(side).at(0).at("cycles").as_int64() > 0);
            BOOST_TEST(load.at(side).at(0).at("failures").as_int64() == 0);
        }
    BOOST_TEST(figures.at("checks").as_array().size() == 2u);
}

BOOST_AUTO_TEST_CASE(wrong_arguments_are_refused) {
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"--runs"}, {"--runs", "0"}, {"--runs", "2x"}, {"--slow"}, {"quick"}}) {
        program bench(REDLOCK_BENCH, arguments);
        BOOST_TEST(bench.status() == 2);
    }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
