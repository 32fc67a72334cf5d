#include "network/tls/tls_stream.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <utility>

namespace redlock::network {

namespace error = boost::asio::error;

class tls_stream::operation final : public stream_listener,
                                    public std::enable_shared_from_this<tls_stream::operation> {
public:
    operation(std::shared_ptr<tls_stream> of, listener by) : stream_(std::move(of)), user_(std::move(by)) {}

    stream_listener& user() const noexcept { return *user_; }

private:
    void on_connected(error_code ec) override {
        if (ec) return user_->on_connected(ec);
        stream_->reached_ = true;
        stream_->shake_hands(shared_from_this());
    }

    void on_read(error_code ec, std::size_t n) override {
        tls_session& session = stream_->session_;
        if (!ec) session.arrived(n);
        const bool ended = ec == error::eof || (!stream_->connected_ && ec == error::connection_reset);
        if (ended) session.input_ended();
        if (!stream_->connected_) return shake_hands(ended ? error_code() : ec);
        if (ec && !ended) return user_->on_read(ec, 0);
        error_code found;
        if (stream_->decrypt(found, n)) return user_->on_read(found, n);
        if (ended) return user_->on_read(ec, 0);
        stream_->read_below(shared_from_this());
    }

    void on_writable(error_code ec) override {
        if (!stream_->connected_) return shake_hands(ec);
        if (!ec) ec = stream_->send();
        if (ec == error::would_block) return stream_->below_->async_wait_writable(shared_from_this());
        user_->on_writable(ec);
    }

    /// Goes on behind what has ended like that. An interruption is none of the handshake's business.
    void shake_hands(error_code ec) {
        if (ec && (ec != error::operation_aborted || stream_->closed_)) return user_->on_connected(ec);
        stream_->shake_hands(shared_from_this());
    }

    const std::shared_ptr<tls_stream> stream_;
    const listener user_;
};

tls_stream::tls_stream(const io_source::strand& on, std::shared_ptr<stream> below,
                       std::shared_ptr<SSL_CTX> context, tls_session::peer expected, SSL_SESSION* resumed,
                       witness heard)
    : strand_(on),
      below_(std::move(below)),
      context_(std::move(context)),
      session_(*context_, std::move(expected), resumed),
      heard_(std::move(heard)) {}

void tls_stream::async_connect(const destination& to, std::uint32_t attempt, listener told) {
    below_->async_connect(to, attempt, std::make_shared<operation>(shared_from_this(), std::move(told)));
}

void tls_stream::shake_hands(const operation_pointer& asked) {
    if (closed_) return asked->user().on_connected(error::operation_aborted);
    for (;;) {
        const tls_session::progress made = session_.shake_hands();
        const error_code ec = send();
        if (made == tls_session::progress::failed) return asked->user().on_connected(session_.failure()->why);
        if (ec == error::would_block) return below_->async_wait_writable(asked);
        if (ec) return asked->user().on_connected(ec);
        if (made == tls_session::progress::wants_input) return read_below(asked);
        if (made == tls_session::progress::complete) break;
    }
    connected_ = true;
    asked->user().on_connected({});
}

void tls_stream::async_read_some(std::span<char> space, listener told) {
    space_ = space;
    error_code ec;
    std::size_t n = 0;
    if (!decrypt(ec, n)) return read_below(std::make_shared<operation>(shared_from_this(), std::move(told)));
    about_to_tell_ = true;
    boost::asio::post(strand_, [self = shared_from_this(), told = std::move(told), ec, n] {
        self->about_to_tell_ = false;
        told->on_read(ec, n);
    });
}

// Whether there is something to tell, be it the end.
bool tls_stream::decrypt(error_code& ec, std::size_t& n) {
    const tls_session::progress made = session_.read(space_, n);
    std::ignore = send(); // an answer of the protocol's own; what blocks it blocks a later write, too
    switch (made) {
    case tls_session::progress::complete:
        if (heard_) std::exchange(heard_, nullptr)(session_);
        return true;
    case tls_session::progress::ended:
        ec = error::eof;
        return true;
    case tls_session::progress::failed:
        ec = session_.failure() ? session_.failure()->why : errc::tls_failed;
        return true;
    default:
        return false;
    }
}

void tls_stream::read_below(const operation_pointer& asked) {
    set_mark_below();
    below_->async_read_some(session_.room(), asked);
}

void tls_stream::wake_at(std::size_t bytes) noexcept {
    mark_ = bytes;
    set_mark_below();
}

void tls_stream::set_mark_below() noexcept {
    const std::size_t missing = session_.missing();
    const std::size_t wanted = missing > 0 ? std::min(mark_, missing) : mark_;
    if (wanted != mark_below_) below_->wake_at(wanted);
    mark_below_ = wanted;
}

void tls_stream::async_wait_writable(listener told) {
    below_->async_wait_writable(std::make_shared<operation>(shared_from_this(), std::move(told)));
}

std::size_t tls_stream::write_some(std::string_view bytes, error_code& ec) noexcept {
    for (std::size_t taken = 0;;) {
        ec = send();
        if (broken_) return bytes.size();
        if (ec || taken == bytes.size()) return taken;
        const std::size_t more = session_.write(bytes.substr(taken));
        if (more == 0) ec = error::connection_aborted;
        if (ec) return taken;
        taken += more;
    }
}

// A server that refuses our certificate says so in TLS 1.3 when our first command is on its way, and closes
// the connection. Whatever is written then fails before the refusal is read.
stream::error_code tls_stream::send() noexcept {
    error_code ec;
    while (!ec && !broken_ && !session_.outgoing().empty())
        session_.sent(below_->write_some(session_.outgoing(), ec));
    broken_ = broken_ || ec == error::connection_reset || ec == error::broken_pipe;
    return broken_ ? error_code() : ec;
}

const obstacle* tls_stream::met() const noexcept {
    if (!reached_) return below_->met();
    return session_.failure() ? &*session_.failure() : nullptr;
}

void tls_stream::leave() noexcept {
    closed_ = true;
    below_->leave();
}

void tls_stream::close() noexcept {
    if (connected_ && !closed_) {
        session_.say_goodbye();
        std::ignore = send();
    }
    closed_ = true;
    below_->close();
}

} // namespace redlock::network
