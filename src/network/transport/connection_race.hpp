#pragma once

#include "network/transport/io_source.hpp"

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/wait_traits.hpp>
#include <boost/system/error_code.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace redlock::network {

/// Connects to the first of several addresses that takes a connection. It tries them one after the other, the
/// next as soon as one has failed, and also when one has said nothing for a while, without giving that one up
/// (RFC 8305): an address that swallows everything must not keep the others from being tried.
///
/// On the strand.
class connection_race : public std::enable_shared_from_this<connection_race> {
public:
    using error_code = boost::system::error_code;
    using generic = boost::asio::generic::stream_protocol;
    using socket = boost::asio::basic_stream_socket<generic, io_source::strand>;
    /// Runs once, when nothing of the race is under way any more; never from inside `start` or `stop`.
    using handler = std::function<void(error_code)>;

    /// At least one address.
    connection_race(const io_source::strand& on, std::vector<generic::endpoint> addresses);

    void start(handler told);
    /// Has it end with `operation_aborted`.
    void stop() noexcept;
    /// In a forked child: gives up its descriptors. As `stop`.
    void leave() noexcept;

    /// The connected one, after the handler ran without an error.
    socket take_winner() { return std::move(*sockets_[*winner_]); }
    int family() const noexcept { return addresses_[*winner_].protocol().family(); }
    /// Continues a sentence, naming each address: why it cannot be connected to, or that it has not answered.
    std::string failures() const;

private:
    using clock = std::chrono::steady_clock;

    void begin_next();
    void await_next();
    void ended(std::size_t place, error_code ec);
    void finish() noexcept;
    void one_less();

    io_source::strand strand_;
    std::vector<generic::endpoint> addresses_;
    std::vector<std::optional<socket>> sockets_;     ///< of the addresses, as far as they were begun with
    std::vector<std::optional<error_code>> results_; ///< of those that have one
    boost::asio::basic_waitable_timer<clock, boost::asio::wait_traits<clock>, io_source::strand> timer_;
    std::optional<std::size_t> winner_;
    std::size_t running_ = 0; ///< operations
    bool over_ = false;
    bool stopped_ = false;
    handler told_;
};

} // namespace redlock::network
