// Which locks there are, on real nodes.

#include "lock_fixture.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <string>
#include <tuple>
#include <vector>

namespace redlock::test {
namespace {

using names = std::vector<std::string>;

struct list_fixture : lock_fixture {
    client make(const std::string& prefix = {}) {
        config c = settings();
        c.key_prefix = prefix;
        return client(context.get_executor(), c);
    }
    std::tuple<error_code, key_list> ask(client& by, const std::string& beginning = {}) {
        return run(by.async_list(beginning, asio::as_tuple(asio::use_awaitable)));
    }
    names list(client& by, const std::string& beginning = {}) {
        auto [failure, found] = ask(by, beginning);
        BOOST_TEST(!failure);
        BOOST_TEST(!found.more);
        return found.keys;
    }

    client locks = make();
    list_fixture() { BOOST_REQUIRE(becomes_ready(locks)); }
};

BOOST_FIXTURE_TEST_SUITE(listing, list_fixture)

BOOST_AUTO_TEST_CASE(what_is_held_read_or_waited_for_is_listed) {
    BOOST_TEST(list(locks).empty());
    lease held = lock(locks, "b");
    lease fenced = lock(locks, "a", {.fencing = true});
    lease reading = lock(locks, "c", {.mode = mode::read});
    lease permit = lock(locks, "d", {.permits = 2});
    nodes[0].command({"SET", "another's", "value"});
    nodes[0].command({"RPUSH", "list", "value"});
    const std::string slot = "d:" + std::to_string(permit.slot());
    BOOST_TEST(run_until([&] { return list(locks) == names({"a", "b", "c", slot}); }));
    BOOST_TEST(list(locks, "b") == names({"b"}), boost::test_tools::per_element());
    for (lease* each : {&held, &fenced, &reading, &permit})
        BOOST_TEST(!unlock(*each));
    BOOST_TEST(run_until([&] { return list(locks).empty(); }));
}

BOOST_AUTO_TEST_CASE(keys_are_those_of_the_clients_prefix_and_without_it) {
    client app = make("app*:");
    client other = make("app1:");
    lease ours = lock(app, "key");
    lease theirs = lock(other, "another");
    BOOST_TEST(run_until([&] { return list(app) == names({"key"}); }));
    BOOST_TEST(run_until([&] { return list(locks) == names({"app*:key", "app1:another"}); }));
}

BOOST_AUTO_TEST_CASE(many_are_found_although_no_node_has_all) {
    std::vector<lease> held;
    names all;
    for (int i = 100; i < 400; ++i)
        all.push_back("key" + std::to_string(i));
    for (const std::string& key : all)
        locks.async_lock(key, {.renew = false}, [&](error_code ec, lease l) {
            if (!ec) held.push_back(std::move(l));
        });
    BOOST_REQUIRE(run_until([&] { return held.size() == all.size(); }));
    for (int i = 0; i < 3000; ++i)
        nodes[1].command({"SET", "other" + std::to_string(i), "value"});
    nodes[0].command({"FLUSHALL"});
    nodes[2].stop();
    BOOST_TEST(list(locks, "key") == all, boost::test_tools::per_element());
    nodes[2].resume();
}

BOOST_AUTO_TEST_CASE(nodes_that_do_not_answer_say_why) {
    for (auto& node : nodes)
        node.command({"ACL", "SETUSER", "default", "-scan"});
    BOOST_TEST(std::get<0>(ask(locks)) == errc::permission_denied);
    for (auto& node : nodes)
        node.kill();
    BOOST_TEST(run_until([&] { return std::get<0>(ask(locks)) == errc::no_quorum; }));
}

BOOST_AUTO_TEST_CASE(a_closed_client_lists_nothing) {
    close(locks);
    BOOST_TEST(std::get<0>(ask(locks)) == errc::closed);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
