#pragma once

#include <unistd.h>
#include <utility>

namespace redlock::test {

/// Owns one open file descriptor, or none (−1).
class file_descriptor {
public:
    file_descriptor() = default;
    explicit file_descriptor(int open) noexcept : value_(open) {}
    file_descriptor(file_descriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
    file_descriptor& operator=(file_descriptor&& other) noexcept {
        std::swap(value_, other.value_);
        return *this;
    }
    ~file_descriptor() { close(); }

    int get() const noexcept { return value_; }
    explicit operator bool() const noexcept { return value_ >= 0; }
    void close() noexcept {
        if (value_ >= 0) ::close(std::exchange(value_, -1));
    }

private:
    int value_ = -1;
};

} // namespace redlock::test
