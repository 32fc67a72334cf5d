#include "engines/redis/node/cluster/command_key.hpp"
#include "engines/redis/node/cluster/hash_slot.hpp"
#include "engines/redis/resp/command.hpp"

#include <boost/test/unit_test.hpp>

#include <initializer_list>
#include <string>

namespace redlock::node {
namespace {

std::string beside(std::string_view key) {
    std::string name;
    name_beside(name, key, ":fence");
    return name;
}

BOOST_AUTO_TEST_SUITE(hash_slots_of_keys)

BOOST_AUTO_TEST_CASE(slots_are_those_of_the_specification) {
    // As `CLUSTER KEYSLOT` of a server says.
    BOOST_TEST(hash_slot("") == 0u);
    BOOST_TEST(hash_slot("123456789") == 0x31c3u % 16'384);
    BOOST_TEST(hash_slot("foo") == 12'182u);
    BOOST_TEST(hash_slot("{foo}bar") == 12'182u);
}

BOOST_AUTO_TEST_CASE(the_tag_is_what_stands_in_the_first_braces) {
    BOOST_TEST(hash_tag("{user1000}.following") == "user1000");
    BOOST_TEST(hash_tag("foo{}{bar}") == "foo{}{bar}");
    BOOST_TEST(hash_tag("foo{{bar}}zap") == "{bar");
    BOOST_TEST(hash_tag("foo{bar}{zap}") == "bar");
    BOOST_TEST(hash_tag("foo{bar") == "foo{bar");
    BOOST_TEST(hash_tag("foo}bar") == "foo}bar");
    BOOST_TEST(hash_tag("") == "");
}

BOOST_AUTO_TEST_CASE(what_stands_beside_a_key_is_in_its_slot) {
    BOOST_TEST(beside("key") == "{key}:fence");
    BOOST_TEST(beside("{user}:key") == "{user}:key:fence");
    BOOST_TEST(beside("a{b") == "{a{b}:fence");
    for (const char* key : {"key", "{user}:key", "a{b", "a}b", "}", "{}", "a{}b", "{}{x}", "{", "}{"}) {
        BOOST_TEST(hash_slot(beside(key)) == hash_slot(key), key);
        BOOST_TEST(beside(key).ends_with(":fence"));
    }
}

BOOST_AUTO_TEST_CASE(the_key_is_known_from_what_stands_beside_it) {
    for (const std::string key : {"key", "{user}:key", "a{b", "a}b", "}", "{}", "a{}b", "{}{x}", "{", "}{",
                                  "a{b}c", "{a}{b}", "{20658}x"})
        BOOST_TEST(key_beside(beside(key), ":fence") == key);
    BOOST_TEST(key_beside("{key}:fence", ":fence") == "key");
    // Of somebody else.
    for (const std::string key : {"{x", "{}", "{", "{}x", "{{", "{}}"})
        BOOST_TEST(key_beside(key + ":fence", ":fence") == key);
    BOOST_TEST(key_beside(":fence", ":fence") == "");
}

BOOST_AUTO_TEST_CASE(what_stands_beside_different_keys_has_different_names) {
    BOOST_TEST(beside("a}b") != beside("a}c"));
    BOOST_TEST(beside("a}b") == "{20658}a}b:fence");
}

BOOST_AUTO_TEST_SUITE_END()

std::string encoded(std::initializer_list<std::string_view> words) {
    std::string text;
    resp::append_command(text, words);
    return text;
}

std::string key_of(std::initializer_list<std::string_view> words) {
    const std::string command = encoded(words);
    return std::string(place_of_command(command).key.value_or("none"));
}

BOOST_AUTO_TEST_SUITE(keys_of_commands)

BOOST_AUTO_TEST_CASE(the_key_is_the_first_word_that_is_one) {
    BOOST_TEST(key_of({"SET", "k", "v"}) == "k");
    BOOST_TEST(key_of({"GET", ""}) == "");
    BOOST_TEST(key_of({"EVAL", "return 1\r\n", "2", "k", "f", "a"}) == "k");
    BOOST_TEST(key_of({"EVALSHA", "0123", "1", "k", "a"}) == "k");
    BOOST_TEST(key_of({"EVAL", "return 1", "0"}) == "none");
}

BOOST_AUTO_TEST_CASE(a_keyspace_channel_belongs_to_its_key) {
    BOOST_TEST(key_of({"SUBSCRIBE", "__keyspace@0__:a:b"}) == "a:b");
    BOOST_TEST(key_of({"UNSUBSCRIBE", "__keyspace@0__:k"}) == "k");
    BOOST_TEST(key_of({"PUBSUB", "NUMSUB", "__keyspace@0__:k"}) == "k");
    BOOST_TEST(key_of({"SUBSCRIBE", "redlock:abc"}) == "redlock:abc");
}

BOOST_AUTO_TEST_CASE(some_commands_are_about_no_key) {
    BOOST_TEST(key_of({"PING"}) == "none");
    BOOST_TEST(key_of({"CONFIG", "GET", "maxmemory"}) == "none");
    BOOST_TEST(key_of({"CLIENT", "CACHING", "YES"}) == "none");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::node
