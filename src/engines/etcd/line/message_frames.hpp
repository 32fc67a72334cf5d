#pragma once

#include <redlock/detail/pool.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace redlock::etcd {

/// Bytes of messages, from the pools of the thread.
using bytes = std::basic_string<char, std::char_traits<char>, detail::pool_allocator<char>>;

/// Every message of gRPC has a flag and its length before it.
inline constexpr std::size_t message_prefix = 5;

/// Messages on their way to a server, each behind its prefix.
class outgoing_messages {
public:
    void append(std::string_view message);
    /// The next of them, as far as there is room, as taken.
    std::size_t take(std::span<char> room) noexcept;
    /// None is left.
    bool all_taken() const noexcept { return taken_ == all_.size(); }
    bool none_taken() const noexcept { return taken_ == 0; }
    std::size_t left() const noexcept { return all_.size() - taken_; }
    /// As if none of what is kept had been taken.
    void rewind() noexcept { taken_ = 0; }
    void clear() noexcept;

private:
    bytes all_;
    std::size_t taken_ = 0;
};

/// Messages as they arrive from a server, in pieces of any size.
class incoming_messages {
public:
    /// The longest there is; etcd's own limit for a request is 1.5 MiB.
    static constexpr std::size_t longest = std::size_t(4) << 20;

    /// Null, or what is wrong with what came: continues the name of who sent it. `single`: there is one
    /// message at most. Once something is wrong nothing more is to be added.
    const char* append(std::string_view piece, bool single);
    /// The next whole message, which is there until the next call of anything but `size`.
    bool next(std::string_view& message) noexcept;
    /// Something has come that is in no whole message.
    bool has_rest() const noexcept { return passed_ < all_.size(); }
    std::size_t size() const noexcept { return all_.size(); }
    void clear() noexcept;

private:
    bytes all_;
    std::size_t passed_ = 0;  ///< of what has come, given out
    std::size_t checked_ = 0; ///< where the first prefix is that was not looked at
};

} // namespace redlock::etcd
