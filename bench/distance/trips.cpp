#include "distance/trips.hpp"

#include "commands.hpp"
#include "engines/redis/dialect/scripts.hpp"

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <stdexcept>
#include <utility>

namespace bench {

namespace {

namespace asio = boost::asio;
using clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto longest_trip = 120s;

/// To one server, for one command at a time.
class plain_connection {
public:
    plain_connection(const std::string& address, unsigned short port) : socket_(loop_) {
        socket_.connect({asio::ip::make_address(address), port});
        socket_.set_option(asio::ip::tcp::no_delay(true));
    }
    /// Until the reply is there, which has so many lines.
    nanoseconds trip_of(std::string_view command, unsigned lines = 1) {
        const auto begin = clock::now();
        asio::write(socket_, asio::buffer(command));
        for (; lines > 0; --lines)
            input_.erase(0, asio::read_until(socket_, asio::dynamic_buffer(input_), '\n'));
        return clock::now() - begin;
    }

private:
    asio::io_context loop_;
    asio::ip::tcp::socket socket_;
    std::string input_;
};

/// To all servers, for one command after another.
class plain_connections {
public:
    explicit plain_connections(const std::vector<place>& servers) {
        for (const place& p : servers) {
            all_.push_back({asio::ip::tcp::socket(loop_)});
            all_.back().socket.connect({asio::ip::make_address(p.address), p.port});
            all_.back().socket.set_option(asio::ip::tcp::no_delay(true));
        }
    }
    /// Until a majority has answered, with so many lines; the others answer behind that.
    void ask(std::string_view command, unsigned lines = 1) {
        answers_ = 0;
        for (connection& c : all_)
            asio::write(c.socket, asio::buffer(command));
        for (connection& c : all_)
            c.owed += lines;
        for (connection& c : all_)
            if (c.owed == lines) read(c);
        loop_.restart();
        while (answers_ <= all_.size() / 2)
            if (loop_.run_one_for(longest_trip) == 0) throw std::runtime_error("a server does not answer");
    }
    void wait_for_the_rest() {
        loop_.restart();
        loop_.run_for(longest_trip);
    }

private:
    struct connection {
        asio::ip::tcp::socket socket;
        std::string input{};
        unsigned owed = 0; ///< lines of answers
    };

    void read(connection& c) {
        asio::async_read_until(c.socket, asio::dynamic_buffer(c.input), '\n',
                               [this, &c](const boost::system::error_code& e, std::size_t size) {
                                   if (e) throw boost::system::system_error(e);
                                   c.input.erase(0, size);
                                   if (--c.owed == 0)
                                       ++answers_;
                                   else
                                       read(c);
                               });
    }

    asio::io_context loop_;
    std::deque<connection> all_;
    std::size_t answers_ = 0; ///< to the last command
};

redlock::node::server_info redis_of(const std::string& version) {
    redlock::node::server_info info;
    info.product = "redis";
    info.version = version;
    return info;
}

} // namespace

nanoseconds ping_trip(const std::string& address, unsigned short port, unsigned times) {
    plain_connection server(address, port);
    std::vector<nanoseconds> trips;
    for (unsigned i = 0; i < times; ++i)
        trips.push_back(server.trip_of("PING\r\n"));
    return percentile(std::move(trips), 50);
}

nanoseconds shared_ping_trip(const std::vector<place>& servers, unsigned times) {
    plain_connections all(servers);
    std::vector<nanoseconds> trips;
    for (unsigned i = 0; i < times; ++i) {
        const auto begin = clock::now();
        all.ask("PING\r\n");
        trips.push_back(clock::now() - begin);
        all.wait_for_the_rest();
    }
    return percentile(std::move(trips), 50);
}

floor_trips floor_of_lock(const std::vector<place>& servers, const std::string& version, unsigned times) {
    plain_connections all(servers);
    all.ask(encode({"SCRIPT", "LOAD", redlock::redis::text_of(redlock::redis::script::release)}), 2);
    all.wait_for_the_rest();
    const redlock::node::server_info info = redis_of(version);
    std::vector<nanoseconds> locks;
    std::vector<nanoseconds> pairs;
    for (unsigned i = 0; i < times; ++i) {
        const caller_commands commands = encode_for(fmt::format("floor:{}", i), i, info);
        const auto begin = clock::now();
        all.ask(commands.acquire);
        locks.push_back(clock::now() - begin);
        all.ask(commands.release);
        pairs.push_back(clock::now() - begin);
        all.wait_for_the_rest();
    }
    return {percentile(std::move(locks), 50), percentile(std::move(pairs), 50)};
}

lock_trips trips_of_lock(const std::string& address, unsigned short port, const std::string& version,
                         unsigned times) {
    plain_connection server(address, port);
    server.trip_of(encode({"SCRIPT", "LOAD", redlock::redis::text_of(redlock::redis::script::release)}), 2);
    const redlock::node::server_info info = redis_of(version);
    std::vector<nanoseconds> locks;
    std::vector<nanoseconds> unlocks;
    for (unsigned i = 0; i < times; ++i) {
        const caller_commands commands = encode_for(fmt::format("trip:{}", i), i, info);
        locks.push_back(server.trip_of(commands.acquire));
        unlocks.push_back(server.trip_of(commands.release));
    }
    return {percentile(std::move(locks), 50), percentile(std::move(unlocks), 50)};
}

nanoseconds percentile(std::vector<nanoseconds> times, unsigned hundredth) {
    if (times.empty()) return nanoseconds(0);
    std::ranges::sort(times);
    return times[std::min(times.size() - 1, times.size() * hundredth / 100)];
}

} // namespace bench
