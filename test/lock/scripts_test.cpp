#include "lock/entropy.hpp"
#include "lock/scripts.hpp"
#include "support/redis_server.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

using namespace redlock;
using namespace redlock::lock;

namespace {

struct with_server {
    test::redis_server server;

    std::int64_t run(script s, std::string key, std::string token, std::string life = {}) {
        std::vector<std::string> words{"EVAL", std::string(text_of(s)), "1", std::move(key),
                                       std::move(token)};
        if (!life.empty()) words.push_back(std::move(life));
        return server.command(words).integer;
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(scripts_on_a_server, with_server)

BOOST_AUTO_TEST_CASE(hashes_are_those_the_server_computes) {
    for (const script s : {script::release, script::extend})
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

BOOST_AUTO_TEST_CASE(extend_extends_repairs_or_leaves_alone) {
    BOOST_TEST(run(script::extend, "k", "ours", "60000") == 2);
    BOOST_TEST(server.get("k").value_or("") == "ours");
    BOOST_TEST((server.pttl("k") > std::chrono::seconds(50)));
    BOOST_TEST(run(script::extend, "k", "ours", "600000") == 1);
    BOOST_TEST((server.pttl("k") > std::chrono::seconds(500)));
    BOOST_TEST(run(script::extend, "k", "theirs", "1000") == 0);
    BOOST_TEST((server.pttl("k") > std::chrono::seconds(500)));
}

BOOST_AUTO_TEST_SUITE_END()
