#include "lock_fixture.hpp"

#include <redlock/node_examination.hpp>

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace redlock::test {
namespace {

struct examine_test_fixture : event_loop {
    std::vector<node_examination> examine(config c) {
        c.node_timeout = 3s;
        client locks(context.get_executor(), std::move(c));
        std::vector<node_examination> found = run(locks.async_examine(asio::use_awaitable));
        run(locks.async_close(asio::use_awaitable));
        return found;
    }

    static bool misses(const node_examination& node, purpose needed_for, const std::string& rule) {
        return std::ranges::any_of(node.missing_rights, [&](const missing_right& right) {
            return right.needed_for == needed_for && right.rule == rule;
        });
    }
};

BOOST_FIXTURE_TEST_SUITE(examination, examine_test_fixture)

BOOST_AUTO_TEST_CASE(a_node_tells_what_it_is) {
    redis_server kept(
        {.directives = {"notify-keyspace-events KEA", "maxmemory 100mb", "maxmemory-policy allkeys-lru"},
         .persistent = true});
    redis_server bare({.directives = {"save 60 1000", "rename-command HELLO \"\""}});
    const auto found = examine({.nodes = {kept.uri(), bare.unix_uri()}});
    BOOST_REQUIRE(found.size() == 2u);
    for (const node_examination& node : found) {
        BOOST_TEST(!node.error);
        BOOST_TEST(node.error_text.empty());
        BOOST_TEST(!node.refusal);
        BOOST_TEST(node.product == kept.product());
        BOOST_TEST(node.version == kept.version());
        BOOST_TEST(node.role == "master");
        BOOST_TEST(node.mode == "standalone");
        BOOST_TEST(node.uptime.has_value());
        BOOST_TEST(
            (node.least_round_trip.value() > 0ns && *node.least_round_trip <= *node.median_round_trip));
        // The server's clock is this machine's. Only a jump of it meanwhile could make more of it.
        BOOST_TEST(
            (node.clock->ahead <= node.clock->uncertainty && -node.clock->ahead <= node.clock->uncertainty));
        BOOST_TEST((!node.same_server_as && !node.replica_of));
        BOOST_TEST(node.missing_rights.empty());
        BOOST_TEST(node.append_fsync == "always");
    }
    BOOST_TEST(found[0].node == kept.uri() + "/0");
    BOOST_TEST(found[0].protocol == 3u);
    BOOST_TEST(found[0].run_id == kept.info("run_id"));
    BOOST_TEST((*found[0].append_only && !*found[0].snapshots));
    BOOST_TEST(found[0].eviction_policy == "allkeys-lru");
    BOOST_TEST(*found[0].memory_is_limited);
    BOOST_TEST((found[0].keyspace_events->find('K') != std::string::npos));
    BOOST_TEST((found[0].wakeup == wakeup::keyspace_events));
    BOOST_TEST(found[1].protocol == 2u);
    BOOST_TEST((!*found[1].append_only && *found[1].snapshots));
    BOOST_TEST(!*found[1].memory_is_limited);
    BOOST_TEST(found[1].keyspace_events->empty());
    BOOST_TEST((found[1].wakeup == wakeup::timed));
    BOOST_TEST(kept.key_count() + bare.key_count() == 0);
}

BOOST_AUTO_TEST_CASE(replicas_and_servers_under_two_addresses_are_recognised) {
    redis_server master;
    redis_server replica({.directives = {fmt::format("replicaof 127.0.0.1 {}", master.port())}});
    BOOST_REQUIRE(run_until([&] { return replica.info("master_link_status") == "up"; }));
    const auto found = examine({.nodes = {master.uri(), replica.unix_uri(), master.unix_uri()}});
    BOOST_TEST(found[0].role == "master");
    BOOST_TEST((!found[0].same_server_as && !found[0].replica_of));
    BOOST_TEST(found[1].role == "replica");
    BOOST_TEST(found[1].master == fmt::format("127.0.0.1:{}", master.port()));
    BOOST_TEST((found[1].replica_of == 0u));
    BOOST_TEST(found[1].refusal == errc::read_only);
    BOOST_TEST((found[2].same_server_as == 0u));
    // Whichever of the two was connected first keeps the other out.
    BOOST_TEST((found[0].refusal == errc::duplicate_node || found[2].refusal == errc::duplicate_node));
}

BOOST_AUTO_TEST_CASE(a_node_that_cannot_be_examined_says_why) {
    redis_server up({.password = "right"});
    redis_server locked({.password = "right"});
    redis_server stopped;
    redis_server gone;
    gone.kill();
    stopped.stop();
    client locks(context.get_executor(),
                 {.nodes = {up.uri("", "right"), locked.uri("", "wrong-secret"), stopped.uri(), gone.uri()}});
    const auto found = run(locks.async_examine(asio::use_awaitable));
    BOOST_TEST(!found[0].error);
    BOOST_TEST(found[1].error == errc::authentication_failed);
    BOOST_TEST((found[2].error == errc::node_timeout || found[2].error == errc::node_unavailable));
    BOOST_TEST(found[2].error_text.starts_with(stopped.uri()));
    BOOST_TEST(found[3].error == errc::node_unavailable);
    BOOST_TEST(found[3].error_text.find("refused") != std::string::npos);
    for (const node_examination& node : found) {
        BOOST_TEST((!!node.error == node.run_id.empty()));
        BOOST_TEST(node.node.find("right") == std::string::npos);
        BOOST_TEST(node.error_text.find("secret") == std::string::npos);
        BOOST_TEST(node.refusal_text.find("secret") == std::string::npos);
    }
}

BOOST_AUTO_TEST_CASE(rights_that_a_user_lacks_are_found) {
    const std::string all = "user full on >secret ~lock:* &__keyspace@0__:lock:* &redlock:* +@all";
    const std::string few =
        "user few on >secret ~lock:* resetchannels -@all +set +get +eval +evalsha +subscribe +ping";
    const std::string other_keys = "user other on >secret ~other:* resetchannels +@all -acl";
    redis_server server(
        {.directives = {all, few, other_keys, "notify-keyspace-events KEA", "rename-command PTTL \"\""}});
    const auto look = [&](const std::string& user) {
        return examine({.nodes = {server.uri(user, "secret")}, .key_prefix = "lock:"}).at(0);
    };
    const node_examination full = look("full");
    BOOST_REQUIRE(full.missing_rights.size() == 1u);
    BOOST_TEST(full.missing_rights[0].rule == "+pttl");
    BOOST_TEST(full.missing_rights[0].no_command);
    BOOST_TEST(server.key_count() == 0);

    const node_examination lacking = look("few");
    BOOST_TEST(!lacking.error);
    // Everybody may say HELLO.
    BOOST_TEST(lacking.version == full.version);
    BOOST_TEST(lacking.run_id.empty());
    BOOST_TEST((!lacking.uptime && !lacking.append_only && !lacking.keyspace_events && !lacking.clock));
    BOOST_TEST((lacking.least_round_trip > 0ns));
    for (const char* rule : {"+del", "+pexpire", "+pttl"})
        BOOST_TEST(misses(lacking, purpose::locking, rule), rule);
    for (const char* rule : {"+set", "+get", "+eval", "+evalsha", "~lock:*"})
        BOOST_TEST(!misses(lacking, purpose::locking, rule), rule);
    BOOST_TEST(misses(lacking, purpose::recognition, "+info"));
    BOOST_TEST(misses(lacking, purpose::keyspace_events, "&__keyspace@0__:lock:*"));
    BOOST_TEST(misses(lacking, purpose::keyspace_events, "+pubsub|numsub"));
    BOOST_TEST(misses(lacking, purpose::client_tracking, "+client|tracking"));
    for (const char* rule : {"+publish", "+pubsub|numsub", "+time", "+zadd", "+zrem", "+zrank", "+zrange",
                             "+zrangebyscore", "+zpopmin"})
        BOOST_TEST(misses(lacking, purpose::queues, rule), rule);
    for (const char* rule :
         {"+time", "+exists", "+zadd", "+zrange", "+zrem", "+zscore", "+zremrangebyscore", "+pexpireat"})
        BOOST_TEST(misses(lacking, purpose::reading, rule), rule);
    BOOST_TEST(misses(lacking, purpose::fencing, "+zadd"));
    BOOST_TEST(misses(lacking, purpose::restart_guard, "+time"));
    BOOST_TEST(misses(lacking, purpose::configuration, "+config|get"));
    BOOST_TEST(misses(lacking, purpose::configuration, "+config|set"));

    const node_examination astray = look("other");
    BOOST_TEST(astray.run_id == server.info("run_id"));
    BOOST_TEST(misses(astray, purpose::queues, "&redlock:*"));
    BOOST_TEST(misses(astray, purpose::locking, "~lock:*"));
    BOOST_TEST(misses(astray, purpose::fencing, "~lock:*"));
    BOOST_TEST(misses(astray, purpose::reading, "~lock:*"));
    BOOST_TEST(!misses(astray, purpose::locking, "+set"));
}

BOOST_AUTO_TEST_CASE(closing_the_client_ends_an_examination) {
    redis_server stopped;
    stopped.stop();
    client locks(context.get_executor(), {.nodes = {stopped.uri()}, .node_timeout = 60s});
    outcome<std::vector<node_examination>> result;
    locks.async_examine(result.handler());
    BOOST_REQUIRE(!run_until(100ms, [&] { return result.done(); }));
    run(locks.async_close(asio::use_awaitable));
    BOOST_TEST(run_until([&] { return result.done(); }));
    BOOST_TEST(result.error() == errc::closed);
    outcome<std::vector<node_examination>> late;
    locks.async_examine(late.handler());
    BOOST_TEST(run_until([&] { return late.done(); }));
    BOOST_TEST(late.error() == errc::closed);
}

BOOST_AUTO_TEST_CASE(an_examination_goes_with_the_loop_that_it_runs_on) {
    redis_server server;
    asio::io_context short_lived{1};
    client locks(short_lived.get_executor(), {.nodes = {server.uri()}});
    outcome<std::vector<node_examination>> result;
    locks.async_examine(result.handler());
    for (int step = 0; step < 8; ++step)
        short_lived.run_one_for(20ms);
    BOOST_TEST(!result.done());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
