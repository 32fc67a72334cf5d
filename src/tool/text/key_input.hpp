#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <termios.h>

namespace redlock::tool {

/// Keys that are pressed on the terminal, one by one and not shown, while standard input is one and the
/// process is in its foreground. The terminal is as it was before when the object is destroyed.
class key_input {
public:
    /// `on_key` is called on the executor.
    key_input(const boost::asio::any_io_executor& executor, std::function<void(char)> on_key);
    key_input(const key_input&) = delete;
    key_input& operator=(const key_input&) = delete;
    ~key_input();

    /// After SIGCONT: a shell has had the terminal meanwhile.
    void resume();

private:
    void read();

    std::function<void(char)> on_key_;
    boost::asio::posix::stream_descriptor keyboard_;
    std::optional<termios> former_{};
    bool reading_ = false;
    std::shared_ptr<bool> life_ =
        std::make_shared<bool>(true); ///< what was read in time may be told too late
};

} // namespace redlock::tool
