#pragma once

#include "network/tls/tls_stream.hpp"
#include "session/virtual_wire.hpp"
#include "tls/session_fixture.hpp"
#include "tls/stream_user.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/strand.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace redlock::test {

/// A stream of TLS over a wire, and a server's end of it.
struct stream_fixture {
    boost::asio::io_context context{1};
    network::io_source::strand strand =
        boost::asio::make_strand(boost::asio::any_io_executor(context.get_executor()));
    std::shared_ptr<SSL_CTX> server_context;
    std::shared_ptr<SSL_CTX> client_context = network::make_tls_context(trusting(trusted_authority()));
    std::optional<tls_peer> server;
    std::shared_ptr<virtual_wire> wire;
    std::shared_ptr<stream_user> user;
    int witnessed = 0;
    bool abandoned = false; ///< the context goes with what is ready to run there

    explicit stream_fixture(int version = TLS1_3_VERSION)
        : stream_fixture(tls_server_options{.own = trusted_authority().sign(), .version = version}) {}
    explicit stream_fixture(const tls_server_options& options)
        : server_context(make_server_context(options)) {
        server.emplace(*server_context);
        wire = std::make_shared<virtual_wire>(strand, nullptr);
        user = std::make_shared<stream_user>();
        user->stream = std::make_shared<network::tls_stream>(strand, wire, client_context,
                                                             tls_session::peer{.name = "localhost"}, nullptr,
                                                             [this](const tls_session&) { ++witnessed; });
    }
    ~stream_fixture() {
        if (abandoned) return;
        // What was outstanding has ended, and nothing is held any more.
        user->stream->close();
        run();
        user->stream.reset();
        const std::weak_ptr<stream_user> gone = user;
        user.reset();
        BOOST_TEST(gone.expired());
    }

    void run() {
        context.restart();
        context.poll();
    }
    void connect() {
        user->stream->async_connect({}, 0, user);
        BOOST_TEST(user->calls == 0u);
        wire->accept();
        run();
        while (user->connects.empty() && exchange() > 0)
            continue;
        exchange();
    }
    /// Carries what both ends have written to the other, and says how much that was.
    std::size_t exchange(std::size_t piece = std::string::npos) {
        const std::string up = wire->take();
        server->receive(up);
        const std::string down = server->outgoing();
        for (std::size_t sent = 0; sent < down.size(); sent += std::min(piece, down.size() - sent)) {
            wire->send(down.substr(sent, piece));
            run();
        }
        run();
        return up.size() + down.size();
    }
    std::size_t write(std::string_view bytes, error_code& ec) { return user->stream->write_some(bytes, ec); }
    bool is_connected() const { return user->connects == std::vector<error_code>{error_code()}; }
    std::string reason() const {
        const network::obstacle* const met = user->stream->met();
        return met ? met->text : "";
    }
};

} // namespace redlock::test
