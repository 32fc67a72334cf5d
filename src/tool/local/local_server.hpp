#pragma once

#include "local/server_process.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace redlock::tool {

/// One throw-away server on a free port of 127.0.0.1, with a folder of its own. It is started by the first
/// call of `ready`.
class local_server {
public:
    /// The folder exists.
    explicit local_server(std::string folder) : folder_(std::move(folder)) {}
    local_server(const local_server&) = delete;
    local_server& operator=(const local_server&) = delete;
    virtual ~local_server() = default;

    /// Whether it answers. Starts it once more on another port when somebody was faster at the first. Throws
    /// `std::runtime_error` with its last words when it ended.
    bool ready();
    std::uint16_t port() const noexcept { return port_; }

protected:
    const std::string& folder() const noexcept { return folder_; }

private:
    /// How it is run on this port, with all that it needs in its folder.
    virtual server_command prepare(std::uint16_t port) = 0;
    /// Whether it, and nobody else who may sit on that port, can be used.
    virtual bool answers() const = 0;
    void launch();

    const std::string folder_;
    std::optional<server_process> process_;
    std::uint16_t port_ = 0;
    int launches_ = 0;
};

} // namespace redlock::tool
