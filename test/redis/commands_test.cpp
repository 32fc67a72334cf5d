// The bytes of the commands of locks, for servers that take different forms of them.

#include "commands_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <vector>

namespace redlock::test {
namespace {

BOOST_FIXTURE_TEST_SUITE(commands, commands_fixture)

BOOST_AUTO_TEST_CASE(set_has_the_form_that_the_server_takes) {
    set_command command(by, ours, 1500ms);
    BOOST_TEST((command.put_for(usual) == command_form::set_returning_holder));
    BOOST_TEST(words(command.bytes()) == joined({"SET app:key", ours.token(), "NX GET PX 1500"}));
    usual.lacks(command_form::set_returning_holder);
    BOOST_TEST((command.put_for(usual) == command_form::plain_set));
    BOOST_TEST(words(command.bytes()) == joined({"SET app:key", ours.token(), "NX PX 1500"}));
}

// Whatever was asked for in between.
BOOST_AUTO_TEST_CASE(set_has_the_life_that_it_was_made_with) {
    set_command first(by, ours, 1500ms);
    set_command second(by, fenced, 20s);
    first.put_for(usual);
    const std::string before = words(first.bytes());
    second.put_for(usual);
    BOOST_TEST(words(second.bytes()) == joined({"SET key", fenced.value(), "NX GET PX 20000"}));
    first.put_for(usual);
    BOOST_TEST(words(first.bytes()) == before);
    set_command third(by, ours, 1500ms);
    third.put_for(usual);
    BOOST_TEST(words(third.bytes()) == before);
}

BOOST_AUTO_TEST_CASE(nodes_of_one_dialect_share_one_encoding) {
    set_command command(by, ours, 1500ms);
    command.put_for(usual);
    const char* const once = command.bytes().data();
    command.put_for(dialect_of("valkey", "9.0.0")); // which differs in its release alone
    BOOST_TEST((command.bytes().data() == once));
    release_command release(by, ours, begun);
    release.put_for(usual);
    const char* const by_script = release.bytes().data();
    release.put_for(usual);
    BOOST_TEST((release.bytes().data() == by_script));
    release.put_for(dialect_of("valkey", "9.0.0"));
    BOOST_TEST((release.bytes().data() != by_script));
}

BOOST_AUTO_TEST_CASE(each_command_has_bytes_of_its_own) {
    release_command one(by, ours, begun);
    release_command other(by, fenced, begun);
    one.put_for(usual);
    other.put_for(usual);
    BOOST_TEST(words(one.bytes()) == eval(script::release, joined({"app:key", ours.token()})));
    BOOST_TEST(words(other.bytes()) == eval(script::release, joined({"key", fenced.value()})));
}

BOOST_AUTO_TEST_CASE(release_takes_the_servers_own_command_then_the_hash_then_the_text) {
    const std::string token(ours.token());
    BOOST_TEST(put(release_command(by, ours, begun), dialect_of("redis", "8.4.0")) ==
               "DELEX app:key IFEQ " + token);
    BOOST_TEST(put(release_command(by, ours, begun), dialect_of("valkey", "9.0.0")) ==
               "DELIFEQ app:key " + token);
    BOOST_TEST(put(release_command(by, ours, begun)) == eval(script::release, "app:key " + token));
    usual.takes(by_text(script::release));
    BOOST_TEST(put(release_command(by, ours, begun)) == eval(script::release, "app:key " + token, true));
    BOOST_TEST(put(remove_command(by, "k", "v")) == eval(script::release, "k v", true));
    BOOST_TEST(put(remove_command(by, "k", "v"), dialect_of("redis", "8.4.0")) == "DELEX k IFEQ v");
}

// With how long it was handed on in a row, or that this is enough.
BOOST_AUTO_TEST_CASE(where_others_wait_it_is_handed_to_them) {
    ours.waited_for = true;
    const std::string entry =
        joined({"app:key app:key:redlock-queue", ours.token(), std::to_string(ours.ticket())});
    BOOST_TEST(put(release_command(by, ours, begun)) == eval(script::queue, joined({entry, "0"})));
    ours.row.handed(10ms, 1000, begun);
    BOOST_TEST(put(release_command(by, ours, begun + 5ms)) == eval(script::queue, joined({entry, "15100"})));
    BOOST_TEST(put(release_command(by, ours, begun + 90ms)) == eval(script::queue, joined({entry, "-"})));
}

BOOST_AUTO_TEST_CASE(what_is_known_of_strangers_is_told_with_the_key) {
    ours.waited_for = true;
    const std::string entry =
        joined({"app:key app:key:redlock-queue", ours.token(), std::to_string(ours.ticket())});
    core::open_door door;
    BOOST_TEST(put(release_command(by, ours, begun, &door)) == eval(script::queue, joined({entry, "0"})));
    door.handed({.door = 4ms, .unseen = 400ms, .shut = 18ms, .turns = 4}, begun);
    BOOST_TEST(put(release_command(by, ours, begun, &door)) ==
               eval(script::queue, joined({entry, "0+4000+400000+18000+5"})));
    BOOST_TEST(put(release_command(by, ours, begun + 7ms, &door)) ==
               eval(script::queue, joined({entry, "0+4000+407000+25000+5"})));
    BOOST_TEST(put(release_command(by, ours, begun + 10ms, &door)) ==
               eval(script::queue, joined({entry, "-4000+8000+414000+0+0"})));
    // That it was handed on for long enough opens it only for a moment.
    ours.row.handed(90ms, 1000, begun);
    door.used(200us, begun);
    BOOST_TEST(put(release_command(by, ours, begun + 10ms, &door)) ==
               eval(script::queue, joined({entry, "-0+4000+10000+10000+0"})));
    // None was seen for so long that nothing is known of any.
    BOOST_TEST(put(release_command(by, ours, begun + 1h, &door)) ==
               eval(script::queue, joined({entry, "-"})));
}

BOOST_AUTO_TEST_CASE(an_entry_of_a_queue_says_what_is_to_come_back_with_the_key) {
    queue_entry entry{.life = 500ms, .entered_at = 1234ns, .believed = 1500ms, .again = false};
    const std::string first = joined(
        {"app:key app:key:redlock-queue", ours.token(), std::to_string(ours.ticket()), "500 1234 1500 9000"});
    BOOST_TEST(put(enter_queue_command(by, ours, entry)) == eval(script::queue, first));
    entry.again = true;
    BOOST_TEST(put(enter_queue_command(by, ours, entry)) ==
               eval(script::queue, first + "  1")); // behind what is empty
}

BOOST_AUTO_TEST_CASE(what_was_retold_is_released_by_its_token) {
    fenced.retold = true;
    const std::string token(fenced.token());
    for (const auto& d : {usual, dialect_of("redis", "8.4.0")})
        BOOST_TEST(put(release_command(by, fenced, begun), d) ==
                   eval(script::release_retold, "key " + token));
    usual.takes(by_text(script::release_retold));
    BOOST_TEST(put(release_command(by, fenced, begun)) == eval(script::release_retold, "key " + token, true));
}

BOOST_AUTO_TEST_CASE(extension_raises_the_fence_of_a_fenced_claim) {
    BOOST_TEST(put(extend_command(by, ours, 9ms, {})) ==
               eval(script::extend, joined({"app:key", ours.token(), "9"})));
    BOOST_TEST(!ours.retold);
    BOOST_TEST(put(extend_command(by, fenced, 9ms, {.token = 21, .retention = 60s})) ==
               eval(script::extend_fenced, joined({"key key:redlock-fence", fenced.token(), "9 21 60000"})));
    BOOST_TEST(fenced.retold);
}

BOOST_AUTO_TEST_CASE(fences_are_raised_with_and_without_the_key) {
    BOOST_TEST(put(raise_fence_command(by, fenced)) == "ZADD key:redlock-fence GT CH 17 fence");
    BOOST_TEST(put(expire_fence_command(by, fenced, 60s)) == "PEXPIRE key:redlock-fence 60000");
    BOOST_TEST(!fenced.retold);
    BOOST_TEST(put(advance_fence_command(by, fenced, {.token = 21, .retention = 60s})) ==
               eval(script::advance_fence, joined({"key key:redlock-fence", fenced.token(), "21 60000"})));
    BOOST_TEST(fenced.retold);
}

BOOST_AUTO_TEST_CASE(questions_and_channels) {
    BOOST_TEST(put(value_command(by, "k")) == "GET k");
    BOOST_TEST(put(life_command(by, "k")) == "PTTL k");
    BOOST_TEST(put(fence_command(by, "k")) == "ZSCORE k:redlock-fence fence");
    BOOST_TEST(put(caching_command(by)) == "CLIENT CACHING YES");
    BOOST_TEST(put(plain_command(by, {"SET", "k", "v"})) == "SET k v");
    node::server_info server;
    server.database = 7;
    server_dialect seventh;
    seventh.meet(server);
    BOOST_TEST(put(subscribe_command(by, "k")) == "SUBSCRIBE __keyspace@0__:k");
    listeners_command command(by, "k");
    BOOST_TEST(put(command, seventh) == "PUBSUB NUMSUB __keyspace@7__:k");
    BOOST_TEST(put(command, usual) == "PUBSUB NUMSUB __keyspace@0__:k");
    BOOST_TEST(put(unsubscribe_command(by, "k"), seventh) == "UNSUBSCRIBE __keyspace@7__:k");
}

// What a command is bound to cannot be changed while its bytes are there.
static_assert(!std::is_copy_constructible_v<set_command> && !std::is_copy_assignable_v<set_command>);

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
