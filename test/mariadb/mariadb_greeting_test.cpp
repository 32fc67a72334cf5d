// What a server says first, and that one without encryption hears nothing where encryption is demanded.

#include "../engine/engine_fixture.hpp"
#include "engines/sql/mariadb/session/greeting.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace redlock::mariadb {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using greets = greeting_kind;

constexpr int tls_bit = 0x08;

/// Of the protocol that all servers speak.
std::string greeting_of(int abilities, std::string_view version = "8.0.36") {
    std::string said = "\x0a";
    said.append(version).append(1, '\0').append(4, 'n').append(8, 'r').append(1, '\0');
    said += '\xff';
    said += static_cast<char>(abilities);
    said += '\x2d';
    said += std::string("\x02\0\xff\xc1\x15", 5) + std::string(10, '\0') + std::string(12, 'r') + '\0' +
            "mysql_native_password" + '\0';
    return std::string({static_cast<char>(said.size()), '\0', '\0', '\0'}) + said;
}

greets kind_of(std::string_view text) {
    return kind_of_greeting({reinterpret_cast<const unsigned char*>(text.data()), text.size()});
}

BOOST_AUTO_TEST_SUITE(mariadb_greeting)

BOOST_AUTO_TEST_CASE(each_beginning_of_a_greeting_is_unfinished_until_it_says_whether_it_encrypts) {
    for (const int abilities : {0x00, 0x08, 0xf7, 0xff}) {
        const std::string whole = greeting_of(abilities);
        const greets last = abilities & tls_bit ? greets::encrypts : greets::plain;
        const std::size_t known = 4 + 1 + 7 + 4 + 8 + 1 + 2;
        for (std::size_t size = 0; size <= whole.size(); ++size)
            BOOST_TEST((kind_of(whole.substr(0, size)) == (size < known ? greets::unfinished : last)), size);
    }
}

BOOST_AUTO_TEST_CASE(what_is_no_greeting_offers_no_encryption) {
    BOOST_TEST((kind_of(std::string("\x20\0\0\0\x09", 5) + "old") == greets::plain));
    BOOST_TEST((kind_of("HTTP/1.1 400 Bad Request") == greets::plain));
    // One that is over before it has said all, and one that does not come to its point.
    std::string brief = greeting_of(0xff);
    brief[0] = 20;
    BOOST_TEST((kind_of(brief) == greets::plain));
    const std::string endless = std::string("\xff\xff\xff\0\x0a", 5) + std::string(longest_greeting, 'v');
    BOOST_TEST((kind_of(endless.substr(0, longest_greeting)) == greets::plain));
    BOOST_TEST(
        (kind_of(std::string("\x10\0\0\0\xff\x69\x04", 7)) == greets::refusal)); // no more than an error
}

struct plain_server_fixture : test::engine_fixture {
    void accept() {
        acceptor.async_accept(peer, [this](boost::system::error_code ec) {
            if (ec) return;
            asio::write(peer, asio::buffer(greeting));
            peer.async_read_some(asio::buffer(heard),
                                 [this](boost::system::error_code, std::size_t size) { heard_bytes = size; });
        });
    }

    tcp::acceptor acceptor{context, tcp::endpoint(asio::ip::address_v4::loopback(), 0)};
    tcp::socket peer{context};
    std::string greeting = greeting_of(0xf7);
    std::array<char, 512> heard{};
    std::optional<std::size_t> heard_bytes;
};

BOOST_FIXTURE_TEST_CASE(a_server_without_encryption_hears_nothing, plain_server_fixture) {
    accept();
    config c;
    c.nodes = {"mysql://somebody:secret@127.0.0.1:" + std::to_string(acceptor.local_endpoint().port()) +
               "/locks?ssl-mode=required"};
    client locks(context.get_executor(), c);
    BOOST_TEST(run_until([&] { return heard_bytes.has_value(); }));
    BOOST_TEST(*heard_bytes == 0u);
    BOOST_TEST(run_until([&] { return locks.metrics().nodes.at(0).last_error.failed(); }));
    const std::string why = locks.metrics().nodes.at(0).last_error_text;
    BOOST_TEST(why.find("does not encrypt the connection") != std::string::npos, why);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::mariadb
