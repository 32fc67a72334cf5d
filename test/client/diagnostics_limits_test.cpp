// What is said of a call that asks for something impossible, and what is said of nobody.

#include "failure.hpp"
#include "support/scripted_peer.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <utility>

namespace redlock::test {
namespace {

constexpr std::chrono::milliseconds longest{std::int64_t{1} << 53};

struct diagnostics_limits_test_fixture : lock_fixture {
    diagnostics_limits_test_fixture() : lock_fixture(1) {}

    failure refusal(client& locks, const std::string& key, lock_options options = once()) {
        return failure_of(*this, await_lock(locks, key, options));
    }
};

bool is_printable(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

BOOST_FIXTURE_TEST_SUITE(diagnostics_of_limits, diagnostics_limits_test_fixture)

BOOST_AUTO_TEST_CASE(an_option_is_named_with_its_limit_and_its_value) {
    client locks(context.get_executor(), settings());
    const std::pair<lock_options, std::string> refused[] = {
        {{.ttl = -3ms}, "lock_options::ttl must be 1 ms to 2^53 ms, not -3 ms"},
        {{.ttl = forever}, "lock_options::ttl must be 1 ms to 2^53 ms, not forever"},
        {{.ttl = 1s, .wait = -1ms}, "lock_options::wait must be at least 0 ms, not -1 ms"},
        {{.ttl = 1s, .max_hold = 0ms}, "lock_options::max_hold must be at least 1 ms, not 0 ms"},
        {{.ttl = 1s, .stop_margin = -2ms},
         "lock_options::stop_margin must be at least 0 ms, or -1 ms for a tenth of the ttl, not -2 ms"},
        {{.ttl = 1s, .stop_margin = 500ms},
         "lock_options::stop_margin must be below half of lock_options::ttl, which is 500 ms, not 500 ms"},
        {{.ttl = 1s, .lock_delay = -1ms}, "lock_options::lock_delay must be at least 0 ms, not -1 ms"},
        {{.ttl = 1s, .lock_delay = longest},
         "lock_options::ttl and lock_options::lock_delay must together be at most 2^53 ms, not 1000 ms and "
         "9007199254740992 ms"},
        {{.ttl = 2ms},
         "lock_options::ttl must be longer than stop_margin and the allowance for drift together (0.2 ms and "
         "2.02 ms), not 2 ms"},
    };
    for (const auto& [options, what] : refused) {
        const failure f = refusal(locks, "key", options);
        BOOST_TEST(f.code == errc::invalid_option);
        BOOST_TEST(f.what == what);
        BOOST_TEST(f.diagnosed);
    }
}

BOOST_AUTO_TEST_CASE(a_key_is_refused_with_the_reason) {
    config c = settings();
    c.key_prefix = "app:";
    client locks(context.get_executor(), c);
    BOOST_TEST(refusal(locks, "").what == "a key must not be empty");
    const failure long_key = refusal(locks, std::string(5000, 'k'));
    BOOST_TEST(long_key.code == errc::invalid_key);
    BOOST_TEST(long_key.what.starts_with("a key must be at most 4092 bytes long, 4096 less the 4 of "
                                         "config::key_prefix, not 5000: \"kkkk"),
               long_key.what);
    BOOST_TEST(long_key.what.size() < 300u);
    BOOST_TEST(refusal(locks, "order:redlock-fence").what ==
               "a key must not end in \":redlock-fence\", which is kept for fencing tokens: "
               "\"order:redlock-fence\"");
    BOOST_TEST(refusal(locks, "order:redlock-queue").what ==
               "a key must not end in \":redlock-queue\", which is kept for those who wait: "
               "\"order:redlock-queue\"");
    const auto inspect = [&]() -> asio::awaitable<void> { co_await locks.async_inspect(""); };
    BOOST_TEST(failure_of(*this, inspect()).what == "a key must not be empty");
    const auto break_lock = [&](key_report shown) -> asio::awaitable<void> {
        co_await locks.async_break(shown);
    };
    key_report shown;
    shown.key = "other:key";
    const failure foreign = failure_of(*this, break_lock(shown));
    BOOST_TEST(foreign.code == errc::invalid_key);
    BOOST_TEST(foreign.says("\"other:key\" of the report given to async_break does not begin with \"app:\""),
               foreign.what);
    shown.key = "app:key";
    const failure of_others = failure_of(*this, break_lock(shown));
    BOOST_TEST(of_others.code == errc::invalid_option);
    BOOST_TEST(of_others.says("\"app:key\", is not one on the nodes of this client"), of_others.what);
}

// The code alone is all that other tokens get.
BOOST_AUTO_TEST_CASE(the_message_of_invalid_key_leaves_no_reason_out) {
    const std::string message = make_error_code(errc::invalid_key).message();
    BOOST_TEST(message == "the key is empty, longer than 4096 bytes with its prefix, ends in "
                          "\":redlock-fence\", \":redlock-queue\", \":redlock-readers\" or "
                          "\":redlock-leader\", or does not begin with config::key_prefix where it has to");
}

BOOST_AUTO_TEST_CASE(a_key_is_printed_as_text_of_some_length) {
    client locks(context.get_executor(), settings());
    lease held = lock(locks, std::string("\x1b[2Jk\"\n\xff\0", 9));
    const failure f = refusal(locks, std::string("\x1b[2Jk\"\n\xff\0", 9));
    BOOST_TEST(f.what == "somebody else holds the lock \"\\x1b[2Jk\\\"\\x0a\\xff\\x00\"");
    lease long_one = lock(locks, std::string(4000, '\x01'));
    const failure of_long = refusal(locks, std::string(4000, '\x01'));
    BOOST_TEST(is_printable(of_long.what));
    BOOST_TEST(of_long.says("...\""));
    BOOST_TEST(of_long.what.size() < 500u);
}

BOOST_AUTO_TEST_CASE(a_closed_client_says_so) {
    client locks(context.get_executor(), settings());
    lease held = lock(locks, "held");
    close(locks);
    const failure f = refusal(locks, "key");
    BOOST_TEST(f.code == errc::closed);
    BOOST_TEST(f.what == "the client is closed and grants no lock \"key\"");
    const auto unlock = [&]() -> asio::awaitable<void> { co_await held.async_unlock(); };
    const failure ended = failure_of(*this, unlock());
    BOOST_TEST(ended.code == errc::closed);
    BOOST_TEST(ended.says("the lease of the lock \"held\" has ended with it"), ended.what);
}

BOOST_AUTO_TEST_CASE(no_password_is_told) {
    redis_server guarded({.directives = {}, .password = "hunter2"});
    config c = settings();
    c.nodes = {guarded.uri("", "wrong-secret")};
    client locks(context.get_executor(), c);
    const failure f = refusal(locks, "key");
    BOOST_TEST(f.code == errc::authentication_failed);
    BOOST_TEST(f.says(guarded.uri() + "/0 refused the user or the password"), f.what);
    BOOST_TEST(!f.says("secret"), f.what);
    BOOST_TEST(!f.says("hunter2"), f.what);
}

// A server lets us in, and refuses a lock with these words.
struct refusing_peer {
    explicit refusing_peer(std::string words)
        : peer(peer_script{.answer = [words](const auto& command) {
              const std::string& name = command.at(0);
              if (name == "HELLO") return std::string("-NOPROTO unsupported\r\n");
              if (name == "INFO") return std::string("$12\r\nredis_mode:x\r\n");
              return name == "SET" ? "-" + words + "\r\n" : std::string("+OK\r\n");
          }}) {}

    std::string uri() const { return "redis://:hunter2@127.0.0.1:" + std::to_string(peer.port()); }
    scripted_peer peer;
};

BOOST_AUTO_TEST_CASE(a_hostile_server_cannot_have_the_password_told) {
    const refusing_peer hostile("ERR you said hunter2");
    config c = settings();
    c.nodes = {hostile.uri()};
    client locks(context.get_executor(), c);
    const failure f = refusal(locks, "key");
    BOOST_TEST(f.code == errc::server_error);
    BOOST_TEST(f.says("/0 answered with an error whose words are withheld"), f.what);
    BOOST_TEST(!f.says("hunter2"), f.what);
}

BOOST_AUTO_TEST_CASE(the_words_of_a_server_are_printable_and_of_some_length) {
    const refusing_peer verbose("ERR \x1b]0;title\x07" + std::string(2000, '\x01'));
    config c = settings();
    c.nodes = {verbose.uri()};
    client locks(context.get_executor(), c);
    const failure f = refusal(locks, "key");
    BOOST_TEST(f.says("/0 answered \"ERR \\x1b]0;title\\x07\\x01"), f.what);
    BOOST_TEST(is_printable(f.what));
    BOOST_TEST(f.what.size() < 700u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
