#include "tls/session_fixture.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

// A session with a server that keeps to the protocol, or nearly so.

namespace redlock::test {
namespace {

namespace data = boost::unit_test::data;

BOOST_AUTO_TEST_SUITE(tls_session_suite)

BOOST_DATA_TEST_CASE(plaintext_goes_both_ways, data::make(both_versions), version) {
    session_fixture f(version);
    BOOST_TEST((f.shake_hands() == progress::complete));
    BOOST_TEST(f.server->shook_hands());
    BOOST_TEST(f.server->name_asked_for() == "localhost");
    BOOST_TEST(!f.client->failure());
    BOOST_TEST(f.client->write("a command") == 9u);
    BOOST_TEST(f.client->outgoing().find("command") == std::string_view::npos);
    f.send();
    BOOST_TEST(f.server->heard() == "a command");
    f.server->say("a reply");
    BOOST_TEST(f.receive() == "a reply");
}

BOOST_DATA_TEST_CASE(bytes_may_come_one_by_one, data::make(both_versions), version) {
    session_fixture f(version);
    BOOST_TEST((f.shake_hands(1) == progress::complete));
    f.server->say("a reply");
    f.server->say("another");
    progress made{};
    BOOST_TEST(f.receive(made, 1) == "a replyanother");
    BOOST_TEST((made == progress::wants_input));
    BOOST_TEST(f.client->missing() == 0u);
}

BOOST_AUTO_TEST_CASE(what_is_missing_of_a_record_is_known) {
    session_fixture f;
    f.shake_hands();
    f.receive(); // tickets
    f.server->say(std::string(1000, 'r'));
    const std::string bytes = f.server->outgoing();
    progress made{};
    f.give_client(bytes.substr(0, 400), [&] {
        BOOST_TEST(f.read_all(made).empty());
        return true;
    });
    BOOST_TEST((made == progress::wants_input));
    BOOST_TEST(f.client->missing() == bytes.size() - 400);
    f.give_client(bytes.substr(400), [&] {
        BOOST_TEST(f.read_all(made).size() == 1000u);
        return true;
    });
}

// As much as there is room for, and no more: the rest is for when that has gone.
BOOST_DATA_TEST_CASE(what_is_outgoing_is_bounded, data::make(both_versions), version) {
    session_fixture f(version);
    f.shake_hands();
    std::string all;
    while (all.size() < 1'000'000)
        all += "command " + std::to_string(all.size()) + ' ';
    std::string heard;
    for (std::size_t taken = 0; taken < all.size();) {
        const std::size_t more = f.client->write(std::string_view(all).substr(taken));
        BOOST_REQUIRE(more > 0u);
        BOOST_TEST(f.client->outgoing().size() < 100'000u);
        taken += more;
        if (taken < all.size()) BOOST_TEST(f.client->write("x") == 0u);
        f.send();
        heard += f.server->heard();
    }
    BOOST_TEST((heard == all));
    BOOST_TEST(!f.client->failure());
}

BOOST_AUTO_TEST_CASE(a_session_is_resumed) {
    for (const int version : both_versions) {
        session_fixture f(version);
        BOOST_TEST((f.shake_hands() == progress::complete));
        BOOST_TEST(!f.client->was_resumed());
        f.server->say("x");
        BOOST_TEST(f.receive() == "x");
        network::openssl_pointer<SSL_SESSION> kept = f.client->resumable();
        BOOST_REQUIRE(kept);
        // Also from a connection that was resumed itself, and from one that broke off.
        for (int again = 0; again < 2; ++again) {
            f.begin({.name = "localhost"}, kept.get());
            BOOST_TEST((f.shake_hands() == progress::complete));
            BOOST_TEST(f.client->was_resumed());
            BOOST_TEST(f.server->was_resumed());
            f.server->say("x");
            BOOST_TEST(f.receive() == "x");
            kept = f.client->resumable();
            BOOST_REQUIRE(kept);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_session_that_the_server_forgot_costs_a_whole_handshake) {
    session_fixture f;
    f.shake_hands();
    f.server->say("x");
    f.receive();
    const auto kept = f.client->resumable();
    BOOST_REQUIRE(kept);
    f.server_context = make_server_context({.own = trusted_authority().sign()});
    f.begin({.name = "localhost"}, kept.get());
    BOOST_TEST((f.shake_hands() == progress::complete));
    BOOST_TEST(!f.client->was_resumed());
}

BOOST_DATA_TEST_CASE(each_end_says_goodbye, data::make(both_versions), version) {
    session_fixture f(version);
    f.shake_hands();
    f.server->say("last words");
    f.server->say_goodbye();
    progress made{};
    BOOST_TEST(f.receive(made) == "last words");
    BOOST_TEST((made == progress::ended));
    f.client->input_ended();
    BOOST_TEST(!f.client->failure());
    f.client->say_goodbye();
    f.send();
    BOOST_TEST(f.server->heard_goodbye());
}

BOOST_AUTO_TEST_CASE(no_goodbye_is_said_in_the_middle_of_what_is_said) {
    session_fixture f;
    f.shake_hands();
    f.client->write("a command");
    const std::size_t size = f.client->outgoing().size();
    f.client->say_goodbye();
    BOOST_TEST(f.client->outgoing().size() == size);
}

BOOST_AUTO_TEST_CASE(new_keys_are_answered) {
    session_fixture f;
    f.shake_hands();
    f.server->ask_for_new_keys();
    f.server->say("behind it");
    BOOST_TEST(f.receive() == "behind it");
    f.client->write("with new keys");
    f.send();
    BOOST_TEST(f.server->heard() == "with new keys");
    BOOST_TEST(!f.server->has_failed());
}

// Answers pile up only as long as there is room for them.
BOOST_AUTO_TEST_CASE(a_server_that_does_not_read_answers_is_given_up) {
    session_fixture f;
    f.shake_hands();
    progress made = progress::wants_input;
    for (int i = 0; i < 20'000 && made == progress::wants_input; ++i) {
        f.server->ask_for_new_keys();
        f.receive(made);
        BOOST_TEST_REQUIRE(f.client->outgoing().size() < 100'000u);
    }
    BOOST_TEST((made == progress::failed));
    BOOST_TEST(f.reason() == "asks for answers in TLS that it does not read");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
