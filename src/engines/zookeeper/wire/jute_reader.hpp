#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace redlock::zookeeper {

/// Reads what a server has sent. Whatever is wrong with it, nothing behind its end is touched: from the first
/// value that does not fit, all are zero or empty, and `is_good` says so.
class jute_reader {
public:
    explicit jute_reader(std::string_view bytes) noexcept : rest_(bytes) {}

    bool get_bool() noexcept { return get(1) != 0; }
    std::int32_t get_int() noexcept { return static_cast<std::int32_t>(static_cast<std::uint32_t>(get(4))); }
    std::int64_t get_long() noexcept { return static_cast<std::int64_t>(get(8)); }
    /// A view into the bytes; empty also for the null that jute has. One that is longer is an error.
    std::string_view get_text(std::size_t longest) noexcept;
    /// How many elements follow, each of at least so many bytes. More than `most` are an error.
    std::size_t get_count(std::size_t most, std::size_t least_size) noexcept;

    void fail() noexcept {
        good_ = false;
        rest_ = {};
    }
    bool is_good() const noexcept { return good_; }
    bool is_at_end() const noexcept { return rest_.empty(); }
    std::string_view rest() const noexcept { return rest_; }

private:
    std::uint64_t get(std::size_t size) noexcept;

    std::string_view rest_;
    bool good_ = true;
};

} // namespace redlock::zookeeper
