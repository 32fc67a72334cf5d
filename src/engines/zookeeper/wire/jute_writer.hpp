#pragma once

#include <cassert>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace redlock::zookeeper {

/// Writes values as ZooKeeper's serialisation, jute, has them: numbers with the highest byte first, texts
/// behind their length.
class jute_writer {
public:
    void put_bool(bool b) { bytes_ += b ? '\1' : '\0'; }
    void put_int(std::int32_t n) { put(static_cast<std::uint32_t>(n), 4); }
    void put_long(std::int64_t n) { put(static_cast<std::uint64_t>(n), 8); }
    /// Texts and buffers of bytes alike.
    void put_text(std::string_view text) {
        assert(text.size() <= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()));
        put_int(static_cast<std::int32_t>(text.size()));
        bytes_ += text;
    }

    const std::string& bytes() const noexcept { return bytes_; }
    std::string take() noexcept { return std::move(bytes_); }

private:
    void put(std::uint64_t n, unsigned size) {
        for (unsigned i = size; i-- > 0;)
            bytes_ += static_cast<char>(static_cast<unsigned char>(n >> (8 * i)));
    }

    std::string bytes_;
};

} // namespace redlock::zookeeper
