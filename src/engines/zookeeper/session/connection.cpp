#include "engines/zookeeper/session/connection.hpp"

#include "engines/zookeeper/wire/jute_reader.hpp"
#include "engines/zookeeper/wire/limits.hpp"

#include <boost/asio/error.hpp>
#include <fmt/format.h>

#include <utility>

namespace redlock::zookeeper {

namespace {

constexpr std::size_t size_of_length = 4;

} // namespace

connection::connection(turn::turns& t, std::shared_ptr<network::stream> over, connection_listener& told)
    : turns_(t), told_(&told), wire_(std::move(over)) {}

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
        if (ec) return end(errc::node_unavailable, "cannot be reached: " + ec.message());
        connected_ = true;
        told_->connected();
        if (told_) read();
    });
}

void connection::read() {
    if (write_failure_) return end(errc::node_unavailable, "takes no more: " + write_failure_.message());
    wire_->async_read_some(input_, shared_from_this());
}

void connection::on_read(error_code ec, std::size_t n) {
    go_on([&] {
        if (ec == boost::asio::error::operation_aborted) return read(); // interrupted
        if (ec == boost::asio::error::eof) return end(errc::node_unavailable, "closed the connection");
        if (ec) return end(errc::node_unavailable, "broke the connection: " + ec.message());
        take(std::string_view(input_.data(), n));
        if (told_) read();
    });
}

void connection::take(std::string_view some) {
    if (begun_.empty()) {
        if (tell_packets(some)) begun_ = some;
        return;
    }
    begun_ += some;
    std::string_view rest = begun_;
    if (tell_packets(rest)) begun_.erase(0, begun_.size() - rest.size());
}

/// Leaves what is no packet in full yet. False when the connection has ended.
bool connection::tell_packets(std::string_view& from) {
    while (told_ && from.size() >= size_of_length) {
        const std::int32_t said = jute_reader(from).get_int();
        if (said < 0 || static_cast<std::size_t>(said) > largest_reply) {
            end(errc::protocol_error,
                fmt::format("announces a packet of {} bytes: it is no ZooKeeper, or tells more than {} bytes",
                            said, largest_reply));
            return false;
        }
        const auto size = static_cast<std::size_t>(said);
        if (from.size() - size_of_length < size) break;
        told_->arrived(from.substr(size_of_length, size));
        from.remove_prefix(size_of_length + size);
    }
    return told_ != nullptr;
}

void connection::flush() noexcept {
    if (!connected_ || blocked_ || !told_) return;
    error_code ec;
    std::size_t written = 0;
    while (!ec && written < output_.size())
        written += wire_->write_some(std::string_view(output_).substr(written), ec);
    output_.erase(0, written);
    if (!ec) return;
    blocked_ = true;
    if (ec == boost::asio::error::would_block || ec == boost::asio::error::try_again)
        return wire_->async_wait_writable(shared_from_this());
    // The read that is under way ends, and says so.
    write_failure_ = ec;
    wire_->interrupt();
}

void connection::on_writable(error_code ec) {
    go_on([&] {
        if (ec && ec != boost::asio::error::operation_aborted)
            return end(errc::node_unavailable, "takes no more: " + ec.message());
        blocked_ = false;
        flush();
    });
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

} // namespace redlock::zookeeper
