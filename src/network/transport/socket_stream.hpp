#pragma once

#include "network/name_lookups.hpp"
#include "network/transport/connection_race.hpp"
#include "network/transport/io_source.hpp"
#include "network/unshared_descriptor.hpp"
#include "time/process_mark.hpp"

#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <string>
#include <vector>

namespace redlock::network {

/// A stream over a socket of the system: TCP and Unix sockets share one type.
class socket_stream final : public stream {
public:
    explicit socket_stream(const io_source::strand& on) : strand_(on), socket_(on) {}

    void async_connect(const destination& to, std::uint32_t attempt, listener told) override;
    void async_read_some(std::span<char> space, listener told) override;
    void async_wait_writable(listener told) override;
    std::size_t write_some(std::string_view bytes, error_code& ec) noexcept override;
    void interrupt() noexcept override;
    bool unread() const noexcept override;
    void wake_at(std::size_t bytes) noexcept override;
    void acknowledge() noexcept override;
    std::optional<std::chrono::nanoseconds> least_round_trip() const noexcept override;
    const obstacle* met() const noexcept override;
    void drop_unsent() noexcept override;
    void leave() noexcept override;
    void close() noexcept override;

private:
    using generic = boost::asio::generic::stream_protocol;
    using tcp = boost::asio::ip::tcp;
    using endpoints = std::vector<generic::endpoint>;

    /// That of a Unix socket or a numeric address; a name leaves none.
    static endpoints find_literal(const destination& to, error_code& ec);
    void resolve(const destination& to, std::uint32_t attempt, listener told);
    void connect(endpoints to, listener told);
    error_code take_winner();
    /// Makes a connected socket ready for small pipelined writes.
    error_code prepare_socket(int family);

    const time::process_mark made_in_;
    io_source::strand strand_;
    boost::asio::basic_stream_socket<generic, io_source::strand> socket_;
    unshared_descriptor unshared_;                    ///< that of the socket, once it is connected
    std::string name_;                                ///< that the server has, unless it is an address
    std::shared_ptr<name_lookups::waiter> resolving_; ///< until the first answer
    /// Until there is a connection. It is held by what it has under way alone, and holds who is told, who
    /// holds this: all of it goes when the context does.
    std::weak_ptr<connection_race> race_;
    mutable obstacle met_{}; ///< what `met` told last
    bool closed_ = false;
};

} // namespace redlock::network
