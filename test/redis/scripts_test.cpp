#include "client/entropy.hpp"
#include "core/lock_token.hpp"
#include "engines/redis/dialect/scripts.hpp"
#include "support/redis_server.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <utility>

using namespace redlock;
using namespace redlock::redis;

namespace {

struct with_server {
    test::redis_server server;

    std::int64_t run(script s, std::string key, std::string token, std::string life = {}) {
        std::vector<std::string> words{"EVAL", std::string(text_of(s)), "1", std::move(key),
                                       std::move(token)};
        if (!life.empty()) words.push_back(std::move(life));
        return server.command(words).integer;
    }

    std::int64_t run_fenced(script s, const std::string& token, std::vector<std::string> arguments) {
        std::vector<std::string> words{"EVAL", std::string(text_of(s)), std::to_string(keys_of(s)), "k"};
        if (keys_of(s) == 2) words.push_back("f");
        words.push_back(token);
        for (std::string& argument : arguments)
            words.push_back(std::move(argument));
        return server.command(words).integer;
    }

    std::string fence() { return server.command({"ZSCORE", "f", "fence"}).text; }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(scripts_on_a_server, with_server)

BOOST_AUTO_TEST_CASE(hashes_are_those_the_server_computes) {
    for (unsigned i = 0; i < script_count; ++i) {
        const auto s = static_cast<script>(i);
        BOOST_TEST(server.command({"SCRIPT", "LOAD", std::string(text_of(s))}).text == hash_of(s));
    }
}

BOOST_AUTO_TEST_CASE(a_reader_enters_beside_what_is_ours_for_writing_only) {
    const std::string ours(27, 'o');
    const auto downgrade = [&] { return run_fenced(script::downgrade, ours, {"reader", "60000"}); };
    BOOST_TEST(downgrade() == 0);
    server.command({"SET", "k", std::string(27, 't')});
    BOOST_TEST(downgrade() == 0);
    BOOST_TEST(!server.exists("f"));
    server.command({"SET", "k", ours + ":17", "PX", "600000"});
    BOOST_TEST(downgrade() == 1);
    BOOST_TEST(server.command({"ZCARD", "f"}).integer == 1);
    BOOST_TEST((server.pttl("f") > std::chrono::seconds(59) &&
                server.pttl("f") <= std::chrono::milliseconds(60001)));
    BOOST_TEST((server.pttl("k") > std::chrono::seconds(60)));
    // Others that read for longer keep their time.
    server.command({"PEXPIRE", "f", "120000"});
    BOOST_TEST(downgrade() == 1);
    BOOST_TEST((server.pttl("f") > std::chrono::milliseconds(60001)));
}

BOOST_AUTO_TEST_CASE(release_deletes_what_is_ours_only) {
    server.command({"SET", "k", "theirs"});
    BOOST_TEST(run(script::release, "k", "ours") == 0);
    BOOST_TEST(server.exists("k"));
    BOOST_TEST(run(script::release, "k", "theirs") == 1);
    BOOST_TEST(!server.exists("k"));
    BOOST_TEST(run(script::release, "k", "theirs") == 0);
}

BOOST_AUTO_TEST_CASE(several_are_released_at_once_and_those_that_are_not_ours_are_told) {
    server.command({"SET", "a", "ours"});
    server.command({"SET", "b", "theirs"});
    server.command({"RPUSH", "c", "no text"});
    server.command({"SET", "e", "ours too"});
    const std::string text(text_of(script::release_several));
    const auto said = server.command(
        {"EVAL", text, "5", "a", "b", "c", "d", "e", "ours", "ours", "ours", "ours", "ours too"});
    BOOST_REQUIRE(said.elements.size() == 3u);
    for (std::size_t i = 0; i < 3; ++i)
        BOOST_TEST(said.elements[i].integer == static_cast<std::int64_t>(i) + 2);
    for (const char* gone : {"a", "d", "e"})
        BOOST_TEST(!server.exists(gone));
    for (const char* left : {"b", "c"})
        BOOST_TEST(server.exists(left));
    BOOST_TEST(server.command({"EVAL", text, "1", "b", "theirs"}).elements.empty());
    BOOST_TEST(!server.exists("b"));
}

BOOST_AUTO_TEST_CASE(several_are_extended_at_once_and_what_is_not_simply_extended_is_told) {
    server.command({"SET", "a", "ours"});
    server.command({"SET", "b", "theirs", "PX", "600000"});
    server.command({"RPUSH", "c", "no text"});
    server.command({"SET", "e", "ours too", "PX", "1000"});
    const std::string text(text_of(script::extend_several));
    const auto said = server.command(
        {"EVAL", text, "5", "a", "b", "c", "d", "e", "ours", "ours", "ours", "ours", "ours too", "60000"});
    BOOST_REQUIRE(said.elements.size() == 3u);
    const std::int64_t expected[] = {2, 3, -4};
    for (std::size_t i = 0; i < 3; ++i)
        BOOST_TEST(said.elements[i].integer == expected[i]);
    for (const char* extended : {"a", "d", "e"}) {
        BOOST_TEST((server.pttl(extended) > std::chrono::seconds(50)));
        BOOST_TEST((server.pttl(extended) <= std::chrono::seconds(60)));
    }
    BOOST_TEST(server.get("d").value_or("") == "ours");
    BOOST_TEST(server.get("b").value_or("") == "theirs");
    BOOST_TEST((server.pttl("b") > std::chrono::seconds(500)));
    BOOST_TEST(server.command({"LLEN", "c"}).integer == 1);
}

BOOST_AUTO_TEST_CASE(several_who_want_to_read_enter_at_once_where_nobody_writes) {
    server.command({"SET", "b", "theirs", "PX", "600000"});
    server.command({"RPUSH", "c", "no text"});
    server.command({"ZADD", "rd", "1", "gone"});
    server.command({"ZADD", "re", "99999999999999", "stays"});
    server.command({"PEXPIRE", "re", "600000"});
    const auto said =
        server.command({"EVAL", std::string(text_of(script::read_several)), "10", "a", "b", "c", "d", "e",
                        "ra", "rb", "rc", "rd", "re", "me", "me", "me", "me", "me", "60000"});
    BOOST_REQUIRE(said.elements.size() == 2u);
    BOOST_TEST(said.elements[0].elements[2].text == "theirs");
    BOOST_TEST(said.elements[0].elements[1].integer > 500'000);
    BOOST_TEST(said.elements[0].elements[3].integer == 2);
    BOOST_TEST(said.elements[1].elements[2].text.empty());
    BOOST_TEST(said.elements[1].elements[3].integer == 3);
    for (const char* free : {"ra", "rd", "re"})
        BOOST_TEST(!server.command({"ZSCORE", free, "me"}).text.empty());
    for (const char* written : {"rb", "rc"})
        BOOST_TEST(!server.exists(written));
    BOOST_TEST(server.command({"ZCARD", "rd"}).integer == 1);
    BOOST_TEST(server.command({"ZCARD", "re"}).integer == 2);
    for (const char* brief : {"ra", "rd"}) {
        BOOST_TEST((server.pttl(brief) > std::chrono::seconds(50)));
        BOOST_TEST((server.pttl(brief) <= std::chrono::milliseconds(60'001)));
    }
    BOOST_TEST((server.pttl("re") > std::chrono::seconds(500)));
}

// One of them that cannot be put back does not keep the others from being extended.
BOOST_AUTO_TEST_CASE(a_full_memory_fails_those_alone_that_are_missing) {
    server.command({"SET", "a", "ours", "PX", "1000"});
    server.command({"CONFIG", "SET", "maxmemory", "1"});
    const std::string text(text_of(script::extend_several));
    const auto said = server.command({"EVAL", text, "2", "missing", "a", "ours", "ours", "60000"});
    BOOST_REQUIRE(said.elements.size() == 1u);
    BOOST_TEST(said.elements[0].integer == 1);
    BOOST_TEST((server.pttl("a") > std::chrono::seconds(50)));
}

BOOST_AUTO_TEST_CASE(what_is_proclaimed_lives_as_long_as_the_key_and_only_grows) {
    const std::string token = "c000000000000000000000token";
    BOOST_REQUIRE(token.size() == 27u);
    const auto proclaim = [&](const std::string& by, const std::string& term, const std::string& version,
                              const std::string& value) {
        return server
            .command(
                {"EVAL", std::string(text_of(script::proclaim)), "2", "k", "v", by, term, version, value})
            .integer;
    };
    BOOST_TEST(proclaim(token, "7", "1", "a") == 0);
    BOOST_TEST(!server.exists("v"));
    server.command({"SET", "k", token + ":7", "PX", "60000"});
    BOOST_TEST(proclaim(token, "7", "1", "a:b") == 1);
    BOOST_TEST(server.get("v").value_or("") == "7:1:a:b");
    BOOST_TEST((server.pttl("v") <= std::chrono::seconds(60) && server.pttl("v") > std::chrono::seconds(50)));
    BOOST_TEST(proclaim(token, "7", "10", "") == 1);
    BOOST_TEST(server.get("v").value_or("") == "7:10:");
    // What came before is not put back, but what is there lives on with the key.
    server.command({"PEXPIRE", "k", "600000"});
    for (const auto& [term, version] : {std::pair("7", "9"), std::pair("6", "11")})
        BOOST_TEST(proclaim(token, term, version, "older") == 1);
    BOOST_TEST(server.get("v").value_or("") == "7:10:");
    BOOST_TEST((server.pttl("v") > std::chrono::seconds(500)));
    BOOST_TEST(proclaim("d000000000000000000000token", "8", "1", "other") == 0);
    BOOST_TEST(server.get("v").value_or("") == "7:10:");
    server.command({"SET", "v", "nothing of ours"});
    BOOST_TEST(proclaim(token, "7", "2", "x") == 1);
    BOOST_TEST(server.get("v").value_or("") == "7:2:x");
    const auto withdraw = [&](const std::string& term) {
        return server.command({"EVAL", std::string(text_of(script::withdraw)), "1", "v", term}).integer;
    };
    BOOST_TEST(withdraw("6") == 0);
    BOOST_TEST(server.exists("v"));
    BOOST_TEST(withdraw("7") == 1);
    BOOST_TEST(withdraw("7") == 0);
    server.command({"SET", "v", "5:1:x"});
    BOOST_TEST(withdraw("9007199254740992") == 1);
    server.command({"SET", "v", "nothing of ours"});
    BOOST_TEST(withdraw("9007199254740992") == 0);
}

BOOST_AUTO_TEST_CASE(extend_extends_repairs_or_leaves_alone) {
    BOOST_TEST(run(script::extend, "k", "ours", "60000") == 2);
    BOOST_TEST(server.get("k").value_or("") == "ours");
    BOOST_TEST((server.pttl("k") > std::chrono::seconds(50)));
    BOOST_TEST(run(script::extend, "k", "ours", "600000") == 1);
    BOOST_TEST((server.pttl("k") > std::chrono::seconds(500)));
    BOOST_TEST(run(script::extend, "k", "theirs", "1000") == 0);
    BOOST_TEST((server.pttl("k") > std::chrono::seconds(500)));
}

BOOST_AUTO_TEST_CASE(a_key_with_fencing_is_ours_whatever_token_it_carries) {
    const std::string ours(core::lock_token::size, 'a');
    const std::string theirs(core::lock_token::size, 'b');
    server.command({"SET", "k", ours + ":17"});
    BOOST_TEST(run_fenced(script::release_retold, theirs, {}) == 0);
    BOOST_TEST(run_fenced(script::advance_fence, theirs, {"20", "60000"}) == 0);
    BOOST_TEST(run_fenced(script::extend_fenced, theirs, {"60000", "20", "60000"}) == 0);
    BOOST_TEST(server.get("k").value_or("") == ours + ":17");
    BOOST_TEST(fence().empty());
    BOOST_TEST(run_fenced(script::release_retold, ours, {}) == 1);
    BOOST_TEST(!server.exists("k"));
    BOOST_TEST(run_fenced(script::release_retold, ours, {}) == 0);
}

BOOST_AUTO_TEST_CASE(a_fence_advances_by_one_or_to_the_proposal) {
    const std::string ours(core::lock_token::size, 'a');
    BOOST_TEST(run_fenced(script::advance_fence, ours, {"20", "60000"}) == 0);
    server.command({"SET", "k", ours + ":1", "PX", "30000"});
    BOOST_TEST(run_fenced(script::advance_fence, ours, {"20", "60000"}) == 20);
    BOOST_TEST(run_fenced(script::advance_fence, ours, {"20", "60000"}) == 21);
    const std::int64_t high = (std::int64_t{1} << 52) + 5;
    BOOST_TEST(run_fenced(script::advance_fence, ours, {std::to_string(high), "60000"}) == high);
    BOOST_TEST(run_fenced(script::advance_fence, ours, {"7", "60000"}) == high + 1);
    BOOST_TEST(fence() == std::to_string(high + 1));
    BOOST_TEST(server.get("k").value_or("") == ours + ":" + std::to_string(high + 1));
    BOOST_TEST((server.pttl("k") > std::chrono::seconds(20)));
    BOOST_TEST((server.pttl("f") > std::chrono::seconds(50)));
}

BOOST_AUTO_TEST_CASE(extending_with_fencing_raises_the_fence_but_never_lowers_it) {
    const std::string ours(core::lock_token::size, 'a');
    BOOST_TEST(run_fenced(script::extend_fenced, ours, {"60000", "20", "60000"}) == 2);
    BOOST_TEST(server.get("k").value_or("") == ours + ":20");
    BOOST_TEST(fence() == "20");
    server.command({"ZADD", "f", "30", "fence"});
    BOOST_TEST(run_fenced(script::extend_fenced, ours, {"600000", "20", "60000"}) == 1);
    BOOST_TEST((server.pttl("k") > std::chrono::seconds(500)));
    BOOST_TEST(fence() == "30");
    // As it comes late, over another connection: the lease has been handed on since.
    server.command({"SET", "k", ours + ":25"});
    BOOST_TEST(run_fenced(script::extend_fenced, ours, {"600000", "20", "60000"}) == 1);
    BOOST_TEST(server.get("k").value_or("") == ours + ":25");
    BOOST_TEST((server.pttl("f") > std::chrono::seconds(50)));
}

BOOST_AUTO_TEST_SUITE_END()
