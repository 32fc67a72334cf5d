#include "resp/feeding.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>

namespace redlock::test {
namespace {

/// The one message that `bytes` are, as text.
std::string read(std::string_view bytes) {
    const auto seen = feed(bytes, whole);
    BOOST_TEST_REQUIRE(seen.problem == "");
    BOOST_TEST_REQUIRE(seen.messages.size() == 1U);
    return seen.messages.front();
}

/// Keeps the reader whose buffer the reply looks into.
struct one_reply {
    explicit one_reply(std::string_view bytes) {
        const auto space = reader.prepare();
        std::copy(bytes.begin(), bytes.end(), space.begin());
        reader.commit(bytes.size());
        BOOST_REQUIRE(reader.next(reply) == resp::read_status::complete);
    }
    resp::reader reader;
    resp::reply reply;
};

BOOST_AUTO_TEST_SUITE(kind_suite)

BOOST_AUTO_TEST_CASE(texts_and_errors) {
    BOOST_TEST(read("+OK\r\n") == "\"OK\"");
    BOOST_TEST(read("+\r\n") == "\"\"");
    BOOST_TEST(read("+OKAY\r\n") == "\"OKAY\"");
    BOOST_TEST(read("-ERR no such key\r\n") == "-ERR no such key");
    BOOST_TEST(read("$0\r\n\r\n") == "\"\"");
    BOOST_TEST(read("$4\r\na\r\nb\r\n") == "\"a\r\nb\"");
    BOOST_TEST(read("$003\r\nabc\r\n") == "\"abc\"");
    BOOST_TEST(read({"$3\r\n\0\xff\0\r\n", 9}) == std::string("\"\0\xff\0\"", 5));
    BOOST_TEST(read("!7\r\nERR a\nb\r\n") == "-ERR a\nb");
    BOOST_TEST(read("=9\r\ntxt:a b c\r\n") == "\"a b c\"");
    BOOST_TEST(read("=4\r\nmkd:\r\n") == "\"\"");
}

BOOST_AUTO_TEST_CASE(nulls) {
    BOOST_TEST(read("_\r\n") == "_");
    BOOST_TEST(read("$-1\r\n") == "_");
    BOOST_TEST(read("*-1\r\n") == "_");
}

BOOST_AUTO_TEST_CASE(integers) {
    BOOST_TEST(read(":0\r\n") == ":0");
    BOOST_TEST(read(":7\r\n") == ":7");
    BOOST_TEST(read(":-1\r\n") == ":-1");
    BOOST_TEST(read(":+12\r\n") == ":12");
    BOOST_TEST(read(":007\r\n") == ":7");
    BOOST_TEST(read(":9223372036854775807\r\n") == ":9223372036854775807");
    BOOST_TEST(read(":-9223372036854775808\r\n") == ":-9223372036854775808");
}

BOOST_AUTO_TEST_CASE(reals_and_big_numbers) {
    BOOST_TEST(one_reply(",3.25\r\n").reply.real() == 3.25);
    BOOST_TEST(one_reply(",-1e3\r\n").reply.real() == -1000.0);
    BOOST_TEST(one_reply(",+10\r\n").reply.real() == 10.0);
    BOOST_TEST(one_reply(",.5E-1\r\n").reply.real() == 0.05);
    BOOST_TEST(one_reply(",1.7976931348623157e308\r\n").reply.real() == std::numeric_limits<double>::max());
    BOOST_TEST(one_reply(",inf\r\n").reply.real() == HUGE_VAL);
    BOOST_TEST(one_reply(",-inf\r\n").reply.real() == -HUGE_VAL);
    BOOST_TEST(std::isnan(one_reply(",nan\r\n").reply.real()));
    BOOST_TEST(one_reply(",1.5\r\n").reply.text() == "");
    BOOST_TEST(read("(3492890328409238509324850943850943825024385\r\n") ==
               "\"3492890328409238509324850943850943825024385\"");
    BOOST_TEST(read("(-12\r\n") == "\"-12\"");
}

BOOST_AUTO_TEST_CASE(booleans) {
    BOOST_TEST(read("#t\r\n") == "#1");
    BOOST_TEST(read("#f\r\n") == "#0");
}

BOOST_AUTO_TEST_CASE(aggregates) {
    BOOST_TEST(read("*0\r\n") == "*[]");
    BOOST_TEST(read("*3\r\n:1\r\n$-1\r\n+x\r\n") == "*[:1 _ \"x\"]");
    BOOST_TEST(read("~2\r\n#t\r\n#f\r\n") == "~[#1 #0]");
    BOOST_TEST(read("%2\r\n+a\r\n:1\r\n+b\r\n:2\r\n") == "%[\"a\" :1 \"b\" :2]");
    BOOST_TEST(read(">2\r\n+message\r\n$1\r\nx\r\n") == ">[\"message\" \"x\"]");
    BOOST_TEST(read("*2\r\n*2\r\n:1\r\n*0\r\n%1\r\n+k\r\n~1\r\n_\r\n") == "*[*[:1 *[]] %[\"k\" ~[_]]]");
}

BOOST_AUTO_TEST_CASE(attributes_are_skipped_wherever_they_stand) {
    BOOST_TEST(read("|1\r\n+ttl\r\n:3\r\n+OK\r\n") == "\"OK\"");
    BOOST_TEST(read("|0\r\n:1\r\n") == ":1");
    BOOST_TEST(read("|1\r\n+a\r\n*2\r\n:1\r\n:2\r\n|1\r\n+b\r\n_\r\n:3\r\n") == ":3");
    BOOST_TEST(read("*3\r\n:1\r\n|1\r\n+a\r\n|1\r\n+b\r\n_\r\n:9\r\n:2\r\n|0\r\n*1\r\n|0\r\n:3\r\n") ==
               "*[:1 :2 *[:3]]");
    BOOST_TEST(read("*2\r\n|0\r\n|1\r\n:1\r\n:2\r\n:3\r\n:4\r\n") == "*[:3 :4]");
    BOOST_TEST(read("|1\r\n+a\r\n:1\r\n>1\r\n+pushed\r\n") == ">[\"pushed\"]");
    BOOST_TEST(one_reply("*1\r\n|1\r\n:1\r\n:2\r\n:3\r\n").reply.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_reply_that_was_never_read_is_null_and_has_no_children) {
    const resp::reply none;
    BOOST_TEST(describe(none) == "_");
    BOOST_TEST(!none.end());
    BOOST_TEST(none.first().end());
    BOOST_TEST(none.next().end());
}

BOOST_AUTO_TEST_CASE(members_that_do_not_fit_the_kind_are_empty) {
    const one_reply text("$2\r\n12\r\n"), integer(":5\r\n"), array("*1\r\n:5\r\n");
    BOOST_TEST(text.reply.integer() == 0);
    BOOST_TEST(text.reply.size() == 0U);
    BOOST_TEST(text.reply.real() == 0.0);
    BOOST_TEST(integer.reply.text() == "");
    BOOST_TEST(array.reply.text() == "");
    BOOST_TEST(array.reply.integer() == 0);
    BOOST_TEST(array.reply.first().next().end());
    BOOST_TEST(array.reply.next().end());
}

BOOST_AUTO_TEST_CASE(only_the_text_ok_is_ok) {
    BOOST_TEST(one_reply("+OK\r\n").reply.is_ok());
    BOOST_TEST(one_reply("$2\r\nOK\r\n").reply.is_ok());
    BOOST_TEST(!one_reply("-OK\r\n").reply.is_ok());
    BOOST_TEST(!one_reply("+ok\r\n").reply.is_ok());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
