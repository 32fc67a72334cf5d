// The bytes of the commands of locks, for servers that take different forms of them.

#include "engines/redis/dialect/commands.hpp"
#include "engines/redis/dialect/queue_commands.hpp"
#include "support/any_token.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::test {
namespace {

using namespace redis;
using namespace std::chrono_literals;

constexpr core::instant begun{1h};
constexpr auto by_native = command_form::delex;

server_dialect dialect_of(std::string product, std::string version) {
    server_dialect d;
    node::server_info server;
    server.product = std::move(product);
    server.version = std::move(version);
    d.meet(server);
    return d;
}

struct commands_fixture {
    encoder by;
    claim ours{"app:", detail::key_text("key"), any_token()};
    claim fenced{"", detail::key_text("key"), any_token(), 17};
    server_dialect usual = dialect_of("redis", "7.0.15");

    /// The words of a command, between blanks.
    static std::string words(std::string_view bytes) {
        std::string found;
        std::size_t at = bytes.find("\r\n") + 2;
        while (at < bytes.size()) {
            const std::size_t size = std::stoul(std::string(bytes.substr(at + 1)));
            at = bytes.find("\r\n", at) + 2;
            found.append(found.empty() ? "" : " ").append(bytes.substr(at, size));
            at += size + 2;
        }
        return found;
    }
    template <class Command>
    std::string put(Command&& command, const server_dialect& d) {
        command.put_for(d);
        return words(command.bytes());
    }
    std::string put(auto&& command) { return put(command, usual); }

    static std::string eval(script s, std::string_view rest, bool by_its_hash = false) {
        return std::string(by_its_hash ? "EVALSHA " : "EVAL ")
            .append(by_its_hash ? hash_of(s) : text_of(s))
            .append(" ")
            .append(std::to_string(keys_of(s)))
            .append(" ")
            .append(rest);
    }
    static std::string joined(std::initializer_list<std::string_view> parts) {
        std::string all;
        for (const std::string_view part : parts)
            all.append(all.empty() ? "" : " ").append(part);
        return all;
    }
};

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

BOOST_AUTO_TEST_CASE(an_entry_of_a_queue_says_what_is_to_come_back_with_the_key) {
    queue_entry entry{.life = 500ms, .entered_at = 1234ns, .believed = 1500ms, .again = false};
    const std::string first = joined({"app:key app:key:redlock-queue", ours.token(),
                                      std::to_string(ours.ticket()), "500 1234 1500 60000"});
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

BOOST_AUTO_TEST_SUITE(server_dialects)

BOOST_AUTO_TEST_CASE(a_version_says_which_release_a_server_has) {
    const auto release_of = [](const char* product, const char* version) {
        return dialect_of(product, version).release();
    };
    constexpr command_form scripted = by_text(script::release);
    BOOST_TEST((release_of("redis", "8.4.0") == by_native));
    BOOST_TEST((release_of("redis", "10.0") == by_native));
    BOOST_TEST((release_of("valkey", "9.0.1") == command_form::delifeq));
    for (const auto& [product, version] : {std::pair("redis", "8.3.9"),
                                           {"redis", "7.9"},
                                           {"valkey", "8.9"},
                                           {"other", "99.0"},
                                           {"redis", ""},
                                           {"redis", "."},
                                           {"redis", "8"},
                                           {"redis", "99999999999999999999"},
                                           {"redis", "-9"},
                                           {"", ""}})
        BOOST_TEST((release_of(product, version) == scripted));
}

BOOST_AUTO_TEST_CASE(a_script_goes_by_its_hash_while_the_server_has_it) {
    server_dialect d;
    BOOST_TEST((d.run(script::extend) == by_text(script::extend)));
    d.takes(by_text(script::extend));
    BOOST_TEST((d.run(script::extend) == by_hash(script::extend)));
    BOOST_TEST((d.run(script::release) == by_text(script::release)));
    d.lacks(by_hash(script::extend));
    BOOST_TEST((d.run(script::extend) == by_text(script::extend)));
    d.takes(by_text(script::extend));
    d.meet({});
    BOOST_TEST((d.run(script::extend) == by_text(script::extend)));
}

BOOST_AUTO_TEST_CASE(what_takes_no_form_of_a_script_is_no_script) {
    server_dialect d;
    for (const command_form form : {command_form::only, command_form::set_returning_holder,
                                    command_form::plain_set, by_native, command_form::delifeq})
        d.takes(form);
    BOOST_TEST(d.is_like(server_dialect()));
}

// Each form that a command goes in after the server lacked the one before, down to that which there is
// nothing behind: so often it is sent at most.
BOOST_AUTO_TEST_CASE(no_command_is_sent_a_third_time) {
    for (const auto& first :
         {dialect_of("redis", "8.4.0"), dialect_of("valkey", "9.0.0"), server_dialect()}) {
        server_dialect d = first;
        d.takes(by_text(script::release));
        d.takes(by_text(script::release_retold));
        const command_form sent = d.release();
        BOOST_REQUIRE(lacks_form(sent, is_by_hash(sent) ? "NOSCRIPT" : "ERR unknown command"));
        d.lacks(sent);
        // Whichever of the two it is by then.
        for (const script s : {script::release, script::release_retold}) {
            BOOST_TEST((d.run(s) == by_text(s)));
            for (const std::string_view error : {"NOSCRIPT", "ERR unknown command", "ERR syntax error", ""})
                BOOST_TEST(!lacks_form(d.run(s), error));
        }
        BOOST_TEST((d.release() == by_text(script::release)));
    }
    server_dialect d;
    BOOST_TEST(lacks_form(d.set(), "ERR syntax error"));
    d.lacks(d.set());
    BOOST_TEST(!lacks_form(d.set(), "ERR syntax error"));
}

BOOST_AUTO_TEST_CASE(a_server_that_cannot_raise_fences_is_not_asked_again) {
    server_dialect d;
    BOOST_TEST(d.raises_fences());
    d.lacks(command_form::zadd_gt);
    BOOST_TEST(!d.raises_fences());
    BOOST_TEST(d.is_like(server_dialect())); // what all nodes get alike has nothing to do with it
    d.meet({});
    BOOST_TEST(d.raises_fences());
}

/// Of a client with a label.
struct labelled_commands_fixture : commands_fixture {
    encoder with_label{"web-1"};
    std::string token{ours.token()};
    std::string value = token + "::web-1";
    queue_entry entry{.life = 1000ms, .entered_at = 5ns, .believed = 750ms, .again = false};
};

BOOST_FIXTURE_TEST_CASE(a_label_stands_behind_the_token, labelled_commands_fixture) {
    BOOST_TEST(put(set_command(with_label, ours, 1500ms)) ==
               joined({"SET app:key", value, "NX GET PX 1500"}));
    BOOST_TEST(put(set_command(with_label, fenced, 1500ms)) ==
               joined({"SET key", std::string(fenced.value()) + ":web-1", "NX GET PX 1500"}));
    BOOST_TEST(put(release_command(with_label, ours, begun)) == eval(script::release, "app:key " + value));
    const fence_mark none{.token = 0, .retention = 24h};
    BOOST_TEST(put(extend_command(with_label, ours, 1500ms, none)) ==
               eval(script::extend, "app:key " + value + " 1500"));
}

BOOST_FIXTURE_TEST_CASE(a_label_goes_with_each_script_that_writes_a_value, labelled_commands_fixture) {
    const fence_mark mark{.token = 18, .retention = 1h};
    const std::string fence = "key key:redlock-fence " + std::string(fenced.token());
    BOOST_TEST(put(extend_command(with_label, fenced, 1500ms, mark)) ==
               eval(script::extend_fenced, fence + " 1500 18 3600000 :web-1"));
    BOOST_TEST(put(advance_fence_command(with_label, fenced, mark)) ==
               eval(script::advance_fence, fence + " 18 3600000 :web-1"));
    const std::string queue =
        "app:key app:key:redlock-queue " + token + " " + std::to_string(ours.ticket()) + " 1000 5 750 60000";
    BOOST_TEST(put(enter_queue_command(with_label, ours, entry)) == eval(script::queue, queue + " ::web-1"));
    entry.again = true;
    BOOST_TEST(put(enter_queue_command(with_label, ours, entry)) ==
               eval(script::queue, queue + " ::web-1 1"));
    BOOST_TEST(put(enter_queue_command(by, ours, entry)) == eval(script::queue, queue + "  1"));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
