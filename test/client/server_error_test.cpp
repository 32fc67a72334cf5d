#include "lock_fixture.hpp"

#include <boost/test/unit_test.hpp>

namespace redlock::test {
namespace {

struct plain {
    explicit plain(const redis_options& options = {}, std::size_t count = 3) : f(count, options) {}
    config settings(std::vector<std::string> uris) {
        config c = f.settings();
        c.nodes = std::move(uris);
        return c;
    }
    lock_fixture f;
};

bool tells_nothing_of(const client& locks, const std::string& secret) {
    for (const node_metrics& node : locks.metrics().nodes)
        if ((node.node + node.last_error_text + node.last_error.message()).find(secret) != std::string::npos)
            return false;
    return true;
}

std::vector<std::string> uris_as(node_set& nodes, const char* user, const char* password) {
    std::vector<std::string> all;
    for (auto& node : nodes)
        all.push_back(node.uri(user, password));
    return all;
}

BOOST_AUTO_TEST_SUITE(server_error)

BOOST_AUTO_TEST_CASE(a_password_opens_the_nodes_and_a_wrong_one_does_not) {
    plain t(
        {.directives = {"user worker on >w%rd ~app:* &* +@all"}, .password = "hunter2", .persistent = false});
    client right(t.f.context.get_executor(), t.settings(uris_as(t.f.nodes, "", "hunter2")));
    BOOST_TEST(!t.f.try_lock(right, "key"));
    client user(t.f.context.get_executor(), t.settings(uris_as(t.f.nodes, "worker", "w%25rd")));
    BOOST_TEST(!t.f.try_lock(user, "app:key"));
    BOOST_TEST(t.f.try_lock(user, "key") == errc::permission_denied);

    client wrong(t.f.context.get_executor(), t.settings(uris_as(t.f.nodes, "worker", "hunter3")));
    BOOST_TEST(t.f.try_lock(wrong, "app:key") == errc::authentication_failed);
    BOOST_TEST(tells_nothing_of(wrong, "hunter3"));
    BOOST_TEST(
        t.f.run_until([&] { return wrong.metrics().nodes.at(0).last_error == errc::authentication_failed; }));
    client none(t.f.context.get_executor(), t.settings(t.f.nodes.uris()));
    BOOST_TEST(t.f.try_lock(none, "key") == errc::authentication_failed);
}

BOOST_AUTO_TEST_CASE(one_node_with_another_password_does_no_harm) {
    plain t({.directives = {}, .password = "hunter2", .persistent = false});
    std::vector<std::string> uris = uris_as(t.f.nodes, "", "hunter2");
    uris[1] = t.f.nodes[1].uri("", "hunter3");
    client locks(t.f.context.get_executor(), t.settings(uris));
    BOOST_TEST(!t.f.try_lock(locks, "key"));
    BOOST_TEST(t.f.becomes_ready(locks, 2));
    BOOST_TEST(tells_nothing_of(locks, "hunter"));
}

BOOST_AUTO_TEST_CASE(a_forbidden_command_is_named_so) {
    plain t({.directives = {"user locker on >word ~* &* +@all -set"}, .password = {}, .persistent = false});
    client locks(t.f.context.get_executor(), t.settings(uris_as(t.f.nodes, "locker", "word")));
    BOOST_TEST(t.f.try_lock(locks, "key") == errc::permission_denied);
}

BOOST_AUTO_TEST_CASE(a_command_the_server_does_not_have_is_a_server_error) {
    plain t({.directives = {"rename-command SET \"\""}, .password = {}, .persistent = false});
    client locks(t.f.context.get_executor(), t.settings(t.f.nodes.uris()));
    BOOST_TEST(t.f.try_lock(locks, "key") == errc::server_error);
}

BOOST_AUTO_TEST_CASE(a_key_of_another_type_is_left_alone) {
    plain t;
    for (auto& node : t.f.nodes)
        node.command({"RPUSH", "key", "element"});
    client locks(t.f.context.get_executor(), t.settings(t.f.nodes.uris()));
    BOOST_TEST(t.f.try_lock(locks, "key") == errc::wrong_type);
    BOOST_TEST(t.f.try_lock(locks, "key", patiently()) == errc::wrong_type);
    t.f.close(locks);
    for (auto& node : t.f.nodes)
        BOOST_TEST(node.command({"LRANGE", "key", "0", "-1"}).elements.at(0) == "element");
}

BOOST_AUTO_TEST_CASE(a_lock_taken_over_by_another_type_is_lost_and_left_alone) {
    plain t;
    client locks(t.f.context.get_executor(), t.settings(t.f.nodes.uris()));
    lease held = t.f.lock(locks, "key", {.ttl = 6s});
    BOOST_REQUIRE(t.f.run_until([&] { return t.f.nodes.holders("key") == 3; }));
    for (auto& node : t.f.nodes) {
        node.command({"DEL", "key"});
        node.command({"RPUSH", "key", "element"});
    }
    BOOST_TEST(t.f.run_until([&] { return held.stop_token().stop_requested(); }));
    t.f.close(locks);
    for (auto& node : t.f.nodes)
        BOOST_TEST(node.command({"LLEN", "key"}) == 1);
}

BOOST_AUTO_TEST_CASE(a_server_without_memory_says_so) {
    plain t;
    client locks(t.f.context.get_executor(), t.settings(t.f.nodes.uris()));
    lease held = t.f.lock(locks, "held", {.ttl = 3s});
    for (auto& node : t.f.nodes)
        node.command({"CONFIG", "SET", "maxmemory", "1"});
    BOOST_TEST(t.f.try_lock(locks, "key") == errc::out_of_memory);
    BOOST_TEST(t.f.try_lock(locks, "key", patiently()) == errc::out_of_memory);
    // What is held can be kept and given back: neither needs memory.
    BOOST_TEST(t.f.run_until([&] { return locks.metrics().renewals > 0; }));
    BOOST_TEST(held.valid());
    BOOST_TEST(!t.f.unlock(held));
    BOOST_TEST(t.f.becomes_free("held"));
    for (auto& node : t.f.nodes)
        node.command({"CONFIG", "SET", "maxmemory", "0"});
    BOOST_TEST(!t.f.try_lock(locks, "key"));
}

BOOST_AUTO_TEST_CASE(a_replica_is_read_only) {
    node_set masters(2);
    plain t;
    for (auto& node : t.f.nodes)
        node.command({"REPLICAOF", "127.0.0.1", std::to_string(masters[0].port())});
    client locks(t.f.context.get_executor(), t.settings(t.f.nodes.uris()));
    BOOST_TEST(t.f.run_until([&] { return t.f.try_lock(locks, "key") == errc::read_only; }));
    BOOST_TEST(masters[0].key_count() == 0);
    t.f.close(locks);

    // One that becomes a replica under our hands.
    client others(t.f.context.get_executor(), t.settings(masters.uris()));
    BOOST_TEST(!t.f.try_lock(others, "key"));
    masters[1].command({"REPLICAOF", "127.0.0.1", std::to_string(masters[0].port())});
    BOOST_TEST(t.f.run_until([&] { return t.f.try_lock(others, "key") == errc::read_only; }));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
