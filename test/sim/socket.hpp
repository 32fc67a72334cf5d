#pragma once

#include "network/transport/stream.hpp"
#include "sim/connection.hpp"
#include "sim/executor.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace redlock::sim {

/// The client's end of a connection, as a process sees it through its system: bytes that have arrived wait
/// here until the process reads them.
class socket final : public redlock::network::stream,
                     public std::enable_shared_from_this<socket>,
                     private endpoint {
public:
    explicit socket(const residence& at) : at_(at) {}
    ~socket() override;

    /// The host is the number of a simulated server.
    void async_connect(const redlock::network::destination& to, std::uint32_t attempt,
                       listener told) override;
    void async_read_some(std::span<char> space, listener told) override;
    void async_wait_writable(listener told) override;
    std::size_t write_some(std::string_view bytes, error_code& ec) noexcept override;
    bool unread() const noexcept override { return !input_.empty(); }
    void wake_at(std::size_t bytes) noexcept override {
        mark_ = bytes;
        offer();
    }
    void acknowledge() noexcept override {}
    std::optional<nanoseconds> least_round_trip() const noexcept override { return nanoseconds(0); }
    /// What has not left the machine goes no further, once the connection is closed.
    void drop_unsent() noexcept override { drops_unsent_ = true; }
    void interrupt() noexcept override {}       // what is unread here is always told
    void leave() noexcept override { close(); } // nobody forks here
    void close() noexcept override;

private:
    void arrived(signal what, std::string bytes) override;
    void connected(error_code ec);
    void offer();
    void take();

    residence at_;
    std::shared_ptr<connection> link_;
    std::string input_;
    std::size_t mark_ = 1;
    bool drops_unsent_ = false;
    error_code over_;     ///< why nothing comes any more
    listener connecting_; ///< told when it is connected
    std::span<char> space_;
    listener reading_;
};

} // namespace redlock::sim
