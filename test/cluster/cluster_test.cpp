// A cluster as a node: locks, and what it says when it cannot have them.

#include "cluster_fixture.hpp"
#include "support/fault_proxy.hpp"

namespace redlock::test {
namespace {

lock_options fenced() {
    lock_options options = patiently();
    options.fencing = true;
    return options;
}

BOOST_FIXTURE_TEST_SUITE(clusters, cluster_fixture)

BOOST_AUTO_TEST_CASE(each_key_is_locked_at_the_server_of_its_slot) {
    client locks(context.get_executor(), settings());
    BOOST_REQUIRE(becomes_ready(locks));
    BOOST_TEST(node(locks).node == cluster.uri());
    for (std::size_t master = 0; master < 3; ++master) {
        const std::string key = key_of(master);
        lease held = lock(locks, key);
        BOOST_TEST(cluster.holders(key) == 1u);
        BOOST_TEST(cluster.master(master).exists(key));
        BOOST_TEST(try_lock(locks, key) == errc::held);
        BOOST_TEST(!unlock(held));
        BOOST_TEST(cluster.holders(key) == 0u);
    }
    close(locks);
}

BOOST_AUTO_TEST_CASE(the_others_are_found_through_the_one_that_is_named) {
    config c = settings();
    c.nodes[0] = cluster.uri({1});
    client locks(context.get_executor(), c);
    for (std::size_t master = 0; master < 3; ++master)
        BOOST_TEST(!try_lock(locks, key_of(master), patiently()));
}

BOOST_AUTO_TEST_CASE(fences_are_in_the_slots_of_their_keys) {
    client locks(context.get_executor(), settings());
    std::uint64_t last = 0;
    for (const std::string key : {"plain", "{tag}ged", "no}tag", "no}tag", "plain"}) {
        lease held = lock(locks, key, fenced());
        BOOST_TEST(held.fencing_token().value() > last);
        last = held.fencing_token().value();
        BOOST_TEST(!extend(held, 2 * long_ttl));
        BOOST_TEST(!unlock(held));
    }
    BOOST_TEST(cluster.holders("{plain}:redlock-fence") == 1u);
    BOOST_TEST(cluster.holders("{tag}ged:redlock-fence") == 1u);
}

BOOST_AUTO_TEST_CASE(leaders_are_told_of_by_the_server_of_their_name) {
    client locks(context.get_executor(), settings());
    client observes(context.get_executor(), settings());
    BOOST_REQUIRE(becomes_ready(locks));
    BOOST_REQUIRE(becomes_ready(observes));
    const auto await = [&](auto& got) {
        BOOST_REQUIRE(run_until([&] { return got.done(); }));
        BOOST_REQUIRE_MESSAGE(!got.error(), got.error().message());
    };
    for (const std::string name : {"plain", "{tag}ged", "no}tag"}) {
        outcome<leader_info> told;
        observes.async_observe(name, {}, told.handler());
        await(told);
        BOOST_TEST(!told.value().present);
        outcome<leader_info> next;
        observes.async_observe(name, told.value().mark, next.handler());
        outcome<leadership> leads;
        locks.async_campaign(name, "me", patiently(), leads.handler());
        await(leads);
        await(next);
        BOOST_TEST((next.value().mark == leader_mark{leads.value().term(), 1}));
        outcome<leader_info> last;
        observes.async_observe(name, next.value().mark, last.handler());
        BOOST_TEST(!unlock(leads.value()));
        await(last);
        BOOST_TEST(!last.value().present);
    }
    BOOST_TEST(cluster.holders("{plain}:redlock-leader") == 0u);
}

BOOST_AUTO_TEST_CASE(a_waiter_is_woken_by_the_server_of_its_key) {
    client first(context.get_executor(), settings());
    client second(context.get_executor(), settings());
    BOOST_REQUIRE(becomes_ready(first));
    BOOST_REQUIRE(becomes_ready(second));
    for (std::size_t master = 0; master < 3; ++master) {
        const std::string key = key_of(master);
        lease held = lock(first, key, patiently());
        outcome<lease> waiting;
        second.async_lock(key, patiently(), waiting.handler());
        BOOST_TEST(run_until([&] { return listeners(master, key) == 1; }));
        BOOST_TEST(!unlock(held));
        BOOST_REQUIRE(run_until([&] { return waiting.done(); }));
        BOOST_TEST(!waiting.error());
        BOOST_TEST(!unlock(waiting.value()));
    }
}

BOOST_AUTO_TEST_CASE(a_writer_is_woken_by_the_last_reader) {
    client first(context.get_executor(), settings());
    client second(context.get_executor(), settings());
    BOOST_REQUIRE((becomes_ready(first) && becomes_ready(second)));
    for (std::size_t master = 0; master < 3; ++master) {
        const std::string key = key_of(master);
        lock_options options = patiently();
        options.mode = mode::read;
        lease reader = lock(first, key, options);
        options.mode = mode::write;
        outcome<lease> writer;
        second.async_lock(key, options, writer.handler());
        BOOST_TEST(run_until([&] { return listeners(master, "{" + key + "}:redlock-readers") == 1; }));
        BOOST_TEST(!unlock(reader));
        BOOST_REQUIRE(run_until([&] { return writer.done(); }));
        BOOST_TEST(!writer.error());
        BOOST_TEST(!unlock(writer.value()));
    }
}

BOOST_AUTO_TEST_CASE(a_cluster_has_one_vote_of_several) {
    cluster_fixture three(2);
    client locks(three.context.get_executor(), three.settings());
    BOOST_REQUIRE(three.becomes_ready(locks));
    const std::string key = three.key_of(2);
    lease held = three.lock(locks, key, fenced());
    BOOST_TEST(three.cluster.holders(key) == 1u);
    BOOST_TEST(three.nodes.holders(key) == 2u);
    BOOST_TEST(!three.unlock(held));
    three.nodes[0].kill();
    BOOST_TEST(!three.try_lock(locks, key, patiently()));
}

BOOST_AUTO_TEST_CASE(a_server_that_is_a_node_and_one_of_a_cluster_is_refused) {
    config c = settings();
    c.nodes = {cluster.uri({0, 1}), cluster.master(1).uri(), cluster.master(2).uri()};
    BOOST_CHECK_EXCEPTION(client(context.get_executor(), c), std::system_error,
                          [](const auto& e) { return e.code() == errc::duplicate_node; });
}

BOOST_AUTO_TEST_CASE(nor_is_it_under_an_address_that_nobody_knows_it_by) {
    fault_proxy way(cluster.master(1).port());
    way.refuse();
    config c = settings();
    c.nodes = {cluster.uri(), way.uri()};
    client locks(context.get_executor(), c);
    BOOST_REQUIRE(becomes(locks, "ready"));
    way.pass();
    const auto other = [&] { return locks.metrics().nodes.back(); };
    BOOST_TEST(run_until([&] { return other().last_error == errc::duplicate_node; }));
    BOOST_TEST(other().last_error_text.ends_with("is the same server as " + cluster.uri()));
    BOOST_TEST(node(locks).state == "ready");
}

BOOST_AUTO_TEST_CASE(events_are_set_on_all_servers_whichever_lacks_them) {
    const auto flags = [&](std::size_t master) {
        return cluster.master(master)
            .command({"CONFIG", "GET", "notify-keyspace-events"})
            .elements.at(1)
            .text;
    };
    for (std::size_t lacking = 0; lacking < 3; ++lacking) {
        cluster.master(lacking).command({"CONFIG", "SET", "notify-keyspace-events", ""});
        config c = settings();
        c.configure_servers = true;
        client locks(context.get_executor(), c);
        BOOST_TEST(run_until([&] { return !flags(lacking).empty(); }));
        BOOST_TEST(flags(lacking) == flags((lacking + 1) % 3));
        close(locks);
    }
}

BOOST_AUTO_TEST_CASE(a_server_without_a_cluster_is_named_as_the_reason) {
    redis_server alone;
    config c = settings();
    c.nodes[0] = "redis+cluster://127.0.0.1:" + std::to_string(alone.port());
    client locks(context.get_executor(), c);
    BOOST_TEST(becomes(locks, "unavailable"));
    BOOST_TEST(has_word(locks, "cluster support disabled"), node(locks).last_error_text);
    BOOST_TEST(try_lock(locks, "key") == errc::server_error);
}

BOOST_AUTO_TEST_CASE(a_cluster_is_examined) {
    client locks(context.get_executor(), settings());
    BOOST_REQUIRE(becomes_ready(locks));
    const auto found = run(locks.async_examine(asio::use_awaitable));
    BOOST_REQUIRE(found.size() == 1u);
    BOOST_TEST(found[0].node == cluster.uri());
    BOOST_TEST(found[0].mode == "cluster");
    BOOST_TEST(!found[0].error);
    BOOST_TEST(found[0].missing_rights.empty());
    close(locks);
}

BOOST_AUTO_TEST_SUITE_END()

struct scattered_cluster : cluster_fixture {
    scattered_cluster() : cluster_fixture(0, {.scattered = true}) {}
};

BOOST_FIXTURE_TEST_SUITE(scattered_clusters, scattered_cluster)

// The longest list of slots that there can be.
BOOST_AUTO_TEST_CASE(each_slot_may_have_another_owner_than_the_one_before) {
    client locks(context.get_executor(), settings());
    BOOST_REQUIRE(becomes_ready(locks));
    for (std::size_t master = 0; master < 3; ++master) {
        const std::string key = key_of(master);
        lease held = lock(locks, key);
        BOOST_TEST(cluster.master(master).exists(key));
        BOOST_TEST(!unlock(held));
    }
    close(locks);
}

BOOST_AUTO_TEST_SUITE_END()

struct password_cluster : cluster_fixture {
    password_cluster() : cluster_fixture(0, {.password = "hunter2"}) {}
};

BOOST_FIXTURE_TEST_SUITE(cluster_logins, password_cluster)

BOOST_AUTO_TEST_CASE(the_login_is_that_of_all_servers) {
    client locks(context.get_executor(), settings());
    for (std::size_t master = 0; master < 3; ++master)
        BOOST_TEST(!try_lock(locks, key_of(master), patiently()));
}

BOOST_AUTO_TEST_CASE(a_wrong_password_is_told_and_not_shown) {
    config c = settings();
    c.nodes[0].replace(c.nodes[0].find("hunter2"), 7, "wrongpass");
    client locks(context.get_executor(), c);
    BOOST_TEST(becomes(locks, "unavailable"));
    BOOST_TEST(run_until([&] { return node(locks).last_error == errc::authentication_failed; }));
    BOOST_TEST(!has_word(locks, "wrongpass"));
    BOOST_TEST(try_lock(locks, "key") == errc::authentication_failed);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
