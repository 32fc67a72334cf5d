#include "engines/etcd/line/connection.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <fmt/format.h>

#include <utility>

namespace redlock::etcd {

namespace {

/// What a server whose first bytes are these does, where that is known and not to speak HTTP/2.
const char* foreign_protocol(std::string_view first) noexcept {
    if (first.starts_with("HTTP/")) return "answers in HTTP/1, not in HTTP/2: it is no etcd for clients";
    // An alert (RFC 8446, 5.1): it took the request for the beginning of a handshake.
    if (first.starts_with("\x15\x03")) return "answers in TLS, which takes an address with etcds://";
    return nullptr;
}

} // namespace

connection::connection(const strand& on, turn::turns& t, std::shared_ptr<network::stream> over,
                       std::string authority, bool encrypted, connection_listener& told)
    : strand_(on),
      turns_(t),
      told_(&told),
      wire_(std::move(over)),
      http2_(std::move(authority), encrypted),
      encrypted_(encrypted) {}

template <class What>
void connection::go_on(What what) {
    if (!told_) return;
    turn::turns& turns = turns_;
    turns.begin();
    what();
    turns.end();
}

void connection::connect(const network::destination& to, std::uint32_t attempt) {
    wire_->async_connect(to, attempt, shared_from_this());
}

void connection::on_connected(error_code ec) {
    go_on([&] {
        if (ec) return end("cannot be reached", ec);
        connected_ = true;
        told_->connected();
        if (told_) read();
    });
}

void connection::read() {
    if (write_failure_) return end("takes no more", write_failure_);
    reading_ = true;
    wire_->async_read_some(input_, shared_from_this());
}

void connection::on_read(error_code ec, std::size_t n) {
    reading_ = false;
    go_on([&] {
        if (ec == boost::asio::error::operation_aborted) return read(); // interrupted
        if (ec) return end_of_input(ec);
        take(n);
        if (told_) read();
    });
}

void connection::take(std::size_t n) {
    const std::string_view some(input_.data(), n);
    const char* const foreign = std::exchange(heard_, true) ? nullptr : foreign_protocol(some);
    if (foreign) return end(errc::protocol_error, foreign);
    const bool goes_on = http2_.arrived(some);
    told_->heard();
    if (!told_ || goes_on) return;
    if (http2_.problem().empty()) return end(errc::node_unavailable, "closes the connection");
    end(http2_.breaks_protocol() ? errc::protocol_error : errc::node_unavailable,
        std::string(http2_.problem()));
}

void connection::end_of_input(error_code ec) {
    // All that a server says which waits for TLS, and hears something else.
    const bool wordless = !encrypted_ && !heard_ &&
                          (ec == boost::asio::error::eof || ec == boost::asio::error::connection_reset);
    if (wordless)
        return end(errc::node_unavailable,
                   "closed the connection without a word: it may expect TLS (etcds://)");
    if (ec == boost::asio::error::eof && !wire_->met())
        return end(errc::node_unavailable, "closed the connection");
    end("broke the connection", ec);
}

bool connection::has_unwritten() const noexcept {
    return connected_ && !blocked_ && (written_ < output_.size() || http2_.has_outgoing());
}

void connection::flush() noexcept {
    if (!connected_ || blocked_ || !told_) return;
    error_code ec;
    while (!ec) {
        if (written_ == output_.size()) {
            output_.clear();
            written_ = 0;
            if (!http2_.gather(output_, turns_.now())) ec = boost::asio::error::no_memory;
            if (output_.empty()) break;
        }
        if (!ec) written_ += wire_->write_some(std::string_view(output_).substr(written_), ec);
    }
    // What broke the protocol is given up once the server is told so.
    if (http2_.has_news()) wake_later();
    if (!ec) return;
    blocked_ = true;
    if (ec == boost::asio::error::would_block || ec == boost::asio::error::try_again)
        return wire_->async_wait_writable(shared_from_this());
    // The read that is under way ends, and says so.
    write_failure_ = ec;
    wire_->interrupt();
}

void connection::wake_later() noexcept {
    boost::asio::post(strand_, [self = shared_from_this()] { self->go_on([&] { self->told_->woken(); }); });
}

void connection::on_writable(error_code ec) {
    go_on([&] {
        if (ec && ec != boost::asio::error::operation_aborted) return end("takes no more", ec);
        blocked_ = false;
        flush();
    });
}

void connection::end(std::string_view how, error_code ec) {
    const network::obstacle* const met = wire_->met();
    if (met) return end(met->why, std::string(met->text));
    end(errc::node_unavailable, fmt::format("{}: {}", how, ec.message()));
}

void connection::end(errc why, const std::string& text) {
    if (!told_) return;
    connection_listener& told = *told_;
    drop();
    told.broken(why, text);
}

void connection::close() noexcept {
    told_ = nullptr;
    wire_->close();
}

void connection::drop() noexcept {
    wire_->drop_unsent();
    close();
}

void connection::leave() noexcept {
    told_ = nullptr;
    wire_->leave();
}

} // namespace redlock::etcd
