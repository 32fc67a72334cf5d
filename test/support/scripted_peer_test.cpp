#include "support/eventually.hpp"
#include "support/redis_connection.hpp"
#include "support/scripted_peer.hpp"

#include <boost/asio/connect.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>

#include <string>

namespace redlock::test {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

// Sends one PING and returns what comes back until `size` bytes are there or the peer closes.
std::string ask(const scripted_peer& peer, std::size_t size) {
    asio::io_context context;
    tcp::socket socket(context);
    socket.connect({asio::ip::address_v4::loopback(), peer.port()});
    asio::write(socket, asio::buffer(encode_command({"PING"})));
    std::string bytes(size, '\0');
    error_code ignored;
    bytes.resize(asio::read(socket, asio::buffer(bytes), ignored));
    return bytes;
}

BOOST_AUTO_TEST_SUITE(scripted_peer_suite)

BOOST_AUTO_TEST_CASE(answers_what_the_command_asks_for) {
    peer_script script;
    script.answer = [](const command_parser::command& c) { return "+" + c.at(0) + "\r\n"; };
    scripted_peer peer(script);
    BOOST_TEST(ask(peer, 7) == "+PING\r\n");
    BOOST_TEST(peer.commands() == 1u);
    BOOST_TEST(peer.accepted_connections() == 1u);
    BOOST_TEST(eventually([&] { return peer.bytes_sent() == 7u; }));
}

BOOST_AUTO_TEST_CASE(greets_and_closes_after_some_bytes) {
    peer_script script = always_answers("+PONG\r\n");
    script.greeting = "hello";
    script.close_after = 8;
    scripted_peer peer(script);
    BOOST_TEST(ask(peer, 100) == "hello+PO");
}

BOOST_AUTO_TEST_CASE(speaks_http) {
    scripted_peer peer(http_server());
    BOOST_TEST(ask(peer, 1000).starts_with("HTTP/1.1 400 "));
}

BOOST_AUTO_TEST_CASE(random_bytes_are_the_same_for_the_same_seed) {
    scripted_peer one(random_bytes(7, 500));
    scripted_peer two(random_bytes(7, 500));
    scripted_peer other(random_bytes(8, 500));
    const std::string first = ask(one, 500);
    BOOST_TEST(first.size() == 500u);
    BOOST_TEST((first == ask(two, 500)));
    BOOST_TEST((first != ask(other, 500)));
}

BOOST_AUTO_TEST_CASE(a_line_goes_on_for_as_long_as_it_is_read) {
    scripted_peer peer(endless_line());
    BOOST_TEST((ask(peer, 1'000'001) == "+" + std::string(1'000'000, 'a')));
}

BOOST_AUTO_TEST_CASE(announces_more_than_it_sends) {
    scripted_peer peer(huge_bulk());
    BOOST_TEST(ask(peer, 13) == "$2147483648\r\n");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(command_parser_suite)

BOOST_AUTO_TEST_CASE(finds_commands_in_any_fragments) {
    const std::string bytes =
        encode_command({"SET", "k", "a\r\nb"}) + "inline\r\n" + encode_command({"GET", ""});
    command_parser parser;
    std::vector<command_parser::command> found;
    for (const char byte : bytes) {
        parser.feed({&byte, 1});
        for (command_parser::command c; parser.next(c);)
            found.push_back(c);
    }
    BOOST_REQUIRE(found.size() == 2u);
    BOOST_TEST((found[0] == command_parser::command{"SET", "k", "a\r\nb"}));
    BOOST_TEST((found[1] == command_parser::command{"GET", ""}));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
