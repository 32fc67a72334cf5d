// What is made of replies to the commands of leaders and of those who observe them.

#include "engines/redis/dialect/answers.hpp"
#include "node/recorder.hpp"

#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::test {
namespace {

using namespace redis;

/// What says neither yes nor no.
const std::string_view nonsensical[] = {
    "*0\r\n", "*2\r\n:1\r\n:1\r\n", ",1\r\n", "+\r\n",  "$1\r\n1\r\n",
    "(1\r\n", "~1\r\n:1\r\n",       "#f\r\n", ":0\r\n", "$7\r\nNOSCRIP\r\n"};

struct leader_answers_fixture {
    const resp::reply& keep(std::string_view bytes) {
        return **kept.emplace_back(std::make_unique<parsed_reply>(bytes));
    }
    std::vector<std::unique_ptr<parsed_reply>> kept;
};

BOOST_FIXTURE_TEST_SUITE(leader_answers, leader_answers_fixture)

BOOST_AUTO_TEST_CASE(what_a_leader_has_proclaimed_is_bounded) {
    using kind = leader_answer::kind;
    const auto said = [&](const std::string& value) {
        return read_leader(keep("$" + std::to_string(value.size()) + "\r\n" + value + "\r\n"));
    };
    const leader_answer found = said("7:12:a:b");
    BOOST_TEST((found.what == kind::leader));
    BOOST_TEST((found.mark == leader_mark{7, 12}));
    BOOST_TEST(found.value == "a:b");
    BOOST_TEST((said("9007199254740992:9007199254740992:").what == kind::leader));
    BOOST_TEST((said("1:1:" + std::string(max_leader_value_size, 'v')).what == kind::leader));
    for (const std::string nonsense :
         {"", ":", "7", "7:", "7:1", "0:1:x", "1:0:x", "-1:1:x", "+1:1:x", " 1:1:x", "1:1x:", "1.5:1:x",
          "9007199254740993:1:x", "1:9007199254740993:x", "99999999999999999999999:1:x"}) {
        const leader_answer wrong = said(nonsense);
        BOOST_TEST((wrong.what == kind::error), nonsense);
        BOOST_TEST((wrong.error.meaning == errc::protocol_error));
    }
    BOOST_TEST((said("1:1:" + std::string(max_leader_value_size + 1, 'v')).what == kind::error));
    BOOST_TEST((read_leader(keep("_\r\n")).what == kind::none));
    BOOST_TEST((read_leader(keep("$-1\r\n")).what == kind::none));
    BOOST_TEST((read_leader(keep("-WRONGTYPE x\r\n")).error.meaning == errc::wrong_type));
    for (const std::string_view odd : nonsensical) {
        const leader_answer answer = read_leader(keep(odd));
        BOOST_TEST((answer.what != kind::leader), odd);
    }
}

BOOST_AUTO_TEST_CASE(a_value_is_taken_where_a_server_says_so) {
    const command_form hashed = by_hash(script::proclaim);
    BOOST_TEST((read_proclaim(hashed, keep(":1\r\n")) == proclaim_answer::done));
    BOOST_TEST((read_proclaim(hashed, keep(":0\r\n")) == proclaim_answer::not_ours));
    BOOST_TEST((read_proclaim(hashed, keep("-NOSCRIPT x\r\n")) == proclaim_answer::unknown_form));
    BOOST_TEST((read_proclaim(by_text(script::proclaim), keep("-NOSCRIPT x\r\n")) == proclaim_answer::error));
    for (const std::string_view odd : nonsensical)
        BOOST_TEST((read_proclaim(hashed, keep(odd)) == proclaim_answer::not_ours), odd);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
