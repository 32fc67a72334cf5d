#include "resp/feeding.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>

namespace redlock::test {
namespace {

std::string nested(std::size_t depth) {
    std::string bytes;
    for (std::size_t i = 0; i < depth; ++i)
        bytes += "*1\r\n";
    return bytes + ":1\r\n";
}

/// Checks that `bytes` are one message, however they arrive.
void accept(std::string_view bytes, resp::limits limits) {
    for (const std::size_t piece : {whole, std::size_t{1}}) {
        const auto seen = feed(bytes, piece, limits);
        BOOST_TEST(seen.problem == "");
        BOOST_TEST(seen.messages.size() == 1U);
    }
}

/// Checks that `bytes` are refused, however they arrive, with this problem.
void refuse(std::string_view bytes, std::string_view problem, resp::limits limits) {
    for (const std::size_t piece : {whole, std::size_t{1}}) {
        const auto seen = feed(bytes, piece, limits);
        BOOST_TEST(seen.problem == problem);
        BOOST_TEST(seen.messages.empty());
    }
}

BOOST_AUTO_TEST_SUITE(limit_suite)

BOOST_AUTO_TEST_CASE(depth) {
    accept(nested(8), {});
    refuse(nested(9), "aggregates nested too deep; the limit is 8", {});
    accept(nested(1), {.depth = 1});
    refuse(nested(2), "aggregates nested too deep; the limit is 1", {.depth = 1});
    accept(nested(0), {.depth = 0});
    accept("*-1\r\n", {.depth = 0});
    refuse("*0\r\n", "aggregates nested too deep; the limit is 0", {.depth = 0});
    accept(nested(1000), {.depth = 1000});
}

BOOST_AUTO_TEST_CASE(depth_is_that_of_one_place_not_of_the_whole_message) {
    accept("*3\r\n*1\r\n:1\r\n*1\r\n:2\r\n*1\r\n:3\r\n", {.depth = 2});
    accept("*2\r\n|1\r\n:1\r\n:2\r\n*0\r\n*0\r\n", {.depth = 2});
}

BOOST_AUTO_TEST_CASE(elements) {
    const resp::limits three{.elements = 3};
    accept("*3\r\n:1\r\n:2\r\n:3\r\n", three);
    accept("*1\r\n%1\r\n:2\r\n:3\r\n", three);
    accept("|1\r\n:1\r\n:2\r\n*1\r\n:3\r\n", three);
    refuse("*4\r\n:1\r\n:2\r\n:3\r\n:4\r\n", "too many elements in one message; the limit is 3", three);
    refuse("*2\r\n%1\r\n:2\r\n:3\r\n:4\r\n", "too many elements in one message; the limit is 3", three);
    refuse("|1\r\n:1\r\n:2\r\n*2\r\n:3\r\n:4\r\n", "too many elements in one message; the limit is 3", three);
    BOOST_TEST(feed("*3\r\n_\r\n_\r\n_\r\n~3\r\n_\r\n_\r\n_\r\n", 1, three).messages.size() == 2U);
}

BOOST_AUTO_TEST_CASE(bytes_of_a_message) {
    const resp::limits sixteen{.message = 16};
    accept("$9\r\n123456789\r\n", {.message = 15});
    accept("$10\r\n1234567890\r\n", {.message = 17});
    accept("+12345678901\r\n", {.message = 14});
    accept("*3\r\n:1\r\n:2\r\n:3\r\n", sixteen);
    accept("|1\r\n_\r\n_\r\n:12\r\n", {.message = 15});
    refuse("$10\r\n1234567890\r\n", "a message of too many bytes; the limit is 16", sixteen);
    refuse("+12345678901234\r\n", "a message of too many bytes; the limit is 16", sixteen);
    refuse("*3\r\n:1\r\n:2\r\n:33\r\n", "a message of too many bytes; the limit is 16", sixteen);
    refuse("|1\r\n:1\r\n:2\r\n+OK\r\n", "a message of too many bytes; the limit is 16", sixteen);
    refuse("+OK\r\n", "a message of too many bytes; the limit is 4", {.message = 4});
    BOOST_TEST(feed("$9\r\n123456789\r\n+OK\r\n$9\r\n123456789\r\n", 7, sixteen).messages.size() == 3U);
}

BOOST_AUTO_TEST_CASE(bytes_of_a_line) {
    const resp::limits hundred{.line = 100};
    const std::string text(100, 'a');
    accept('+' + text + "\r\n", hundred);
    accept('-' + text + "\r\n", hundred);
    accept('(' + std::string(100, '7') + "\r\n", hundred);
    accept("$101\r\n" + text + "a\r\n", hundred);
    refuse('+' + text + "a\r\n", "a line with too many bytes; the limit is 100", hundred);
    refuse(',' + std::string(101, '7') + "\r\n", "a line with too many bytes; the limit is 100", hundred);
}

BOOST_AUTO_TEST_CASE(a_limit_for_lines_below_64_is_64) {
    accept('+' + std::string(64, 'a') + "\r\n", {.line = 1});
    refuse('+' + std::string(65, 'a') + "\r\n", "a line with too many bytes; the limit is 64", {.line = 1});
}

BOOST_AUTO_TEST_CASE(the_defaults_take_a_message_of_one_mebibyte) {
    const std::string text(1024 * 1024 - 10 - 2, 'x');
    accept("$1048564\r\n" + text + "\r\n", {});
}

BOOST_AUTO_TEST_CASE(work_is_linear_however_small_the_pieces) {
    // Quadratic work would take these many minutes.
    const resp::limits roomy{.message = 4'000'000, .elements = 1'000'000, .line = 4'000'000};
    const auto start = std::chrono::steady_clock::now();
    accept('+' + std::string(2'000'000, 'x') + "\r\n", roomy);
    accept("$2000000\r\n" + std::string(2'000'000, 'x') + "\r\n", roomy);
    std::string many = "*500000\r\n";
    for (int i = 0; i < 500'000; ++i)
        many += "_\r\n";
    resp::reader reader(roomy);
    resp::reply reply;
    std::size_t messages = 0;
    for (const char byte : many) {
        reader.prepare()[0] = byte;
        reader.commit(1);
        if (reader.next(reply) == resp::read_status::complete) ++messages;
    }
    BOOST_TEST(messages == 1U);
    BOOST_TEST((std::chrono::steady_clock::now() - start < std::chrono::seconds(30)));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
