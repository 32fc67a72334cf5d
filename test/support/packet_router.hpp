#pragma once

#include "support/distant_network.hpp"
#include "support/file_descriptor.hpp"

#include <chrono>
#include <cstdint>
#include <mutex>
#include <queue>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace redlock::test {

/// Carries IP packets between two tunnels, each as its way has it. The last number of a server's address,
/// less one, is the number of its way. Runs in a thread of its own.
class packet_router {
public:
    packet_router(file_descriptor clients, file_descriptor servers, std::vector<distance> ways);
    packet_router(const packet_router&) = delete;
    packet_router& operator=(const packet_router&) = delete;
    ~packet_router();

    std::size_t size() const noexcept { return ways_.size(); }
    void set(std::size_t way, const distance& d);
    void cut(std::size_t way, bool there, bool back);

private:
    using clock = std::chrono::steady_clock;

    /// One direction of a way.
    struct lane {
        clock::time_point free{}; ///< the link has sent all that came before
        clock::time_point last{}; ///< and it has arrived; TCP takes packets that overtake each other for lost
        bool is_cut = false;
    };
    struct route {
        distance is;
        lane there, back;
    };
    struct packet {
        clock::time_point due;
        std::uint64_t number;
        int to;
        std::string bytes;
        bool operator>(const packet& other) const noexcept {
            return due != other.due ? due > other.due : number > other.number;
        }
    };

    void run();
    void take(int from, int to, bool there);
    void send_due(clock::time_point now);
    bool delay(route& r, lane& l, std::size_t bytes, clock::time_point now, clock::time_point& due);

    const file_descriptor clients_;
    const file_descriptor servers_;
    file_descriptor end_;
    std::mutex mutex_; ///< of what follows
    std::vector<route> ways_;
    std::priority_queue<packet, std::vector<packet>, std::greater<>> under_way_;
    std::mt19937 random_{20'260'101};
    std::uint64_t numbers_ = 0;
    std::thread thread_;
};

} // namespace redlock::test
