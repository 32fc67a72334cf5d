#pragma once

#include "process/descriptor.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace redlock::tool {

/// What the process at the terminal and those that make the load tell each other.
enum class load_word : std::int64_t {
    named,   ///< node `number` has the address `bytes`
    ready,   ///< connected, as far as can be
    begin,   ///< to the load: begin at `number` nanoseconds of the steady clock, or at once when that is past
    counted, ///< `bytes` is a `load_report`
    stop,    ///< to the load: end, and give back what was taken
    refused, ///< it cannot begin, for the reason in `bytes`; `number` is an exit status
    done     ///< all is given back; nothing follows
};

struct load_message {
    load_word word{};
    std::int64_t number = 0;
    std::string bytes{};
};

/// One end of a connection between two processes of this program that keeps messages apart and in order.
class load_line {
public:
    explicit load_line(descriptor end = descriptor()) noexcept : end_(std::move(end)) {}

    static std::array<load_line, 2> connected_pair();

    int number() const noexcept { return end_.number(); }
    void close() noexcept { end_.reset(); }

    /// Never blocks. False when the other end has not taken in what was sent before, or is gone.
    bool try_send(load_word word, std::int64_t number, std::string_view bytes) const noexcept;
    /// Waits for the other end to take in what was sent before, for some seconds.
    void send(load_word word, std::int64_t number = 0, std::string_view bytes = {}) const noexcept;

    /// The next message, or nothing when there is none yet or the other end is gone. Never blocks.
    std::optional<load_message> receive();
    /// Whether the other end is gone and all that it said was received.
    bool ended() const noexcept { return ended_; }

private:
    bool put(load_word word, std::int64_t number, std::string_view bytes, int flags) const noexcept;

    descriptor end_;
    bool ended_ = false;
};

} // namespace redlock::tool
