#pragma once

#include "network/transport/stream.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace redlock::test {

using boost::system::error_code;

/// Uses a stream as a session does, and holds it.
struct stream_user final : network::stream_listener, std::enable_shared_from_this<stream_user> {
    std::shared_ptr<network::stream> stream;
    std::array<char, 4096> space{};
    std::vector<error_code> connects;
    std::vector<error_code> ends; ///< of reads
    std::vector<error_code> writables;
    std::string heard;
    std::size_t calls = 0;
    bool reads_on = true;

    void read() { stream->async_read_some(space, shared_from_this()); }

private:
    void on_connected(error_code ec) override {
        ++calls;
        connects.push_back(ec);
        if (!ec) read();
    }
    void on_read(error_code ec, std::size_t n) override {
        ++calls;
        heard.append(space.data(), n);
        if (ec)
            ends.push_back(ec);
        else if (reads_on)
            read();
    }
    void on_writable(error_code ec) override {
        ++calls;
        writables.push_back(ec);
    }
};

} // namespace redlock::test
