// What a node tells a client of its tokens, also such as no node would.

#include "engines/redis/dialect/token_news.hpp"
#include "node/recorder.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>

namespace redlock::test {
namespace {

using namespace redis;
using namespace std::chrono_literals;

const std::string token = "aaaaaaaa"
                          "000000001"
                          "rrrrrrrrrr";
const std::string other = "bbbbbbbb"
                          "000000002"
                          "rrrrrrrrrr";

std::string bulk(std::string_view text) {
    return std::string("$").append(std::to_string(text.size())).append("\r\n").append(text).append("\r\n");
}
/// As a push of the channel; what was read of it stays in here.
struct push {
    explicit push(std::string_view text, std::string_view channel = "redlock:aaaaaaaa")
        : reply(">3\r\n" + bulk("message") + bulk(channel) + bulk(text)), news(read_token_news(*reply)) {}
    parsed_reply reply;
    std::optional<token_news> news;
};

BOOST_AUTO_TEST_SUITE(news_of_tokens)

BOOST_AUTO_TEST_CASE(a_key_is_handed_over) {
    const push said("y|" + token + "|1234|56|789|" + other + "|released|the|key");
    BOOST_REQUIRE(said.news.has_value());
    BOOST_TEST((said.news->what == token_news::kind::handed));
    BOOST_TEST(said.news->token.token == token);
    BOOST_TEST((said.news->entered_at == 1234ns && said.news->age == 56ms && said.news->row == 789us));
    BOOST_REQUIRE(said.news->first_waiting.has_value());
    BOOST_TEST(said.news->first_waiting->token == other);
    BOOST_TEST(said.news->released == "released");
    BOOST_TEST(said.news->key == "the|key");
    const push free("y|" + token + "|1234|56|0|||key");
    BOOST_REQUIRE(free.news.has_value());
    BOOST_TEST(!free.news->first_waiting.has_value());
    BOOST_TEST(free.news->released == "");
}

BOOST_AUTO_TEST_CASE(somebody_waits_for_it) {
    const push said("w|" + token + "|" + other + "|key");
    BOOST_REQUIRE(said.news.has_value());
    BOOST_TEST((said.news->what == token_news::kind::wanted));
    BOOST_TEST(said.news->first_waiting->token == other);
    BOOST_TEST(said.news->key == "key");
}

BOOST_AUTO_TEST_CASE(it_is_free_for_a_moment) {
    const push said("f|" + token + "|key");
    BOOST_REQUIRE(said.news.has_value());
    BOOST_TEST((said.news->what == token_news::kind::free));
    BOOST_TEST(said.news->key == "key");
}

BOOST_AUTO_TEST_CASE(with_the_key_it_is_told_what_is_known_of_strangers) {
    const push said("y|" + token + "|1234|56|789+2000+300+40+5|||key");
    BOOST_REQUIRE(said.news.has_value());
    BOOST_TEST((said.news->row == 789us));
    BOOST_REQUIRE(said.news->strangers.has_value());
    BOOST_TEST((*said.news->strangers ==
                core::stranger_sight{.door = 2ms, .unseen = 300us, .shut = 40us, .turns = 5}));
    BOOST_TEST(said.news->key == "key");
    const push none("y|" + token + "|1234|56|789|||key");
    BOOST_REQUIRE(none.news.has_value());
    BOOST_TEST(!none.news->strangers.has_value());
    for (const std::string text :
         {"+", "+1", "+1+2+3", "+1+2+3+", "+1+2+3+4+", "+1+2+3+4+5", "+1+2+3+x", "+1+2+3+4x", "+-1+2+3+4",
          "+0+2+3+4", "+1+2+3+86400000001", "+99999999999999999999+2+3+4"})
        BOOST_TEST(!push("y|" + token + "|1|1|7" + text + "|||key").news.has_value(), text);
}

// A clock that was set back makes it younger, never older.
BOOST_AUTO_TEST_CASE(no_age_is_below_zero) {
    const push said("y|" + token + "|1234|-56|0|||key");
    BOOST_REQUIRE(said.news.has_value());
    BOOST_TEST((said.news->age == 0ms));
}

BOOST_AUTO_TEST_CASE(anything_else_is_no_news) {
    const std::string handed = "y|" + token;
    for (const std::string& text :
         {std::string(), std::string("y"), "z|" + token + "|1|1|0|||key", std::string("y|short|1|1|0|||key"),
          handed + "||1|0|||key", handed + "|x|1|0|||key", handed + "|1|x|0|||key", handed + "|1|1|x|||key",
          handed + "|-1|1|0|||key", handed + "|1|1|-1|||key", handed + "|1|86400001|0|||key",
          handed + "|1|1|86400000001|||key", handed + "|99999999999999999999|1|0|||key",
          handed + "|1|99999999999999999999|0|||key", handed + "|1|1|99999999999999999999|||key"})
        BOOST_TEST(!push(text).news.has_value(), text);
    BOOST_TEST(!push("f|" + token + "|key", "other:channel").news.has_value());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
