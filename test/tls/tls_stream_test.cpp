#include "tls/stream_fixture.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <vector>

// A stream of TLS over a wire in the test's hand, with a real server's end of the protocol.

namespace redlock::test {
namespace {

namespace data = boost::unit_test::data;
namespace error = boost::asio::error;

BOOST_AUTO_TEST_SUITE(tls_stream_suite)

BOOST_DATA_TEST_CASE(a_stream_carries_bytes_both_ways, data::make(both_versions), version) {
    stream_fixture f(version);
    f.connect();
    BOOST_REQUIRE(f.is_connected());
    BOOST_TEST(f.reason() == "");
    error_code ec;
    BOOST_TEST(f.write("a command", ec) == 9u);
    BOOST_TEST(!ec);
    f.exchange();
    BOOST_TEST(f.server->heard() == "a command");
    BOOST_TEST(f.witnessed == 0);
    f.server->say("a reply");
    f.server->say("another");
    f.exchange(1);
    BOOST_TEST(f.user->heard == "a replyanother");
    BOOST_TEST(f.witnessed == 1);
    f.server->say_goodbye();
    f.exchange();
    BOOST_TEST((f.user->ends == std::vector{error_code(error::eof)}));
}

// More than the reader has room for comes in several reads, each with a call of its own.
BOOST_AUTO_TEST_CASE(what_was_decrypted_already_is_told_of_later) {
    stream_fixture f;
    f.connect();
    f.user->reads_on = false;
    f.server->say(std::string(10'000, 'r'));
    f.exchange();
    BOOST_TEST(f.user->heard.size() == 4096u);
    f.user->read();
    BOOST_TEST(f.user->heard.size() == 4096u); // not from inside
    BOOST_TEST(f.user->stream->unread());
    f.run();
    BOOST_TEST(f.user->heard.size() == 8192u);
    f.user->reads_on = true;
    f.user->read();
    f.run();
    BOOST_TEST((f.user->heard == std::string(10'000, 'r')));
    BOOST_TEST(!f.user->stream->unread());
}

BOOST_DATA_TEST_CASE(a_slow_socket_takes_all_in_the_end, data::make(both_versions), version) {
    stream_fixture f(version);
    f.connect();
    const std::string all(300'000, 'c');
    std::string heard;
    for (std::size_t sent = 0; sent < all.size();) {
        f.wire->admit(7000);
        error_code ec;
        sent += f.write(std::string_view(all).substr(sent), ec);
        if (!ec) continue;
        BOOST_REQUIRE(ec == error::would_block);
        // It may be told more than once, but not before all that was taken is gone.
        f.user->stream->async_wait_writable(f.user);
        const auto told = f.user->writables.size();
        while (f.user->writables.size() == told) {
            f.wire->admit(7000);
            f.run();
            f.server->receive(f.wire->take());
            heard += f.server->heard();
        }
        BOOST_TEST(!f.user->writables.back());
    }
    f.server->receive(f.wire->take());
    heard += f.server->heard();
    BOOST_TEST((heard == all));
}

BOOST_AUTO_TEST_CASE(a_handshake_waits_for_a_slow_socket) {
    stream_fixture f;
    f.wire->admit(100);
    f.user->stream->async_connect({}, 0, f.user);
    f.wire->accept();
    std::size_t rounds = 0;
    while (f.user->connects.empty() && ++rounds < 100) {
        f.run();
        f.exchange();
        f.wire->admit(100);
    }
    BOOST_TEST(f.is_connected());
    BOOST_TEST(rounds > 3u);
}

// The mark is for replies to come, and what is in a record comes only with its last byte.
BOOST_AUTO_TEST_CASE(the_rest_of_a_record_is_waited_for_below_the_mark) {
    stream_fixture f;
    f.connect();
    f.user->stream->wake_at(300);
    for (int i = 0; i < 9; ++i)
        f.server->say("+OK\r\n");
    f.exchange();
    BOOST_TEST(f.user->heard == ""); // 9 * 27 bytes
    for (int i = 0; i < 3; ++i)
        f.server->say("+OK\r\n");
    const std::string bytes = f.server->outgoing();
    f.wire->send(bytes.substr(0, bytes.size() - 1));
    f.run();
    BOOST_TEST(f.user->heard.size() == 11u * 5);
    f.wire->send(bytes.substr(bytes.size() - 1));
    f.run();
    BOOST_TEST(f.user->heard.size() == 12u * 5);
    // From then on it is the mark that counts.
    for (int i = 0; i < 9; ++i)
        f.server->say("+OK\r\n");
    f.exchange();
    BOOST_TEST(f.user->heard.size() == 12u * 5);
    f.user->stream->wake_at(1);
    f.run();
    BOOST_TEST(f.user->heard.size() == 21u * 5);
}

BOOST_DATA_TEST_CASE(a_refused_connection_says_why, data::make(both_versions), version) {
    authority other("Somebody Else");
    stream_fixture f({.own = other.sign(), .version = version});
    f.connect();
    BOOST_REQUIRE(f.user->connects.size() == 1u);
    BOOST_TEST((f.user->connects[0] == errc::tls_failed));
    BOOST_TEST(f.reason().starts_with("has a certificate of an authority that is not trusted"));
    BOOST_TEST(f.server->has_failed()); // it was told
}

// The refusal may be there only when the first command was written, and that fails.
BOOST_AUTO_TEST_CASE(a_refusal_is_read_when_nothing_can_be_written_any_more) {
    stream_fixture f({.own = trusted_authority().sign(), .client_authority = trusted_authority().file()});
    f.user->stream->async_connect({}, 0, f.user);
    f.wire->accept();
    f.run();
    f.exchange();
    BOOST_REQUIRE(f.is_connected());
    f.server->receive(f.wire->take());
    f.wire->fail_writes(error::broken_pipe);
    error_code ec;
    BOOST_TEST(f.write("HELLO 3", ec) == 7u);
    BOOST_TEST(!ec);
    f.wire->send(f.server->outgoing());
    f.wire->end(error::eof);
    f.run();
    BOOST_REQUIRE(f.user->ends.size() == 1u);
    BOOST_TEST((f.user->ends[0] == errc::tls_failed));
    BOOST_TEST(f.reason().starts_with("wants a certificate of its clients, and none was given"));
}

BOOST_AUTO_TEST_CASE(nothing_is_known_of_a_server_that_was_not_reached) {
    stream_fixture f;
    f.user->stream->async_connect({}, 0, f.user);
    f.wire->refuse(error::connection_refused);
    f.run();
    BOOST_TEST((f.user->connects == std::vector{error_code(error::connection_refused)}));
    BOOST_TEST(f.reason() == "");
}

BOOST_AUTO_TEST_CASE(a_connection_that_breaks_off_in_the_handshake) {
    for (const bool reset : {false, true}) {
        stream_fixture f;
        f.user->stream->async_connect({}, 0, f.user);
        f.wire->accept();
        f.run();
        BOOST_TEST(f.reason().starts_with("has sent nothing in TLS"));
        reset ? f.wire->reset() : f.wire->end(error::eof);
        f.run();
        BOOST_REQUIRE(f.user->connects.size() == 1u);
        BOOST_TEST((f.user->connects[0] == errc::node_unavailable));
        BOOST_TEST(f.reason() == "closed the connection during the TLS handshake");
    }
}

BOOST_AUTO_TEST_CASE(a_cut_record_is_an_error_of_its_own) {
    stream_fixture f;
    f.connect();
    f.server->say("whole");
    f.server->say("cut");
    std::string bytes = f.server->outgoing();
    bytes.pop_back();
    f.wire->send(bytes);
    f.run();
    f.wire->end(error::eof);
    f.run();
    BOOST_TEST(f.user->heard == "whole");
    BOOST_REQUIRE(f.user->ends.size() == 1u);
    BOOST_TEST((f.user->ends[0] == errc::node_unavailable));
    BOOST_TEST(f.reason() == "closed the connection in the middle of a TLS record");
}

BOOST_AUTO_TEST_CASE(an_end_without_a_goodbye_is_an_end_too) {
    stream_fixture f;
    f.connect();
    f.wire->end(error::eof);
    f.run();
    BOOST_TEST((f.user->ends == std::vector{error_code(error::eof)}));
    BOOST_TEST(f.reason() == "");
}

BOOST_AUTO_TEST_CASE(what_is_outstanding_is_aborted_by_close_and_the_server_hears_of_it) {
    stream_fixture f;
    f.connect();
    f.wire->admit(0);
    f.user->stream->async_wait_writable(f.user);
    f.wire->admit(std::string::npos);
    f.user->stream->close();
    BOOST_TEST(f.user->ends.empty());
    f.run();
    BOOST_TEST((f.user->ends == std::vector{error_code(error::operation_aborted)}));
    BOOST_TEST(f.user->writables.size() == 1u);
    f.server->receive(f.wire->take());
    BOOST_TEST(f.server->heard_goodbye());
}

BOOST_AUTO_TEST_CASE(a_stream_that_is_closed_in_the_handshake_ends_it) {
    stream_fixture f;
    f.user->stream->async_connect({}, 0, f.user);
    f.wire->accept();
    f.run();
    f.user->stream->close();
    f.run();
    BOOST_TEST((f.user->connects == std::vector{error_code(error::operation_aborted)}));
}

// A context that is destroyed calls nobody, and leaves nothing behind.
BOOST_AUTO_TEST_CASE(a_context_may_go_with_a_read_told_of_later) {
    std::weak_ptr<stream_user> user;
    {
        auto f = std::make_unique<stream_fixture>();
        f->connect();
        f->user->reads_on = false;
        f->server->say(std::string(10'000, 'r'));
        f->exchange();
        f->user->read();
        BOOST_TEST(f->user->stream->unread());
        f->abandoned = true;
        user = f->user;
    }
    BOOST_TEST(user.expired());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
