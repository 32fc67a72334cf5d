// How a client finds the master of a group, and what it says when it does not.

#include "group_fixture.hpp"

namespace redlock::test {
namespace {

BOOST_FIXTURE_TEST_SUITE(sentinels, group_fixture)

BOOST_AUTO_TEST_CASE(a_group_is_one_node_of_the_quorum) {
    client locks(context.get_executor(), settings());
    BOOST_REQUIRE(becomes_ready(locks));
    BOOST_TEST(node(locks).node == group.uri() + "/0");
    lease held = lock(locks, "key", {.fencing = true});
    BOOST_TEST(group.server(0).exists("key"));
    BOOST_TEST(nodes.holders("key") == 2u);
    BOOST_TEST(try_lock(locks, "key") == errc::held);
    BOOST_TEST(!unlock(held));
    BOOST_TEST(!group.server(0).exists("key"));
    close(locks);
}

BOOST_AUTO_TEST_CASE(an_examination_tells_of_the_master_and_how_it_minds_its_replicas) {
    group.server(0).command({"CONFIG", "SET", "min-replicas-to-write", "1"});
    group.server(0).command({"CONFIG", "SET", "min-replicas-max-lag", "7"});
    client locks(context.get_executor(), settings());
    BOOST_REQUIRE(becomes_ready(locks));
    const auto found = run(locks.async_examine(asio::use_awaitable));
    BOOST_REQUIRE(found.size() == 3u);
    BOOST_TEST(found[0].node == group.uri() + "/0");
    BOOST_TEST(found[0].group_master == "127.0.0.1:" + std::to_string(group.server(0).port()));
    BOOST_TEST(found[0].role == "master");
    BOOST_TEST(found[0].replicas_needed.value() == 1u);
    BOOST_TEST((found[0].replicas_longest_lag.value() == 7s));
    BOOST_TEST(!found[0].error);
    BOOST_TEST(found[1].group_master == "");
    close(locks);
}

BOOST_AUTO_TEST_CASE(the_others_are_found_through_the_one_that_is_named) {
    config c = settings();
    c.nodes[0] = group.uri({1});
    client locks(context.get_executor(), c);
    BOOST_REQUIRE(becomes_ready(locks));
    group.kill_sentinel(1);
    nodes[0].kill();
    // For longer than what the killed one said counts.
    BOOST_TEST(!run_until(4s, [&] { return node(locks).state != "ready"; }));
    BOOST_TEST(!try_lock(locks, "key"));
}

BOOST_AUTO_TEST_CASE(it_votes_while_a_majority_of_its_sentinels_can_be_asked) {
    client locks(context.get_executor(), settings());
    BOOST_REQUIRE(becomes_ready(locks));
    group.kill_sentinel(0);
    BOOST_TEST(!run_until(4s, [&] { return node(locks).state != "ready"; }));
    group.kill_sentinel(1);
    BOOST_TEST(becomes(locks, "unavailable"));
    BOOST_TEST(node(locks).last_error == errc::node_unavailable);
    BOOST_TEST(has_word(locks, "has no master: 1 of its Sentinels name the same one, and 2 are needed"),
               node(locks).last_error_text);
    BOOST_TEST(!try_lock(locks, "key")); // by the servers
    nodes[0].kill();
    BOOST_TEST(try_lock(locks, "key") == errc::no_quorum);
}

BOOST_AUTO_TEST_CASE(a_sentinel_that_stands_still_is_not_waited_for) {
    group.sentinel(2).stop();
    client locks(context.get_executor(), settings());
    BOOST_TEST(becomes_ready(locks));
    group.sentinel(1).stop();
    BOOST_TEST(becomes(locks, "unavailable"));
    group.sentinel(1).resume();
    BOOST_TEST(becomes(locks, "ready"));
}

BOOST_AUTO_TEST_CASE(a_group_that_the_sentinels_do_not_know_is_named_as_the_reason) {
    config c = settings();
    c.nodes[0] = c.nodes[0].substr(0, c.nodes[0].rfind('/')) + "/other";
    client locks(context.get_executor(), c);
    BOOST_TEST(becomes(locks, "unavailable"));
    BOOST_TEST(run_until([&] { return has_word(locks, "says of other: ERR No such master with that name"); }),
               node(locks).last_error_text);
}

BOOST_AUTO_TEST_CASE(a_server_that_is_no_sentinel_is_named_as_the_reason) {
    config c = settings();
    c.nodes[0] = "redis+sentinel://127.0.0.1:" + std::to_string(nodes[0].port()) + "/group";
    client locks(context.get_executor(), c);
    BOOST_TEST(becomes(locks, "unavailable"));
    BOOST_TEST(run_until([&] { return has_word(locks, "unknown command"); }), node(locks).last_error_text);
}

BOOST_AUTO_TEST_CASE(one_server_that_is_a_node_and_the_master_of_a_group_has_one_vote) {
    config c = settings();
    c.nodes[1] = group.server(0).uri();
    client locks(context.get_executor(), c);
    BOOST_REQUIRE(lock_fixture::becomes_ready(locks, 2));
    BOOST_TEST(run_until([&] {
        const auto all = locks.metrics().nodes;
        return all[0].last_error == errc::duplicate_node || all[1].last_error == errc::duplicate_node;
    }));
}

BOOST_AUTO_TEST_CASE(groups_of_one_name_behind_one_sentinel_are_one) {
    config c = settings();
    c.nodes[1] = group.uri({0});
    BOOST_CHECK_EXCEPTION(client(context.get_executor(), c), std::system_error,
                          [](const auto& e) { return e.code() == errc::duplicate_node; });
}

BOOST_AUTO_TEST_SUITE_END()

struct password_fixture : group_fixture {
    password_fixture() : group_fixture({.password = "hunter2"}) {}
};

BOOST_FIXTURE_TEST_SUITE(sentinel_logins, password_fixture)

BOOST_AUTO_TEST_CASE(sentinels_without_a_password_are_asked_without_one) {
    for (const char* user : {"", "default"}) {
        config c = settings();
        c.nodes[0].insert(c.nodes[0].find(":hunter2"), user);
        client locks(context.get_executor(), c);
        BOOST_TEST(becomes_ready(locks));
        close(locks);
    }
}

BOOST_AUTO_TEST_CASE(sentinels_that_refuse_the_users_login_are_asked_without_one) {
    for (std::size_t i : {0u, 1u})
        group.server(i).command({"ACL", "SETUSER", "locks", "on", ">hunter3", "~*", "&*", "+@all"});
    config c = settings();
    c.nodes[0].replace(c.nodes[0].find(":hunter2"), 8, "locks:hunter3");
    client locks(context.get_executor(), c);
    BOOST_TEST(becomes_ready(locks));
}

BOOST_AUTO_TEST_CASE(credentials_are_asked_for_sentinels_by_their_addresses) {
    std::vector<std::string> asked;
    config c = settings();
    c.nodes[0].replace(c.nodes[0].find(":hunter2"), 8, "nobody:wrong");
    c.credentials = [&](std::string_view name) {
        asked.emplace_back(name);
        return name.starts_with("redis+sentinel://") ? credentials{.user = {}, .password = "hunter2"}
                                                     : credentials{};
    };
    client locks(context.get_executor(), c);
    BOOST_TEST(becomes_ready(locks));
    const std::string sentinel = "sentinel://127.0.0.1:" + std::to_string(group.sentinel(0).port());
    BOOST_TEST(std::ranges::count(asked, sentinel) > 0);
    for (const node_metrics& node : locks.metrics().nodes)
        BOOST_TEST((node.node + node.last_error_text).find("wrong") == std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
