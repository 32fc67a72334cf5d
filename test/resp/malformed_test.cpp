#include "resp/feeding.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <ostream>

namespace redlock::test {
namespace {

using namespace std::literals;

/// Input of which the last byte, and none before it, shows that it is malformed.
struct bad_input {
    std::string bytes;
    std::string_view problem;
};

std::ostream& operator<<(std::ostream& out, const bad_input& input) {
    return out << input.bytes.substr(0, 40) << ": " << input.problem;
}

std::string repeated(std::string_view text, std::size_t times) {
    std::string all;
    while (times-- > 0)
        all += text;
    return all;
}

const std::vector<bad_input> bad_inputs{
    {"H", "a byte that begins no value"},
    {"\0"s, "a byte that begins no value"},
    {"\n", "a byte that begins no value"},
    {"+OK\r\n\xff", "a byte that begins no value"},
    {".", "a byte that begins no value"},
    {";", "a byte that begins no value"},
    {"+OK\n", "a line that does not end in CR LF"},
    {"+OK\rx", "a line that does not end in CR LF"},
    {"-ERR\n", "a line that does not end in CR LF"},
    {":1\r\r", "a line that does not end in CR LF"},
    {"$1\rx", "a line that does not end in CR LF"},
    {"_\r_", "a line that does not end in CR LF"},
    {":x", "an integer that is not one or needs more than 64 bits"},
    {":\r", "an integer that is not one or needs more than 64 bits"},
    {":--", "an integer that is not one or needs more than 64 bits"},
    {":-\r", "an integer that is not one or needs more than 64 bits"},
    {":12a", "an integer that is not one or needs more than 64 bits"},
    {":1.", "an integer that is not one or needs more than 64 bits"},
    {":9223372036854775808", "an integer that is not one or needs more than 64 bits"},
    {":-9223372036854775809", "an integer that is not one or needs more than 64 bits"},
    {":00000000000000000000", "an integer that is not one or needs more than 64 bits"},
    {"$-2", "a length that is not a number of 0 or more"},
    {"$-1x", "a length that is not a number of 0 or more"},
    {"$-\r", "a length that is not a number of 0 or more"},
    {"*-0", "a length that is not a number of 0 or more"},
    {"%-", "a length that is not a number of 0 or more"},
    {"~-", "a length that is not a number of 0 or more"},
    {">-", "a length that is not a number of 0 or more"},
    {"|-", "a length that is not a number of 0 or more"},
    {"!-", "a length that is not a number of 0 or more"},
    {"=-", "a length that is not a number of 0 or more"},
    {"$+", "a length that is not a number of 0 or more"},
    {"$\r", "a length that is not a number of 0 or more"},
    {"*1 ", "a length that is not a number of 0 or more"},
    {",x", "a real number that is not one"},
    {",1,", "a real number that is not one"},
    {",\r\n", "a real number that is not one"},
    {",1.2.3\r\n", "a real number that is not one"},
    {",+-1\r\n", "a real number that is not one"},
    {",1e999\r\n", "a real number that is not one"},
    {"(1a", "a big number that is not one"},
    {"(\r\n", "a big number that is not one"},
    {"(-\r\n", "a big number that is not one"},
    {"(1-2\r\n", "a big number that is not one"},
    {"#x", "a boolean other than t and f"},
    {"#tt", "a boolean other than t and f"},
    {"_0", "a null with something in it"},
    {"=3\r\ntxt\r\n", "a verbatim string without its format of three letters and a colon"},
    {"=8\r\ntext:abc\r\n", "a verbatim string without its format of three letters and a colon"},
    {"$1\r\nab", "a string that does not end in CR LF where its length says"},
    {"$0\r\nx", "a string that does not end in CR LF where its length says"},
    {"$1\r\na\rb", "a line that does not end in CR LF"},
    {"$?", "a streamed value, which is not supported"},
    {"*?", "a streamed value, which is not supported"},
    {"%?", "a streamed value, which is not supported"},
    {"*1\r\n>", "a push inside another value"},
    {"|1\r\n+a\r\n>", "a push inside another value"},
    {repeated("*1\r\n", 8) + "*1", "aggregates nested too deep; the limit is 8"},
    {repeated("|1\r\n:1\r\n", 8) + "~0", "aggregates nested too deep; the limit is 8"},
    {"*65537", "too many elements in one message; the limit is 65536"},
    {"%32769", "too many elements in one message; the limit is 65536"},
    {"*2\r\n|32767\r\n" + repeated(":1\r\n", 65'534) + "*1",
     "too many elements in one message; the limit is 65536"},
    {"*99999", "too many elements in one message; the limit is 65536"},
    {"$2147483", "a message of too many bytes; the limit is 1048576"},
    {"$1048577", "a message of too many bytes; the limit is 1048576"},
    {"$1048565\r\n", "a message of too many bytes; the limit is 1048576"},
    {"*2\r\n:1\r\n!1048557\r\n", "a message of too many bytes; the limit is 1048576"},
    {'+' + std::string(65'537, 'a'), "a line with too many bytes; the limit is 65536"},
    {"*1\r\n-" + std::string(65'537, 'a'), "a line with too many bytes; the limit is 65536"},
    {',' + std::string(65'537, '0'), "a line with too many bytes; the limit is 65536"},
    {"*65536\r\n" + repeated(":1234567890123\r\n", 65'535) + ":1234567",
     "a message of too many bytes; the limit is 1048576"},
};

BOOST_AUTO_TEST_SUITE(malformed_suite)

BOOST_DATA_TEST_CASE(is_found_at_the_first_byte_that_shows_it, boost::unit_test::data::make(bad_inputs),
                     input) {
    const auto before = std::string_view(input.bytes).substr(0, input.bytes.size() - 1);
    BOOST_TEST(feed(before, whole).problem == "");
    BOOST_TEST(feed(input.bytes, whole).problem == input.problem);
    BOOST_TEST(feed(input.bytes, 1).problem == input.problem);
    BOOST_TEST(feed(input.bytes + "+OK\r\n", whole).problem == input.problem);
}

BOOST_AUTO_TEST_CASE(stays_so_until_reset) {
    resp::reader reader;
    const auto whole_piece = [] { return whole; };
    BOOST_TEST(feed(reader, "+a\r\n+b\r\nHTTP/1.1 400 Bad Request\r\n", whole_piece).messages.size() == 2U);
    const auto after = feed(reader, "+OK\r\n", whole_piece);
    BOOST_TEST(after.messages.empty());
    BOOST_TEST(after.problem == "a byte that begins no value");
    reader.reset();
    BOOST_TEST(reader.problem() == "");
    const decoding fresh{{"\"OK\""}, ""};
    BOOST_TEST(feed(reader, "+OK\r\n", whole_piece) == fresh);
}

BOOST_AUTO_TEST_CASE(reset_forgets_half_a_message) {
    resp::reader reader;
    const auto one = [] { return std::size_t{1}; };
    BOOST_TEST(feed(reader, "*2\r\n|1\r\n:1\r\n$5\r\nab", one).messages.empty());
    reader.reset();
    const decoding fresh{{":12"}, ""};
    BOOST_TEST(feed(reader, ":12\r\n", one) == fresh);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
