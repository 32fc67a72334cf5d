#include "network/transport/connection_race.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <fmt/format.h>

#include <cstring>
#include <unistd.h>
#include <utility>

namespace redlock::network {
namespace {

// What RFC 8305 recommends. An answer that takes longer is not lost by it.
constexpr std::chrono::milliseconds until_the_next{250};

std::string name_of(const connection_race::generic::endpoint& at) {
    boost::asio::ip::tcp::endpoint ip;
    if (at.size() > ip.capacity()) return {};
    std::memcpy(ip.data(), at.data(), at.size());
    return ip.address().to_string();
}

} // namespace

connection_race::connection_race(const io_source::strand& on, std::vector<generic::endpoint> addresses)
    : strand_(on), addresses_(std::move(addresses)), results_(addresses_.size()), timer_(on) {
    sockets_.reserve(addresses_.size());
}

void connection_race::start(handler told) {
    told_ = std::move(told);
    begin_next();
}

void connection_race::begin_next() {
    timer_.cancel();
    const std::size_t place = sockets_.size();
    if (place == addresses_.size()) return;
    socket& next = *sockets_.emplace_back(std::in_place, strand_);
    ++running_;
    next.async_connect(addresses_[place],
                       [self = shared_from_this(), place](error_code ec) { self->ended(place, ec); });
    if (place + 1 < addresses_.size()) await_next();
}

void connection_race::await_next() {
    timer_.expires_after(until_the_next);
    ++running_;
    timer_.async_wait([self = shared_from_this()](error_code ec) {
        if (!ec && !self->over_) self->begin_next();
        self->one_less();
    });
}

void connection_race::ended(std::size_t place, error_code ec) {
    if (!over_) {
        results_[place] = ec;
        if (!ec) {
            winner_ = place;
            finish();
        } else {
            sockets_[place].reset();
            begin_next();
        }
    }
    one_less();
}

void connection_race::one_less() {
    if (--running_ > 0) return;
    finish();
    const error_code aborted = boost::asio::error::operation_aborted;
    const error_code ec = stopped_ ? aborted : winner_ ? error_code() : *results_.back();
    if (told_) std::exchange(told_, nullptr)(ec);
}

void connection_race::finish() noexcept {
    if (std::exchange(over_, true)) return;
    timer_.cancel();
    error_code ignored;
    for (std::size_t place = 0; place < sockets_.size(); ++place)
        if (sockets_[place] && place != winner_) sockets_[place]->close(ignored);
}

void connection_race::stop() noexcept {
    stopped_ = true;
    winner_.reset();
    over_ = false;
    finish();
}

// To close them would leave them in the child's epoll, for the parent's descriptors keep them alive.
void connection_race::leave() noexcept {
    for (auto& each : sockets_) {
        if (!each || !each->is_open()) continue;
        error_code failed;
        const int descriptor = each->release(failed);
        if (!failed) ::close(descriptor);
    }
    stop();
}

std::string connection_race::failures() const {
    std::string text;
    for (std::size_t place = 0; place < addresses_.size(); ++place) {
        if (place > 0) text += ", ";
        text += name_of(addresses_[place]);
        text += results_[place] ? ": " + results_[place]->message() : ": no answer";
    }
    return text;
}

} // namespace redlock::network
