#include "engines/redis/examine/examine_relations.hpp"
#include "engines/redis/examine/rights.hpp"

#include <boost/test/unit_test.hpp>

using namespace redlock;
using namespace redlock::redis;

namespace {

std::string rule_for(const std::string& error, std::string_view right = "get") {
    const auto found = rights("lock:", "x", 3, false).missing(purpose::locking, right, error);
    return found ? found->rule : "none";
}

node_examination examined(const std::string& name, const std::string& role, const std::string& run_id,
                          const std::string& replication_id) {
    node_examination n;
    n.node = "redis://" + name + "/0";
    n.role = role;
    n.run_id = run_id;
    n.replication_id = replication_id;
    return n;
}

} // namespace

BOOST_AUTO_TEST_SUITE(rights_of_a_user)

BOOST_AUTO_TEST_CASE(what_an_error_shows_to_be_missing_is_named_as_a_rule) {
    for (const char* error :
         {"NOPERM this user has no permissions to run the 'get' command",
          "NOPERM this user has no permissions to run the 'get' command or its subcommand",
          "NOPERM User worker has no permissions to run the 'get' command"})
        BOOST_TEST(rule_for(error) == "+get");
    for (const char* error :
         {"NOPERM this user has no permissions to access one of the keys used as arguments",
          "NOPERM No permissions to access a key"})
        BOOST_TEST(rule_for(error) == "~lock:*");
    for (const char* error :
         {"NOPERM this user has no permissions to access one of the channels used as arguments",
          "NOPERM No permissions to access a channel"})
        BOOST_TEST(rule_for(error, "subscribe") == "&__keyspace@3__:lock:*");
    for (const char* error : {"ERR syntax error", "OOM command not allowed", "READONLY You can't write",
                              "NOSCRIPT No matching script", "ERR Unknown subcommand"})
        BOOST_TEST(rule_for(error) == "none");
}

BOOST_AUTO_TEST_CASE(a_command_that_the_server_does_not_know_is_told_apart) {
    const auto found =
        rights("", "x", 0, false).missing(purpose::locking, "eval", "ERR unknown command 'EVAL'");
    BOOST_TEST(found->rule == "+eval");
    BOOST_TEST(found->no_command);
}

BOOST_AUTO_TEST_CASE(what_is_tried_touches_keys_of_its_own_alone) {
    const rights mine("lock:", "unique", 3, false);
    BOOST_TEST(mine.key() == "lock:redlock:probe:unique");
    BOOST_TEST(mine.channel() == "__keyspace@3__:lock:redlock:probe:unique");
    for (const harmless_command& c : mine.to_try())
        for (const std::string& word : c.words)
            if (word.find("lock:") != std::string::npos)
                BOOST_TEST(word.find("probe:unique") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(in_a_cluster_what_stands_beside_a_key_begins_with_a_brace) {
    const rights mine("lock:", "unique", 0, true);
    bool found = false;
    for (const harmless_command& c : mine.to_try())
        for (const std::string& word : c.words)
            found = found || word == "{lock:redlock:probe:unique}:redlock-fence";
    BOOST_TEST(found);
    const auto keys = mine.missing(purpose::fencing, "zadd", "NOPERM No permissions to access a key");
    BOOST_REQUIRE(keys);
    BOOST_TEST(keys->rule == "~lock:* ~{lock:*");
}

BOOST_AUTO_TEST_CASE(what_is_missing_twice_is_named_once) {
    std::vector<missing_right> all;
    add(all, {.needed_for = purpose::locking, .rule = "~lock:*"});
    add(all, {.needed_for = purpose::locking, .rule = "~lock:*"});
    add(all, {.needed_for = purpose::fencing, .rule = "~lock:*"});
    BOOST_TEST(all.size() == 2u);
}

BOOST_AUTO_TEST_CASE(relations_are_found_by_ids_and_by_the_address_of_the_master) {
    std::vector<node_examination> nodes{examined("10.0.0.1:6379", "replica", "r1", "group"),
                                        examined("10.0.0.2:6379", "master", "r2", "group"),
                                        examined("[::1]:6379", "master", "r2", "group"),
                                        examined("10.0.0.4:6379", "replica", "r4", "0"),
                                        examined("10.0.0.5:6379", "", "", ""),
                                        examined("10.0.0.6:6379", "", "", "")};
    nodes[3].master = "10.0.0.1:6379";
    find_relations(nodes);
    BOOST_TEST((nodes[0].replica_of == 1u));
    BOOST_TEST((nodes[2].same_server_as == 1u));
    BOOST_TEST(!nodes[1].replica_of.has_value());
    BOOST_TEST((nodes[3].replica_of == 0u));
    // Of two that do not say who they are nothing is known.
    BOOST_TEST((!nodes[5].same_server_as && !nodes[5].replica_of));
}

BOOST_AUTO_TEST_CASE(a_master_comes_before_another_replica) {
    std::vector<node_examination> nodes{examined("a:1", "master", "r1", "group"),
                                        examined("b:1", "replica", "r2", "group"),
                                        examined("c:1", "replica", "r3", "group")};
    find_relations(nodes);
    BOOST_TEST((nodes[1].replica_of == 0u && nodes[2].replica_of == 0u));
    nodes.erase(nodes.begin());
    for (auto& n : nodes)
        n.replica_of.reset();
    find_relations(nodes);
    BOOST_TEST((nodes[0].replica_of == 1u && nodes[1].replica_of == 0u));
}

BOOST_AUTO_TEST_SUITE_END()
