#pragma once

#include "network/tls/tls_context.hpp"
#include "network/tls/tls_session.hpp"
#include "support/authority.hpp"
#include "tls/tls_peer.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

namespace redlock::test {

using network::tls_session;
using progress = tls_session::progress;

/// Of TLS.
inline constexpr int both_versions[] = {TLS1_2_VERSION, TLS1_3_VERSION};

inline tls_options trusting(const authority& trusted) { return {.ca_file = trusted.file()}; }

/// A client's session and the server's end, with nothing but a test between them.
struct session_fixture {
    std::shared_ptr<SSL_CTX> server_context;
    std::shared_ptr<SSL_CTX> client_context;
    std::optional<tls_peer> server;
    std::optional<tls_session> client;

    explicit session_fixture(int version = TLS1_3_VERSION)
        : session_fixture({.own = trusted_authority().sign(), .version = version},
                          trusting(trusted_authority())) {}
    session_fixture(const tls_server_options& of_server, const tls_options& of_client)
        : server_context(make_server_context(of_server)),
          client_context(network::make_tls_context(of_client)) {
        begin();
    }

    /// A new connection.
    void begin(tls_session::peer expected = {.name = "localhost"}, SSL_SESSION* resumed = nullptr) {
        client.emplace(*client_context, std::move(expected), resumed);
        server.emplace(*server_context);
    }

    /// Gives bytes to the client as they would be read, `piece` at a time; what it makes of them is the
    /// test's matter.
    template <class Taken>
    void give_client(std::string_view bytes, Taken taken,
                     std::size_t piece = std::numeric_limits<std::size_t>::max()) {
        while (!bytes.empty()) {
            const auto room = client->room();
            const std::size_t n = std::min({room.size(), bytes.size(), piece});
            std::copy_n(bytes.begin(), n, room.begin());
            client->arrived(n);
            bytes.remove_prefix(n);
            if (!taken()) return;
        }
    }

    /// What the client has for the server goes there.
    void send() {
        while (!client->outgoing().empty()) {
            const std::string bytes(client->outgoing());
            client->sent(bytes.size());
            server->receive(bytes);
        }
    }

    /// Carries bytes to and fro until the client's handshake comes to its end.
    progress shake_hands(std::size_t piece = std::numeric_limits<std::size_t>::max()) {
        progress made = client->shake_hands();
        for (;;) {
            send();
            if (made != progress::wants_input) return made;
            const std::string bytes = server->outgoing();
            if (bytes.empty()) return made;
            give_client(
                bytes,
                [&] {
                    made = client->shake_hands();
                    return made == progress::wants_input;
                },
                piece);
        }
    }

    /// All plaintext that there is, and what came behind it.
    std::string read_all(progress& made) {
        std::string all;
        std::string space(1000, '\0');
        for (;;) {
            std::size_t n = 0;
            made = client->read(space, n);
            if (made != progress::complete) return all;
            all.append(space, 0, n);
        }
    }
    /// The server's bytes so far, and what the client reads in them.
    std::string receive(progress& made, std::size_t piece = std::numeric_limits<std::size_t>::max()) {
        std::string all;
        made = progress::wants_input;
        give_client(
            server->outgoing(),
            [&] {
                all += read_all(made);
                return made == progress::wants_input;
            },
            piece);
        return all;
    }
    std::string receive() {
        progress made{};
        return receive(made);
    }
    std::string reason() const { return client->failure() ? client->failure()->text : std::string(); }
};

/// One that comes to nothing.
struct failing_session : session_fixture {
    using session_fixture::session_fixture;

    failing_session(const certificate_request& of_server, int version)
        : session_fixture({.own = trusted_authority().sign(of_server), .version = version},
                          trusting(trusted_authority())) {}

    bool fails() { return shake_hands() == progress::failed; }
    bool says(std::string_view words) const { return reason().find(words) != std::string::npos; }
    bool is(errc why) const { return client->failure() && client->failure()->why == why; }
};

} // namespace redlock::test
