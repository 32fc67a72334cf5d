#include "session/hostile_run.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

namespace redlock::test {
namespace {

using engine = std::mt19937_64;

std::vector<std::string> kept_corpus() {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(REDLOCK_TEST_CORPUS "/node"))
        files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::vector<std::string> programs;
    for (const auto& file : files) {
        std::ifstream in(file, std::ios::binary);
        programs.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    }
    return programs;
}

std::size_t below(engine& random, std::size_t limit) {
    return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random);
}

char any_byte(engine& random) { return static_cast<char>(below(random, 256)); }

BOOST_AUTO_TEST_SUITE(fuzz_suite)

BOOST_AUTO_TEST_CASE(a_node_keeps_its_promises_under_every_program_of_the_kept_corpus) {
    const auto corpus = kept_corpus();
    BOOST_TEST(corpus.size() > 20U);
    for (const auto& program : corpus)
        BOOST_TEST(hostile_run(program) == "");
}

BOOST_AUTO_TEST_CASE(a_node_keeps_its_promises_under_changed_programs) {
    const auto corpus = kept_corpus();
    for (std::uint64_t seed = 1; seed <= 4'000; ++seed) {
        engine random(seed);
        std::string program = corpus[below(random, corpus.size())];
        for (auto changes = 1 + below(random, 6); changes > 0; --changes) {
            const auto& other = corpus[below(random, corpus.size())];
            const auto at = below(random, program.size() + 1);
            if (below(random, 2) == 0)
                program.insert(at, other, below(random, other.size() + 1), 1 + below(random, 24));
            else
                program.insert(at, 1, any_byte(random));
        }
        BOOST_TEST_INFO("seed " << seed);
        BOOST_TEST(hostile_run(program) == "");
    }
}

BOOST_AUTO_TEST_CASE(a_node_keeps_its_promises_under_random_programs) {
    for (std::uint64_t seed = 1; seed <= 4'000; ++seed) {
        engine random(seed);
        std::string program(below(random, 300), ' ');
        for (auto& byte : program)
            byte = any_byte(random);
        BOOST_TEST_INFO("seed " << seed);
        BOOST_TEST(hostile_run(program) == "");
    }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
