#include "commands_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <vector>

namespace redlock::test {
namespace {

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
        "app:key app:key:redlock-queue " + token + " " + std::to_string(ours.ticket()) + " 1000 5 750 9000";
    BOOST_TEST(put(enter_queue_command(with_label, ours, entry)) == eval(script::queue, queue + " ::web-1"));
    entry.again = true;
    BOOST_TEST(put(enter_queue_command(with_label, ours, entry)) ==
               eval(script::queue, queue + " ::web-1 1"));
    BOOST_TEST(put(enter_queue_command(by, ours, entry)) == eval(script::queue, queue + "  1"));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
