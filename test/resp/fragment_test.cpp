#include "resp/feeding.hpp"
#include "resp/sample.hpp"

#include <boost/test/unit_test.hpp>

namespace redlock::test {
namespace {

const decoding read_once{{std::string(sample_as_text)}, ""};
const decoding nothing_yet{};

BOOST_AUTO_TEST_SUITE(fragment_suite)

BOOST_AUTO_TEST_CASE(whole) { BOOST_TEST(feed(sample, test::whole) == read_once); }

BOOST_AUTO_TEST_CASE(in_pieces_of_every_size) {
    for (std::size_t piece = 1; piece <= sample.size(); ++piece)
        BOOST_TEST(feed(sample, piece) == read_once);
}

BOOST_AUTO_TEST_CASE(every_truncation_is_incomplete) {
    for (std::size_t size = 0; size < sample.size(); ++size) {
        BOOST_TEST(feed(sample.substr(0, size), test::whole) == nothing_yet);
        BOOST_TEST(feed(sample.substr(0, size), 1) == nothing_yet);
    }
}

BOOST_AUTO_TEST_CASE(cut_in_two_at_every_place) {
    for (std::size_t cut = 1; cut < sample.size(); ++cut) {
        resp::reader reader;
        BOOST_TEST(feed(reader, sample.substr(0, cut), [] { return test::whole; }) == nothing_yet);
        BOOST_TEST(feed(reader, sample.substr(cut), [] { return test::whole; }) == read_once);
    }
}

BOOST_AUTO_TEST_CASE(brief_replies_byte_by_byte) {
    const std::string_view bytes = "+OK\r\n:1\r\n$-1\r\n_\r\n+OJ\r\n:9\r\n:10\r\n+\r\n";
    const decoding expected{{"\"OK\"", ":1", "_", "_", "\"OJ\"", ":9", ":10", "\"\""}, ""};
    for (std::size_t piece = 1; piece <= bytes.size(); ++piece)
        BOOST_TEST(feed(bytes, piece) == expected);
}

BOOST_AUTO_TEST_CASE(brief_replies_are_read_without_making_one) {
    resp::reader reader;
    const std::string_view bytes = "+OK\r\n_\r\n:7\r\n$-1\r\n:12\r\n+OKAY\r\n:1\r\n";
    const auto space = reader.prepare();
    std::copy(bytes.begin(), bytes.end(), space.begin());
    reader.commit(bytes.size());
    for (const std::string_view expected : {"\"OK\"", "_", ":7", "_"}) {
        const resp::reply* const brief = reader.next_brief();
        BOOST_REQUIRE(brief);
        BOOST_TEST(describe(*brief) == expected);
    }
    resp::reply reply;
    for (const std::string_view expected : {":12", "\"OKAY\"", ":1"}) { // too long, too long, the last
        BOOST_TEST(!reader.next_brief());
        BOOST_REQUIRE(reader.next(reply) == resp::read_status::complete);
        BOOST_TEST(describe(reply) == expected);
    }
    BOOST_TEST(!reader.next_brief());
}

BOOST_AUTO_TEST_CASE(messages_follow_each_other_over_many_buffers) {
    std::string bytes;
    for (int i = 0; i < 500; ++i)
        bytes += sample;
    for (const std::size_t piece : {test::whole, std::size_t{1}, std::size_t{777}}) {
        const auto seen = feed(bytes, piece);
        BOOST_TEST(seen.problem == "");
        BOOST_TEST(seen.messages.size() == 500U);
        BOOST_TEST(std::all_of(seen.messages.begin(), seen.messages.end(),
                               [](const auto& message) { return message == sample_as_text; }));
    }
}

BOOST_AUTO_TEST_CASE(replies_stay_until_more_is_received) {
    resp::reader reader;
    const std::string_view bytes = "+one\r\n*1\r\n$3\r\ntwo\r\n:3\r\n$9\r\nbegun";
    const auto space = reader.prepare();
    std::copy(bytes.begin(), bytes.end(), space.begin());
    reader.commit(bytes.size());
    resp::reply one, two, three, none;
    BOOST_REQUIRE(reader.next(one) == resp::read_status::complete);
    BOOST_REQUIRE(reader.next(two) == resp::read_status::complete);
    BOOST_REQUIRE(reader.next(three) == resp::read_status::complete);
    BOOST_REQUIRE(reader.next(none) == resp::read_status::incomplete);
    BOOST_TEST(describe(one) == "\"one\"");
    BOOST_TEST(describe(two) == "*[\"two\"]");
    BOOST_TEST(describe(three) == ":3");
}

BOOST_AUTO_TEST_CASE(a_reply_can_be_taken_into_a_variable_in_use) {
    resp::reader reader;
    const std::string_view bytes = "*2\r\n+a\r\n+b\r\n:1\r\n";
    const auto space = reader.prepare();
    std::copy(bytes.begin(), bytes.end(), space.begin());
    reader.commit(bytes.size());
    resp::reply reply;
    BOOST_REQUIRE(reader.next(reply) == resp::read_status::complete);
    reply = reply.first();
    BOOST_TEST(describe(reply) == "\"a\"");
    BOOST_REQUIRE(reader.next(reply) == resp::read_status::complete);
    BOOST_TEST(describe(reply) == ":1");
    BOOST_TEST(reply.next().end());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
