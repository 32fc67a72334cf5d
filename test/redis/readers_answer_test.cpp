// What is made of replies that tell who reads a key.

#include "engines/redis/dialect/answers.hpp"
#include "node/recorder.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>

namespace redlock::test {
namespace {

using namespace redis;

BOOST_AUTO_TEST_SUITE(answers_of_readers)

BOOST_AUTO_TEST_CASE(who_reads_is_told_up_to_a_number) {
    constexpr command_form form = by_hash(script::readers);
    const auto count = [](const std::string& bytes) {
        const parsed_reply reply(bytes);
        const readers_answer said = read_readers(form, *reply);
        for (const readers_answer::entry& one : said.entries)
            BOOST_TEST((one.value.size() <= 128 && one.left.count() >= 1 && one.left.count() <= 1LL << 53));
        BOOST_TEST((said.is_told || said.entries.empty()));
        return said.entries.size();
    };
    BOOST_TEST(count("*0\r\n") == 0u);
    BOOST_TEST(count("*2\r\n$1\r\na\r\n:5\r\n") == 1u);
    BOOST_TEST(count("*4\r\n$1\r\na\r\n:5\r\n$1\r\nb\r\n:9223372036854775807\r\n") == 2u);
    // What no entry of a reader can be.
    const std::string long_text(129, 'x');
    BOOST_TEST(count("*2\r\n$129\r\n" + long_text + "\r\n:5\r\n") == 0u);
    for (const char* odd : {"*2\r\n$1\r\na\r\n:0\r\n", "*2\r\n$1\r\na\r\n:-7\r\n", "*1\r\n$1\r\na\r\n",
                            "*2\r\n:5\r\n:5\r\n", "*2\r\n*0\r\n*0\r\n", "+OK\r\n", ":1\r\n", "$-1\r\n",
                            "-NOSCRIPT No matching script\r\n", "-NOPERM no\r\n"})
        BOOST_TEST(count(odd) == 0u, odd);
    std::string many = "*130\r\n";
    for (int i = 0; i < 65; ++i)
        many += "$1\r\na\r\n:5\r\n";
    BOOST_TEST(count(many) == 64u);
    BOOST_TEST(read_readers(form, *parsed_reply(many)).are_more);
    BOOST_TEST(count("*132\r\n" + many.substr(6) + "$1\r\na\r\n:5\r\n") == 0u);
    BOOST_TEST(read_readers(form, *parsed_reply("-NOSCRIPT No matching script\r\n")).unknown_form);
}

BOOST_AUTO_TEST_CASE(one_who_writes_is_told_whether_somebody_reads) {
    constexpr command_form form = by_hash(script::write_try);
    const auto says = [](std::string_view bytes) { return read_clear(form, *parsed_reply(bytes)); };
    BOOST_TEST((says("*1\r\n:3\r\n") == clear_answer::missing));
    BOOST_TEST((says("*1\r\n:1\r\n") == clear_answer::clear));
    BOOST_TEST((says("*1\r\n:2\r\n") == clear_answer::others_read));
    BOOST_TEST((says("*1\r\n:0\r\n") == clear_answer::not_ours));
    BOOST_TEST((says("-NOSCRIPT No matching script\r\n") == clear_answer::unknown_form));
    BOOST_TEST((says("-OOM\r\n") == clear_answer::error));
    for (const std::string_view odd : {"*0\r\n", "+OK\r\n", "*1\r\n$1\r\n1\r\n"})
        BOOST_TEST((says(odd) == clear_answer::not_ours), odd);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
