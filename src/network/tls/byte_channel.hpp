#pragma once

#include "network/tls/openssl.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

namespace redlock::network {

/// Bytes between OpenSSL and whoever carries them, both ways, in memory that does not grow. Not thread-safe.
class byte_channel {
public:
    /// The longest record there is: 16 KiB, a header, and what a cipher of TLS 1.2 may add to it.
    static constexpr std::size_t longest_record = 16'384 + 5 + 2'048;

    /// Throws std::bad_alloc.
    byte_channel();
    byte_channel(const byte_channel&) = delete;
    byte_channel& operator=(const byte_channel&) = delete;

    /// Reads from this channel and writes to it, and must not outlive it. Where there is nothing to read, or
    /// no room to write to, it asks to be tried again. Throws std::bad_alloc.
    openssl_pointer<BIO> make_bio();

    // From the peer.

    /// Room for what comes; empty until OpenSSL has read all there was.
    std::span<char> room() noexcept;
    void arrived(std::size_t n) noexcept { in_end_ = n; }
    bool has_unread() const noexcept { return in_begin_ < in_end_; }

    // To the peer.

    std::string_view outgoing() const noexcept { return {out_.get() + out_begin_, out_end_ - out_begin_}; }
    void sent(std::size_t n) noexcept;
    /// Whether the longest record, and a few short ones with it, can be written.
    bool takes_record() const noexcept { return out_capacity - out_end_ >= longest_record + spare; }

private:
    friend struct channel_bio;
    static constexpr std::size_t in_capacity = std::size_t{32} * 1024;
    static constexpr std::size_t spare = 1024;
    static constexpr std::size_t out_capacity = std::size_t{64} * 1024 + longest_record + spare;

    std::size_t read(std::span<char> to) noexcept;
    bool write(std::string_view from) noexcept;

    std::unique_ptr<char[]> in_;
    std::unique_ptr<char[]> out_;
    std::size_t in_begin_ = 0;
    std::size_t in_end_ = 0;
    std::size_t out_begin_ = 0;
    std::size_t out_end_ = 0;
};

} // namespace redlock::network
