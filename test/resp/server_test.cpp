#include "engines/redis/resp/command.hpp"
#include "resp/feeding.hpp"
#include "support/event_loop.hpp"
#include "support/redis_server.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>

namespace redlock::test {
namespace {

namespace asio = boost::asio;

/// A connection to a real server that speaks with the encoder and the decoder alone.
struct conversation : event_loop {
    explicit conversation(std::uint16_t port) : socket(context) {
        socket.connect({asio::ip::address_v4::loopback(), port});
    }

    /// Sends what was appended to `commands` and describes as many messages.
    std::vector<std::string> exchange(std::size_t messages) {
        std::vector<std::string> seen;
        boost::system::error_code failure;
        asio::async_write(socket, asio::buffer(commands), [&](auto error, std::size_t) { failure = error; });
        receive(messages, seen, failure);
        const bool done =
            run_until([&] { return seen.size() >= messages || failure || !reader.problem().empty(); });
        socket.cancel();
        BOOST_TEST(done);
        BOOST_TEST(!failure);
        BOOST_TEST(reader.problem() == "");
        commands.clear();
        return seen;
    }

    void receive(std::size_t messages, std::vector<std::string>& seen, boost::system::error_code& failure) {
        const auto space = reader.prepare();
        socket.async_read_some(asio::buffer(space.data(), space.size()),
                               [=, this, &seen, &failure](auto error, auto n) {
                                   if ((failure = error)) return;
                                   reader.commit(n);
                                   resp::reply reply;
                                   while (reader.next(reply) == resp::read_status::complete)
                                       seen.push_back(describe(reply));
                                   if (seen.size() < messages && reader.problem().empty())
                                       receive(messages, seen, failure);
                               });
    }

    std::string ask(std::initializer_list<std::string_view> command) {
        resp::append_command(commands, command);
        const auto seen = exchange(1);
        return seen.empty() ? "nothing" : seen.front();
    }

    asio::ip::tcp::socket socket;
    resp::reader reader;
    std::string commands;
};

BOOST_AUTO_TEST_SUITE(server_suite)

BOOST_AUTO_TEST_CASE(a_real_server_gives_back_what_was_encoded) {
    redis_server server;
    conversation with(server.port());
    std::string every_byte;
    for (int i = 0; i < 256; ++i)
        every_byte += static_cast<char>(i);
    const std::vector<std::string> texts{
        "", "a", "\r\n", every_byte, std::string(100'000, 'x'), std::string(900'000, '\n')};
    for (const auto& text : texts)
        resp::append_command(with.commands, {"ECHO", text});
    const auto seen = with.exchange(texts.size());
    BOOST_TEST_REQUIRE(seen.size() == texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i)
        BOOST_TEST((seen[i] == '"' + texts[i] + '"'));
}

BOOST_AUTO_TEST_CASE(the_replies_a_lock_lives_on) {
    redis_server server;
    conversation with(server.port());
    BOOST_TEST(with.ask({"SET", "k", "mine", "NX", "PX", "60000"}) == "\"OK\"");
    BOOST_TEST(with.ask({"SET", "k", "other", "NX", "PX", "60000"}) == "_");
    BOOST_TEST(with.ask({"HELLO", "3"}).starts_with("%[\"server\" \"redis\""));
    BOOST_TEST(with.ask({"SET", "k", "other", "NX", "PX", "60000"}) == "_");
    BOOST_TEST(with.ask({"DEL", "k"}) == ":1");
    BOOST_TEST(with.ask({"PTTL", "k"}) == ":-2");
    BOOST_TEST(with.ask({"LPUSH", "k", "x"}) == ":1");
    BOOST_TEST(with.ask({"GET", "k"}).starts_with("-WRONGTYPE "));
    BOOST_TEST(with.ask({"EVALSHA", std::string(40, '0'), "0"}).starts_with("-NOSCRIPT "));
    BOOST_TEST(with.ask({"SUBSCRIBE", "c"}) == ">[\"subscribe\" \"c\" :1]");
}

BOOST_AUTO_TEST_CASE(every_kind_of_resp3_as_a_real_server_writes_it) {
    redis_server server({.directives = {"enable-debug-command local"}, .password = {}, .persistent = false});
    conversation with(server.port());
    with.ask({"HELLO", "3"});
    BOOST_TEST(with.ask({"DEBUG", "PROTOCOL", "string"}) == "\"Hello World\"");
    BOOST_TEST(with.ask({"DEBUG", "PROTOCOL", "integer"}) == ":12345");
    BOOST_TEST(with.ask({"DEBUG", "PROTOCOL", "double"}) == ",0x1.920c49ba5e354p+1");
    BOOST_TEST(with.ask({"DEBUG", "PROTOCOL", "null"}) == "_");
    BOOST_TEST(with.ask({"DEBUG", "PROTOCOL", "array"}) == "*[:0 :1 :2]");
    BOOST_TEST(with.ask({"DEBUG", "PROTOCOL", "set"}) == "~[:0 :1 :2]");
    BOOST_TEST(with.ask({"DEBUG", "PROTOCOL", "map"}) == "%[:0 #0 :1 #1 :2 #0]");
    BOOST_TEST(with.ask({"DEBUG", "PROTOCOL", "attrib"}) == "\"Some real reply following the attribute\"");
    BOOST_TEST(with.ask({"DEBUG", "PROTOCOL", "verbatim"}) == "\"This is a verbatim\nstring\"");
    BOOST_TEST(with.ask({"DEBUG", "PROTOCOL", "bignum"}) == "\"1234567999999999999999999999999999999\"");
    BOOST_TEST(with.ask({"DEBUG", "PROTOCOL", "true"}) == "#1");
    BOOST_TEST(with.ask({"DEBUG", "PROTOCOL", "false"}) == "#0");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
