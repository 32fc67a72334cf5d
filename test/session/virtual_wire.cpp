#include "session/virtual_wire.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>

namespace redlock::test {

namespace asio = boost::asio;

virtual_wire::virtual_wire(const strand& on, std::function<error_code()> fault)
    : strand_(on), fault_(std::move(fault)) {}

void virtual_wire::async_connect(const network::destination&, std::uint32_t, listener told) {
    connecting_ = std::move(told);
    if (const auto failed = next_fault()) finish_connect(failed);
}

void virtual_wire::finish_connect(error_code ec) {
    if (!connecting_) return;
    established_ = !ec;
    asio::post(strand_, [told = std::exchange(connecting_, nullptr), ec] { told->on_connected(ec); });
}

void virtual_wire::async_read_some(std::span<char> space, listener told) {
    space_ = space;
    reading_ = std::move(told);
    if (const auto failed = next_fault(); failed && !ended_) return end(failed);
    // Where the last read took all there was, Asio may try once more at once, or wait until the system says
    // that there is something. Whoever is right with the latter is with both.
    exhausted_ && !ended_ ? wake() : pump();
}

void virtual_wire::pump() {
    if (!reading_ || (segments_.empty() && !ended_)) return;
    error_code ec;
    std::size_t size = 0;
    if (segments_.empty()) {
        ec = ended_;
    } else {
        auto& segment = segments_.front();
        size = std::min(segment.size(), space_.size());
        std::copy_n(segment.begin(), size, space_.begin());
        segment.erase(0, size);
        if (segment.empty()) segments_.pop_front();
        exhausted_ = segments_.empty();
    }
    asio::post(strand_, [told = std::exchange(reading_, nullptr), ec, size] { told->on_read(ec, size); });
}

// A reader that waits already hears of nothing below the mark.
void virtual_wire::wake() {
    std::size_t unread = 0;
    for (const auto& segment : segments_)
        unread += segment.size();
    if (unread >= mark_) pump();
}

void virtual_wire::wake_at(std::size_t bytes) noexcept {
    mark_ = bytes;
    wake();
}

void virtual_wire::async_wait_writable(listener told) {
    waiting_ = std::move(told);
    if (const auto failed = next_fault())
        let_write(failed);
    else if (window_ > 0 || broken_)
        let_write({});
}

void virtual_wire::let_write(error_code ec) {
    if (!waiting_) return;
    asio::post(strand_, [told = std::exchange(waiting_, nullptr), ec] { told->on_writable(ec); });
}

std::size_t virtual_wire::write_some(std::string_view bytes, error_code& ec) noexcept {
    ec = next_fault();
    if (!ec && (closed_ || !established_)) ec = asio::error::not_connected;
    if (!ec) ec = unwritable_;
    if (!ec && broken_) ec = asio::error::broken_pipe;
    if (!ec && window_ == 0) ec = asio::error::would_block;
    if (ec) return 0;
    const std::size_t size = std::min(bytes.size(), window_);
    window_ -= size;
    total_ += size;
    written_ += bytes.substr(0, size);
    return size;
}

void virtual_wire::close() noexcept {
    closed_ = true;
    const error_code aborted = asio::error::operation_aborted;
    finish_connect(aborted);
    let_write(aborted);
    segments_.clear();
    ended_ = aborted;
    pump();
}

void virtual_wire::send(std::string segment) {
    if (!open() || segment.empty()) return;
    segments_.push_back(std::move(segment));
    wake();
}

void virtual_wire::end(error_code how) {
    if (!open()) return;
    ended_ = how;
    pump();
}

void virtual_wire::reset() {
    if (!established_ || closed_) return;
    broken_ = true;
    segments_.clear();
    ended_ = asio::error::connection_reset;
    let_write({});
    pump();
}

void virtual_wire::admit(std::size_t bytes) {
    window_ = bytes;
    if (bytes > 0) let_write({});
}

} // namespace redlock::test
