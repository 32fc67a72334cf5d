#include "engines/redis/resp/command.hpp"
#include "resp/feeding.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>

namespace redlock::test {
namespace {

std::string encoded(std::initializer_list<std::string_view> args) {
    std::string out;
    resp::append_command(out, args);
    return out;
}

BOOST_AUTO_TEST_SUITE(command_suite)

BOOST_AUTO_TEST_CASE(is_an_array_of_bulk_strings) {
    BOOST_TEST(encoded({"PING"}) == "*1\r\n$4\r\nPING\r\n");
    BOOST_TEST(encoded({"SET", "k", "v", "NX", "PX", "1000"}) ==
               "*6\r\n$3\r\nSET\r\n$1\r\nk\r\n$1\r\nv\r\n$2\r\nNX\r\n$2\r\nPX\r\n$4\r\n1000\r\n");
}

BOOST_AUTO_TEST_CASE(takes_any_bytes_and_nothing) {
    BOOST_TEST(encoded({"ECHO", ""}) == "*2\r\n$4\r\nECHO\r\n$0\r\n\r\n");
    BOOST_TEST(encoded({"ECHO", std::string_view{}}) == "*2\r\n$4\r\nECHO\r\n$0\r\n\r\n");
    BOOST_TEST(encoded({"ECHO", {"\r\n\0\xff", 4}}) ==
               std::string("*2\r\n$4\r\nECHO\r\n$4\r\n\r\n\0\xff\r\n", 24));
}

BOOST_AUTO_TEST_CASE(appends_to_what_is_there) {
    std::string out = "before";
    resp::append_command(out, {"A"});
    resp::append_command(out, {"B"});
    BOOST_TEST(out == "before*1\r\n$1\r\nA\r\n*1\r\n$1\r\nB\r\n");
}

BOOST_AUTO_TEST_CASE(lengths_of_every_number_of_digits) {
    for (const std::size_t size : {0U, 1U, 9U, 10U, 99U, 100U, 999U, 1000U, 9999U, 10'000U, 100'000U}) {
        const std::string text(size, 'x');
        const auto bytes = encoded({text});
        BOOST_TEST(bytes == "*1\r\n$" + std::to_string(size) + "\r\n" + text + "\r\n");
        const decoding expected{{"*[\"" + text + "\"]"}, ""};
        BOOST_TEST(feed(bytes, whole) == expected);
    }
    const std::vector<std::string_view> args(12'345, "a");
    std::string out;
    resp::append_command(out, args);
    BOOST_TEST(out.starts_with("*12345\r\n$1\r\na\r\n"));
    BOOST_TEST(out.size() == 8 + 12'345 * 7U);
}

BOOST_AUTO_TEST_CASE(numbers_in_decimal) {
    BOOST_TEST(resp::decimal(0).text() == "0");
    BOOST_TEST(resp::decimal(-7).text() == "-7");
    BOOST_TEST(resp::decimal(std::numeric_limits<std::int64_t>::min()).text() == "-9223372036854775808");
    BOOST_TEST(resp::decimal(std::numeric_limits<std::uint64_t>::max()).text() == "18446744073709551615");
    BOOST_TEST(encoded({"PEXPIRE", "k", resp::decimal(30'000L)}) ==
               "*3\r\n$7\r\nPEXPIRE\r\n$1\r\nk\r\n$5\r\n30000\r\n");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
