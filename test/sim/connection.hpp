#pragma once

#include "sim/group_addresses.hpp"
#include "sim/network.hpp"

#include <cstdint>
#include <deque>
#include <memory>
#include <string>

namespace redlock::sim {

/// What arrives at one end of a connection.
enum class signal : std::uint8_t { open, opened, refused, bytes, end, reset };

/// One end of a connection, told at once of what arrives at its machine, be its process stopped or not.
class endpoint {
public:
    virtual void arrived(signal what, std::string bytes) = 0;

protected:
    ~endpoint() = default;
};

/// One TCP connection. Each direction is a queue of its own.
class connection : public std::enable_shared_from_this<connection> {
public:
    /// All servers of a group are at one place, as far as the way there goes.
    connection(network& net, std::uint32_t client, std::uint32_t address) noexcept
        : network_(net), client_(client), address_(address), server_(group::place_of(address)) {}

    std::uint32_t client() const noexcept { return client_; }
    std::uint32_t server() const noexcept { return server_; }
    /// Whether the client has given it up: what still arrives was sent before that.
    bool left_by_client() const noexcept { return left_by_client_; }

    /// Begins to connect.
    void open(endpoint& from_client);
    void send(direction d, std::string bytes) { send(d, signal::bytes, std::move(bytes)); }
    /// This end is gone; the other hears of it behind what was sent before, by `reset` if it `crashed`.
    void leave(direction towards_the_other, bool crashed = false);
    /// Pieces that were lost on the way are not sent again.
    void drop_unsent(direction d);
    /// What is under way is lost, and both ends hear of it.
    void reset();
    /// The way is free again.
    void resume(direction d);

    /// The server took the connection, or did not.
    void accept(endpoint* at_server);

private:
    struct piece {
        nanoseconds arrival;
        signal what;
        std::string bytes;
        bool is_resent = false; ///< waits to be sent again
    };
    struct queue {
        std::deque<piece> pieces;
        nanoseconds last_arrival{0};
        bool moving = false; ///< the first piece has its time
        endpoint* end = nullptr;
    };

    void send(direction d, signal what, std::string bytes);
    void move(direction d);
    void arrive(direction d);

    network& network_;
    const std::uint32_t client_;
    const std::uint32_t address_;
    const std::uint32_t server_;
    queue queues_[2];
    std::uint64_t generations_[2] = {0, 0}; ///< of what is scheduled, by direction
    bool left_by_client_ = false;
};

} // namespace redlock::sim
