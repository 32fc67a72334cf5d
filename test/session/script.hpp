#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace redlock::test {

/// Choices read from bytes, so that any bytes are a program. Behind the end all choices are 0.
class script {
public:
    explicit script(std::string_view bytes) noexcept : bytes_(bytes) {}

    bool over() const noexcept { return bytes_.empty(); }

    std::uint8_t byte() noexcept {
        if (bytes_.empty()) return 0;
        const auto next = static_cast<std::uint8_t>(bytes_.front());
        bytes_.remove_prefix(1);
        return next;
    }
    /// A number below `limit`, which is 256 at most.
    std::size_t below(std::size_t limit) noexcept { return byte() % limit; }
    bool flag() noexcept { return byte() % 2 == 1; }

    /// 0 to about two hours, with 1 ms as likely as one hour.
    std::chrono::nanoseconds time() noexcept {
        const std::size_t choice = byte();
        const auto exponent = choice / 8 % 24;
        return std::chrono::milliseconds((std::int64_t{1} << exponent) *
                                         static_cast<std::int64_t>(choice % 8) / 8);
    }

    std::string_view bytes(std::size_t size) noexcept {
        const auto taken = bytes_.substr(0, size);
        bytes_.remove_prefix(taken.size());
        return taken;
    }

private:
    std::string_view bytes_;
};

} // namespace redlock::test
