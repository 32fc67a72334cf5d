#pragma once

#include "wire_node.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <string>
#include <string_view>

namespace bench {

/// A raw connection of one locker to one node, for one key. Knows which command each reply answers.
class bare_node {
public:
    enum class command : std::uint8_t { listen, look, acquire, stop_listening, release };

    /// Throws what `wire_node` throws, as the rest does.
    bare_node(std::uint16_t port, std::string_view key, std::size_t token);

    /// In one write.
    void send(std::initializer_list<command> commands);
    /// Takes in what has arrived. Throws `std::runtime_error` when it is no answer to what was sent.
    void read();

    // What came since the last `listen`.
    bool was_released() const noexcept { return was_released_; } ///< by another
    bool was_free() const noexcept { return was_free_; }         ///< when it was looked at
    bool granted() const noexcept { return granted_; }
    // Since the last command of the kind.
    bool decided() const noexcept { return decided_; } ///< granted or refused
    bool released() const noexcept { return released_; }

    int socket() const noexcept { return wire_.socket(); }
    std::uint64_t commands() const noexcept { return sent_; }

private:
    void line(std::string_view text);
    void push_line(std::string_view text);
    void answer(command to, std::string_view text);

    wire_node wire_;
    std::array<std::string, 5> bytes_; ///< by command
    std::deque<command> unanswered_;   ///< those that are answered by a reply
    std::uint64_t sent_ = 0;
    unsigned push_line_ = 0; ///< of the push that is being read; 0 outside of one
    unsigned push_lines_ = 0;
    bool skips_line_ = false; ///< the text of a bulk string
    bool was_released_ = false;
    bool was_free_ = false;
    bool granted_ = false;
    bool decided_ = false;
    bool released_ = false;
};

} // namespace bench
