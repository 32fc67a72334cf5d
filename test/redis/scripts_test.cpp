#include "client/entropy.hpp"
#include "core/lock_token.hpp"
#include "engines/redis/dialect/scripts.hpp"
#include "support/redis_server.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

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
    for (const script s : {script::release, script::extend, script::release_retold, script::extend_fenced,
                           script::advance_fence, script::release_several, script::queue})
        BOOST_TEST(server.command({"SCRIPT", "LOAD", std::string(text_of(s))}).text == hash_of(s));
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
