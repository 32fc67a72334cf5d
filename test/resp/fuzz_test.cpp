#include "resp/agreement.hpp"
#include "resp/feeding.hpp"
#include "resp/random_value.hpp"
#include "resp/sample.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace redlock::test {
namespace {

using engine = std::mt19937_64;

std::vector<std::string> kept_corpus() {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(REDLOCK_TEST_CORPUS "/resp"))
        files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::vector<std::string> inputs{std::string(sample)};
    for (const auto& file : files) {
        std::ifstream in(file, std::ios::binary);
        inputs.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    }
    return inputs;
}

std::size_t below(engine& random, std::size_t limit) {
    return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random);
}

char likely_byte(engine& random) {
    constexpr std::string_view bytes = "+-:$*_#,(!=%~>|?\r\n0123456789tfinae.";
    return random() % 8 == 0 ? static_cast<char>(random() % 256) : bytes[below(random, bytes.size())];
}

/// Changes the input in one place.
void mutate(std::string& input, const std::vector<std::string>& corpus, engine& random) {
    const auto at = below(random, input.size() + 1);
    const auto size = below(random, 9);
    switch (below(random, 6)) {
    case 0:
        input.insert(at, 1, likely_byte(random));
        break;
    case 1:
        input.erase(at, size);
        break;
    case 2:
        input.insert(at, input.substr(below(random, input.size() + 1), size));
        break;
    case 3:
        input.insert(at, corpus[below(random, corpus.size())]);
        break;
    case 4:
        input.resize(at);
        break;
    default:
        if (at < input.size()) input[at] = likely_byte(random);
    }
}

BOOST_AUTO_TEST_SUITE(fuzz_suite)

BOOST_AUTO_TEST_CASE(the_kept_corpus_reads_the_same_in_any_pieces) {
    const auto corpus = kept_corpus();
    BOOST_TEST(corpus.size() > 20U);
    for (const auto& input : corpus)
        BOOST_TEST(disagreement(input, 1).value_or("") == "");
}

BOOST_AUTO_TEST_CASE(mutations_of_the_corpus_read_the_same_in_any_pieces) {
    const auto corpus = kept_corpus();
    for (std::uint64_t seed = 1; seed <= 40'000; ++seed) {
        engine random(seed);
        std::string input = corpus[below(random, corpus.size())];
        for (auto changes = below(random, 4); changes > 0; --changes)
            mutate(input, corpus, random);
        const auto difference = disagreement(input, seed);
        BOOST_TEST_INFO("seed " << seed);
        BOOST_TEST(difference.value_or("") == "");
    }
}

BOOST_AUTO_TEST_CASE(random_bytes_read_the_same_in_any_pieces) {
    for (std::uint64_t seed = 1; seed <= 40'000; ++seed) {
        engine random(seed);
        std::string input(below(random, 40), ' ');
        for (auto& byte : input)
            byte = likely_byte(random);
        const auto difference = disagreement(input, seed);
        BOOST_TEST_INFO("seed " << seed);
        BOOST_TEST(difference.value_or("") == "");
    }
}

BOOST_AUTO_TEST_CASE(well_formed_values_are_read_as_what_they_are) {
    for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
        engine random(seed);
        decoding expected;
        std::string bytes;
        for (int i = 0; i < 5; ++i) {
            const auto value = random_value(random, 4);
            bytes += value.bytes;
            expected.messages.push_back(value.text);
        }
        resp::reader reader;
        const auto seen = feed(reader, bytes, [&] { return 1 + below(random, 3000); });
        BOOST_TEST_INFO("seed " << seed);
        BOOST_TEST((seen == expected));
    }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
