#include "engines/redis/node/group/sentinel_answers.hpp"
#include "support/decoded_reply.hpp"

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

namespace redlock::test {
namespace {

using namespace std::chrono_literals;
using fields = std::vector<std::pair<std::string, std::string>>;

std::string bulk(const std::string& text) { return fmt::format("${}\r\n{}\r\n", text.size(), text); }

std::string description(const fields& all, char kind = '%') {
    std::string bytes = fmt::format("{}{}\r\n", kind, kind == '*' ? 2 * all.size() : all.size());
    for (const auto& [name, value] : all)
        bytes += bulk(name) + bulk(value);
    return bytes;
}

fields usual() {
    return {{"name", "group"},           {"ip", "10.0.0.1"},    {"port", "6379"},
            {"flags", "master"},         {"config-epoch", "7"}, {"role-reported-time", "61000"},
            {"num-other-sentinels", "2"}};
}

fields with(const std::string& name, const std::string& value) {
    fields all = usual();
    for (auto& [known, old] : all)
        if (known == name) old = value;
    return all;
}

struct answers_fixture {
    decoded_reply decode;
    const time::instant now{1h};

    const resp::reply& decoded(const std::string& bytes) { return decode.of(bytes); }
    bool is_refused(const fields& all) {
        return !node::read_testimony(decoded(description(all)), now).has_value();
    }
};

BOOST_FIXTURE_TEST_SUITE(sentinel_answers, answers_fixture)

BOOST_AUTO_TEST_CASE(a_description_of_the_master_is_read_over_both_protocols) {
    for (const char kind : {'%', '*'}) {
        const auto told = node::read_testimony(decoded(description(usual(), kind)), now);
        BOOST_REQUIRE(told);
        BOOST_TEST(told->master.name() == "10.0.0.1:6379");
        BOOST_TEST(told->epoch == 7u);
        BOOST_TEST((told->since == now - 61s));
        BOOST_TEST(told->sentinels == 3u);
    }
}

BOOST_AUTO_TEST_CASE(what_cannot_be_is_refused) {
    for (const char* port : {"0", "65536", "-1", "", "6379 ", "x"})
        BOOST_TEST(is_refused(with("port", port)));
    for (const char* number : {"-1", "", "x", "99999999999999999999"}) {
        BOOST_TEST(is_refused(with("role-reported-time", number)));
        BOOST_TEST(is_refused(with("config-epoch", number)));
        BOOST_TEST(is_refused(with("num-other-sentinels", number)));
    }
    BOOST_TEST(is_refused(with("role-reported-time", "9223372036854775807")));
    BOOST_TEST(is_refused(with("num-other-sentinels", "1001")));
    BOOST_TEST(is_refused(with("ip", "")));
    BOOST_TEST(is_refused(with("ip", "a b")));
    BOOST_TEST(is_refused(with("ip", "\x1b[2J")));
    BOOST_TEST(is_refused(with("ip", std::string(254, 'a'))));
    BOOST_TEST(!is_refused(with("ip", "::1")));
    BOOST_TEST(!is_refused(with("config-epoch", "18446744073709551615")));
    fields odd = usual();
    odd.erase(odd.begin() + 1);
    BOOST_TEST(is_refused(odd));
    for (const char* other :
         {"+OK\r\n", "-ERR No such master with that name\r\n", "_\r\n", "*1\r\n$2\r\nip\r\n"})
        BOOST_TEST(!node::read_testimony(decoded(other), now).has_value());
}

BOOST_AUTO_TEST_CASE(other_sentinels_are_read_as_far_as_they_can_be) {
    const fields good{{"ip", "10.0.0.3"}, {"port", "26379"}, {"runid", std::string(40, 'a')}};
    const fields bad{{"ip", "10.0.0.4"}, {"port", "0"}, {"runid", std::string(40, 'b')}};
    const fields nameless{{"ip", "10.0.0.4"}, {"port", "1"}, {"runid", ""}};
    const std::string all =
        "*4\r\n" + description(bad) + description(good) + "+x\r\n" + description(nameless);
    const auto told = node::read_sentinels(decoded(all), 9);
    BOOST_REQUIRE(told.size() == 1u);
    BOOST_TEST(told[0].at.name() == "10.0.0.3:26379");
    BOOST_TEST(told[0].id == std::string(40, 'a'));
    BOOST_TEST(node::read_sentinels(decoded("*2\r\n" + description(good) + description(good)), 1).size() ==
               1u);
    BOOST_TEST(node::read_sentinels(decoded("-ERR no\r\n"), 9).empty());
}

BOOST_AUTO_TEST_CASE(a_message_tells_of_a_switch_of_this_group_alone) {
    const auto tells = [&](const std::string& channel, const std::string& payload) {
        return node::tells_of_switch(decoded(">3\r\n" + bulk("message") + bulk(channel) + bulk(payload)),
                                     "group");
    };
    BOOST_TEST(tells("+switch-master", "group 10.0.0.1 6379 10.0.0.2 6379"));
    BOOST_TEST(!tells("+switch-master", "group-2 10.0.0.1 6379 10.0.0.2 6379"));
    BOOST_TEST(!tells("+switch-master", "group"));
    BOOST_TEST(!tells("+sdown", "group 10.0.0.1 6379 10.0.0.2 6379"));
    BOOST_TEST(!node::tells_of_switch(decoded(">1\r\n" + bulk("message")), "group"));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
