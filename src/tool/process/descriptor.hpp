#pragma once

#include <unistd.h>
#include <utility>

namespace redlock::tool {

/// Closes an open file when it goes; −1 stands for none.
class descriptor {
public:
    explicit descriptor(int open = -1) noexcept : number_(open) {}
    descriptor(descriptor&& other) noexcept : number_(other.release()) {}
    descriptor& operator=(descriptor&& other) noexcept {
        reset(other.release());
        return *this;
    }
    ~descriptor() { reset(); }

    int number() const noexcept { return number_; }
    int release() noexcept { return std::exchange(number_, -1); }
    void reset(int open = -1) noexcept {
        const int old = std::exchange(number_, open);
        if (old >= 0) ::close(old);
    }

private:
    int number_;
};

/// Throws `std::system_error` with what `errno` says when `result` is negative; returns it otherwise.
int checked(int result, const char* what);

} // namespace redlock::tool
