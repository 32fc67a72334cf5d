// Several fences that are raised by one command: its bytes, what it does on a server, what the answer says.

#include "commands_fixture.hpp"
#include "engines/redis/dialect/answers.hpp"
#include "engines/redis/dialect/joint_commands.hpp"
#include "node/recorder.hpp"
#include "support/redis_server.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <string>
#include <vector>

namespace redlock::test {
namespace {

struct advances_fixture : commands_fixture {
    claim other{"app:", detail::key_text("another key, which is a long one"), any_token(), 18};
    const std::array<const claim*, 2> claims{&fenced, &other};
    const std::string words = "4 key app:another key, which is a long one key:redlock-fence "
                              "app:another key, which is a long one:redlock-fence " +
                              std::string(fenced.token()) + " " + std::string(other.token()) + " 21 60000";
    const fence_mark mark{.token = 21, .retention = 60s};
};

struct server_of_fences : redis_server {
    const std::string ours{std::string(27, 'o')};
    const std::string theirs{std::string(27, 't')};

    /// Of the keys with these names, whose fences are called f and the name.
    std::vector<std::int64_t> advance(const std::vector<std::string>& keys, const std::string& to,
                                      const std::vector<std::string>& label = {}) {
        std::vector<std::string> words{"EVAL", std::string(text_of(script::advance_several)),
                                       std::to_string(2 * keys.size())};
        words.insert(words.end(), keys.begin(), keys.end());
        for (const std::string& key : keys)
            words.push_back("f" + key);
        words.insert(words.end(), keys.size(), ours);
        words.push_back(to);
        words.push_back("60000");
        words.insert(words.end(), label.begin(), label.end());
        const auto said = command(words);
        BOOST_TEST(!said.is_error(), said.text);
        std::vector<std::int64_t> numbers;
        for (const auto& each : said.elements)
            numbers.push_back(each.integer);
        return numbers;
    }
    std::string fence_of(const std::string& key) { return command({"ZSCORE", "f" + key, "fence"}).text; }
};

using numbers = std::vector<std::int64_t>;

} // namespace

BOOST_AUTO_TEST_SUITE(advance_several)

BOOST_FIXTURE_TEST_CASE(the_fences_stand_behind_the_keys_and_the_mark_behind_the_tokens, advances_fixture) {
    const std::string text(text_of(script::advance_several));
    const std::string hash(hash_of(script::advance_several));
    BOOST_TEST(put(joint_advance_command(by, claims, mark)) == "EVAL " + text + " " + words);
    usual.takes(by_text(script::advance_several));
    BOOST_TEST(put(joint_advance_command(by, claims, mark)) == "EVALSHA " + hash + " " + words);
    encoder with_label{"web-1"};
    BOOST_TEST(put(joint_advance_command(with_label, claims, mark)) ==
               "EVALSHA " + hash + " " + words + " :web-1");
}

BOOST_FIXTURE_TEST_CASE(each_fence_advances_as_by_its_own_command, server_of_fences) {
    for (const char* key : {"new", "low", "alike", "high"})
        command({"SET", key, ours + ":1", "PX", "30000"});
    command({"SET", "hers", theirs + ":1", "PX", "30000"});
    for (const auto& [key, fence] : {std::pair("flow", "16"), {"falike", "20"}, {"fhigh", "30"}})
        command({"ZADD", key, fence, "fence"});
    BOOST_TEST(
        (advance({"new", "low", "alike", "high", "hers", "gone"}, "20") == numbers{20, 20, 21, 31, 0, 0}));
    for (const auto& [key, fence] :
         {std::pair("new", "20"), {"low", "20"}, {"alike", "21"}, {"high", "31"}}) {
        BOOST_TEST(fence_of(key) == fence);
        BOOST_TEST(get(key).value_or("") == ours + ":" + fence);
        BOOST_TEST((pttl(key) > 20s && pttl(key) <= 30s));
        const std::string fence_key = std::string("f") + key;
        BOOST_TEST((pttl(fence_key) > 50s && pttl(fence_key) <= 60s));
    }
    BOOST_TEST(get("hers").value_or("") == theirs + ":1");
    for (const char* untouched : {"fhers", "fgone", "gone"})
        BOOST_TEST(!exists(untouched));
    const std::string high = std::to_string((std::int64_t{1} << 52) + 5);
    BOOST_TEST((advance({"new", "low"}, high, {":web-1"}) == numbers{std::stoll(high), std::stoll(high)}));
    BOOST_TEST(get("low").value_or("") == ours + ":" + high + ":web-1");
    BOOST_TEST((advance({"new"}, "7") == numbers{std::stoll(high) + 1}));
}

BOOST_FIXTURE_TEST_CASE(a_foreign_value_spoils_its_own_key_alone, server_of_fences) {
    for (const char* key : {"a", "b", "c", "d", "e"})
        command({"SET", key, ours});
    command({"SET", "fb", "no fence"});
    command({"ZADD", "fd", "inf", "fence"});
    command({"ZADD", "fe", "-17.5", "fence"});
    command({"RPUSH", "list", "no text"});
    const numbers said = advance({"a", "b", "c", "d", "list", "e"}, "20");
    BOOST_REQUIRE(said.size() == 6u);
    for (const std::size_t raised : {0u, 2u, 5u})
        BOOST_TEST(said[raised] == 20);
    BOOST_TEST(said[1] == -1);
    // Of one that is beyond all numbers as its own command has it.
    BOOST_TEST(said[3] == command({"EVAL", std::string(text_of(script::advance_fence)), "2", "d", "fd", ours,
                                   "20", "60000"})
                              .integer);
    BOOST_TEST(said[4] == 0);
    BOOST_TEST(get("fb").value_or("") == "no fence");
    BOOST_TEST(get("b").value_or("") == ours);
    BOOST_TEST(command({"PTTL", "fb"}).integer == -1);
    BOOST_TEST(command({"LLEN", "list"}).integer == 1);
}

BOOST_FIXTURE_TEST_CASE(a_full_memory_is_told_of_each_and_a_missing_right_of_all, server_of_fences) {
    for (const char* key : {"a", "b"})
        command({"SET", key, ours});
    command({"CONFIG", "SET", "maxmemory", "1"});
    BOOST_TEST((advance({"a", "b"}, "20") == numbers{-1, -1}));
    BOOST_TEST(fence_of("a").empty());
    command({"CONFIG", "SET", "maxmemory", "0"});
    command({"ACL", "SETUSER", "default", "-pexpire"});
    const auto denied =
        command({"EVAL", std::string(text_of(script::advance_several)), "2", "a", "fa", ours, "20", "60000"});
    BOOST_TEST(denied.is_error());
    BOOST_TEST((meaning_of_server_error(denied.text) == errc::permission_denied));
}

BOOST_AUTO_TEST_CASE(there_is_an_answer_for_each_or_none) {
    using kind = joint_advance_answer::kind;
    constexpr command_form form = by_hash(script::advance_several);
    const parsed_reply reply("*6\r\n:17\r\n:0\r\n:-1\r\n:9007199254740992\r\n:9007199254740993\r\n+17\r\n");
    const joint_advance_answer said = read_joint_advance(form, *reply, 6);
    BOOST_TEST((said.what == kind::done));
    BOOST_TEST((said.of(0) == kind_of_advance::raised));
    BOOST_TEST(said.fence(0) == 17u);
    BOOST_TEST((said.of(1) == kind_of_advance::not_ours));
    BOOST_TEST((said.of(2) == kind_of_advance::error));
    BOOST_TEST((said.of(3) == kind_of_advance::raised));
    BOOST_TEST(said.fence(3) == std::uint64_t{1} << 53);
    BOOST_TEST((said.of(4) == kind_of_advance::too_high));
    BOOST_TEST((said.of(5) == kind_of_advance::error));
    const parsed_reply unknown("-NOSCRIPT No matching script.\r\n");
    BOOST_TEST((read_joint_advance(form, *unknown, 6).what == kind::unknown_form));
    BOOST_TEST((read_joint_advance(by_text(script::advance_several), *unknown, 6).what == kind::error));
    for (const std::string_view odd : {":17\r\n", "+OK\r\n", "_\r\n", "$-1\r\n", "*0\r\n", "*1\r\n:17\r\n",
                                       "*3\r\n:17\r\n:17\r\n:17\r\n", "%1\r\n:17\r\n:17\r\n"}) {
        BOOST_TEST_INFO(odd);
        const parsed_reply strange(odd);
        BOOST_TEST((read_joint_advance(form, *strange, 2).what == kind::error));
        BOOST_TEST((read_joint_advance(form, *strange, 2).error.meaning == errc::protocol_error));
    }
}

BOOST_AUTO_TEST_CASE(keys_of_several_slots_share_none) {
    server_dialect d = dialect_of("redis", "7.0.15");
    BOOST_TEST(d.joins_advances());
    d.cannot_join_advances();
    BOOST_TEST(!d.joins_advances());
    BOOST_TEST(d.joins_releases());
    d.meet({});
    BOOST_TEST(d.joins_advances());
    node::server_info cluster;
    cluster.mode = "cluster";
    d.meet(cluster);
    BOOST_TEST(!d.joins_advances());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace redlock::test
