// Which locks there are on the servers of a cluster.

#include "cluster_fixture.hpp"

#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <vector>

namespace redlock::test {
namespace {

using names = std::vector<std::string>;

struct list_in_cluster_fixture : cluster_fixture {
    client locks{context.get_executor(), settings()};

    list_in_cluster_fixture() { BOOST_REQUIRE(becomes_ready(locks)); }

    error_code ask(const std::string& beginning = {}) {
        outcome<key_list> result;
        locks.async_list(beginning, asio::bind_executor(context, result.handler()));
        BOOST_REQUIRE(run_until([&] { return result.done(); }));
        found = std::move(result.value());
        return result.error();
    }
    names list(const std::string& beginning = {}) {
        BOOST_TEST(!ask(beginning));
        return found.keys;
    }
    key_list found;
};

BOOST_FIXTURE_TEST_SUITE(cluster_list, list_in_cluster_fixture)

BOOST_AUTO_TEST_CASE(all_of_its_servers_are_searched) {
    BOOST_TEST(list().empty());
    names keys{key_of(0), key_of(1), key_of(2), "{tag}ged", "no}tag"};
    std::ranges::sort(keys);
    std::vector<lease> held;
    for (const std::string& key : keys)
        held.push_back(lock(locks, key));
    lock_options reads = patiently();
    reads.mode = mode::read;
    lease reading = lock(locks, "read", reads), read_tagged = lock(locks, "{tag}read", reads);
    for (std::size_t master = 0; master < 3; ++master) {
        cluster.master(master).command({"SET", "another's:" + key_of(master), "value"});
        cluster.master(master).command({"SET", key_of(master) + "{" + key_of(master) + "}", "value"});
        cluster.master(master).command({"RPUSH", "{" + key_of(master) + "}list", "value"});
    }
    names all = keys;
    all.insert(all.end(), {"read", "{tag}read"});
    std::ranges::sort(all);
    BOOST_TEST(list() == all, boost::test_tools::per_element());
    BOOST_TEST(list("{tag}") == names({"{tag}ged", "{tag}read"}), boost::test_tools::per_element());
    BOOST_TEST(list("re") == names({"read"}), boost::test_tools::per_element());
    BOOST_TEST(!found.more);
    for (lease& each : held)
        BOOST_TEST(!unlock(each));
    BOOST_TEST((!unlock(reading) && !unlock(read_tagged)));
    BOOST_TEST(run_until([&] { return list().empty(); }));
}

BOOST_AUTO_TEST_CASE(names_in_which_braces_make_no_tag_are_passed_over) {
    lease held = lock(locks, "key");
    for (const char* name : {"{x:redlock-readers", "{}:redlock-queue", "{:redlock-readers"})
        for (std::size_t master = 0; master < 3; ++master)
            cluster.master(master).command({"SET", name, "value"}); // one of them has its slot
    BOOST_TEST(list("key") == names({"key"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_key_whose_slot_has_moved_is_found_where_it_is) {
    const std::string key = key_of(0);
    const auto slot = cluster.slot_of(key);
    lease held = lock(locks, key);
    BOOST_TEST(list() == names({key}), boost::test_tools::per_element());
    cluster.begin_migration(slot, 0, 1);
    BOOST_TEST(run_until([&] { return list() == names({key}); }));
    cluster.end_migration(slot, 0, 1);
    BOOST_TEST(run_until([&] { return list() == names({key}) && !found.more; }));
    BOOST_TEST(cluster.master(1).exists(key));
}

BOOST_AUTO_TEST_CASE(many_on_each_server_are_found) {
    std::vector<lease> held;
    names all;
    for (int i = 1000; i < 1500; ++i)
        all.push_back("key" + std::to_string(i));
    for (const std::string& key : all)
        locks.async_lock(key, {.renew = false}, [&](error_code ec, lease l) {
            if (!ec) held.push_back(std::move(l));
        });
    BOOST_REQUIRE(run_until([&] { return held.size() == all.size(); }));
    BOOST_TEST(list("key") == all, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_user_without_the_right_is_told_so_and_so_is_one_who_may_not_read_values) {
    lease held = lock(locks, key_of(1));
    for (const char* missing : {"-scan", "-get"}) {
        for (std::size_t master = 0; master < 3; ++master)
            cluster.master(master).command({"ACL", "SETUSER", "default", missing});
        BOOST_TEST(ask() == errc::permission_denied, missing);
        for (std::size_t master = 0; master < 3; ++master)
            cluster.master(master).command({"ACL", "SETUSER", "default", "+@all"});
    }
    BOOST_TEST(list().size() == 1u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
