#pragma once

#include "network/tls/tls_session.hpp"
#include "network/transport/io_source.hpp"
#include "network/transport/stream.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace redlock::network {

/// TLS over another stream. Its connect includes the handshake.
///
/// Marks and acknowledgements are those of the stream below: ciphertext is longer than what is in it, so what
/// is certain to come takes the reader past the mark. Only where a part of a record has come, no more than
/// the rest of that is waited for.
class tls_stream final : public stream, public std::enable_shared_from_this<tls_stream> {
public:
    /// Shown the session once the first plaintext has come.
    using witness = std::function<void(const tls_session&)>;

    /// `resumed` as in `tls_session`.
    tls_stream(const io_source::strand& on, std::shared_ptr<stream> below, std::shared_ptr<SSL_CTX> context,
               tls_session::peer expected, SSL_SESSION* resumed, witness heard);

    void async_connect(const destination& to, std::uint32_t attempt, listener told) override;
    void async_read_some(std::span<char> space, listener told) override;
    void async_wait_writable(listener told) override;
    std::size_t write_some(std::string_view bytes, error_code& ec) noexcept override;
    void interrupt() noexcept override { below_->interrupt(); }
    bool unread() const noexcept override { return about_to_tell_ || below_->unread(); }
    void wake_at(std::size_t bytes) noexcept override;
    void acknowledge() noexcept override { below_->acknowledge(); }
    std::optional<std::chrono::nanoseconds> least_round_trip() const noexcept override {
        return below_->least_round_trip();
    }
    void drop_unsent() noexcept override { below_->drop_unsent(); }
    const obstacle* met() const noexcept override;
    void leave() noexcept override;
    void close() noexcept override;

    /// As in `tls_session`.
    bool was_resumed() const noexcept { return session_.was_resumed(); }

private:
    /// What the stream's user asked for, with whatever that takes below. Nothing holds it but what is
    /// outstanding there, so that all of it goes when that goes.
    class operation;
    using operation_pointer = std::shared_ptr<operation>;

    void shake_hands(const operation_pointer& asked);
    bool decrypt(error_code& ec, std::size_t& n);
    void read_below(const operation_pointer& asked);
    void set_mark_below() noexcept;
    error_code send() noexcept;

    io_source::strand strand_;
    const std::shared_ptr<stream> below_;
    const std::shared_ptr<SSL_CTX> context_;
    tls_session session_;
    witness heard_;
    std::span<char> space_;      ///< of the read under way
    std::size_t mark_ = 1;       ///< what our user wants to be woken at
    std::size_t mark_below_ = 1; ///< what we are woken at
    bool reached_ = false;       ///< there is a connection below
    bool connected_ = false;     ///< the handshake is complete
    bool about_to_tell_ = false; ///< of plaintext that was there already
    bool broken_ = false;        ///< the server takes nothing any more; the next read says why
    bool closed_ = false;
};

} // namespace redlock::network
