#pragma once

#include "network/tls/byte_channel.hpp"
#include "network/tls/openssl.hpp"
#include "network/tls/record_boundaries.hpp"
#include "network/transport/encryption.hpp"
#include "network/transport/stream.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace redlock::network {

/// Our end of one TLS connection, without any I/O: it is given what the peer sent and what is to be sent, and
/// has the one as plaintext and the other as ciphertext. Its memory is bounded, whatever the peer sends. Not
/// thread-safe.
class tls_session {
public:
    /// Who is expected at the other end.
    struct peer {
        std::string name;   ///< a host name, or an IP address in its canonical form
        bool verify = true; ///< its certificate, and that it is for that name
        spoken speaks{};    ///< whatever goes through
    };

    /// `resumed`, if not null, is what `resumable` was when that peer was last connected to. Throws
    /// std::bad_alloc.
    tls_session(SSL_CTX& context, peer expected, SSL_SESSION* resumed = nullptr);
    tls_session(const tls_session&) = delete;
    tls_session& operator=(const tls_session&) = delete;
    ~tls_session();

    // What the peer sent. It goes into `room`, which is there again once all of it was taken in.

    std::span<char> room() noexcept { return bytes_.room(); }
    void arrived(std::size_t n) noexcept;
    /// Nothing more will come.
    void input_ended();
    /// How many bytes are certain to be missing before `read` has more; 0 when that is not known.
    std::size_t missing() const noexcept { return records_.missing(); }

    // What the peer is to be sent, first in, first out.

    std::string_view outgoing() const noexcept { return bytes_.outgoing(); }
    void sent(std::size_t n) noexcept { bytes_.sent(n); }

    enum class progress {
        complete,
        wants_input, ///< more has to come from the peer
        wants_room,  ///< what is outgoing has to go first
        ended,       ///< the peer said that it sends nothing more
        failed       ///< for good; see `failure`
    };

    /// To be called until it is complete or has failed.
    progress shake_hands();
    /// Plaintext that has come: `complete`, and at least a byte, or why there is none. After `shake_hands`.
    progress read(std::span<char> space, std::size_t& n);
    /// Encrypts as much as there is room for among what is outgoing, and says how much that was: 0 when there
    /// is none or after a failure.
    std::size_t write(std::string_view plaintext) noexcept;
    /// Tells the peer that nothing more comes. Once what is outgoing is gone; it is not told twice.
    void say_goodbye() noexcept;

    /// What went wrong. Before the handshake is complete: what is still missing.
    const std::optional<obstacle>& failure() const noexcept { return failure_; }

    /// Whether the peer knew us from the connection before.
    bool was_resumed() const noexcept;
    /// What shortens the next handshake; null where the peer has not told it, which it does before the first
    /// plaintext.
    openssl_pointer<SSL_SESSION> resumable() const noexcept;

private:
    progress judge(int result);
    progress fail(obstacle why);
    void expect(const peer& who);
    void offer(const spoken& within);

    const peer expected_;
    byte_channel bytes_;
    record_boundaries records_;
    openssl_pointer<SSL> ssl_;
    std::optional<obstacle> failure_;
    bool complete_ = false; ///< the handshake
    bool failed_ = false;
    bool ended_ = false;
};

} // namespace redlock::network
