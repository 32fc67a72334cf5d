#pragma once

#include "sim/connection.hpp"
#include "sim/executor.hpp"

#include <boost/system/error_code.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace redlock::sim {

/// The client's end of a connection, as a process sees it through its system: bytes that have arrived wait
/// here until the process reads them.
class socket final : public std::enable_shared_from_this<socket>, private endpoint {
public:
    using error_code = boost::system::error_code;
    using handler = std::function<void(error_code)>;
    using read_handler = std::function<void(error_code, std::size_t)>;

    explicit socket(const residence& at) : at_(at) {}
    ~socket();

    void connect(std::uint32_t server, handler done);
    void read(std::span<char> space, read_handler done);
    void wait_writable(handler done);
    std::size_t write(std::string_view bytes, error_code& ec);
    bool unread() const noexcept { return !input_.empty(); }
    /// A reader hears of nothing while fewer bytes are unread.
    void wake_at(std::size_t bytes) {
        mark_ = bytes;
        offer();
    }
    /// What has not left the machine goes no further, once the connection is closed.
    void drop_unsent() noexcept { drops_unsent_ = true; }
    void close();

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
    error_code over_; ///< why nothing comes any more
    handler connecting_;
    std::span<char> space_;
    read_handler reading_;
};

} // namespace redlock::sim
