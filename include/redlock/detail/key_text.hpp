#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <utility>

namespace redlock::detail {

/// The text of a key, which never changes. Up to 40 bytes stand in the object itself: with a lock, memory of
/// its own would be taken and given back for each of them.
class key_text {
public:
    key_text() noexcept = default;
    /// Throws std::bad_alloc.
    explicit key_text(std::string_view text) : key_text(std::string_view(), text) {}
    /// Both, one behind the other. Throws std::bad_alloc.
    key_text(std::string_view prefix, std::string_view rest) : size_(prefix.size() + rest.size()) {
        char* to = short_.data();
        if (is_long()) {
            to = new char[size_];
            set_long(to);
        }
        if (!prefix.empty()) std::memcpy(to, prefix.data(), prefix.size());
        if (!rest.empty()) std::memcpy(to + prefix.size(), rest.data(), rest.size());
    }
    key_text(const key_text& other) : key_text(other.view()) {}
    key_text(key_text&& other) noexcept : short_(other.short_), size_(std::exchange(other.size_, 0)) {}
    key_text& operator=(key_text other) noexcept {
        std::swap(size_, other.size_);
        std::swap(short_, other.short_);
        return *this;
    }
    ~key_text() {
        if (is_long()) delete[] get_long();
    }

    std::string_view view() const noexcept { return {is_long() ? get_long() : short_.data(), size_}; }
    operator std::string_view() const noexcept { return view(); }

private:
    bool is_long() const noexcept { return size_ > short_.size(); }
    char* get_long() const noexcept {
        char* text = nullptr;
        std::memcpy(&text, short_.data(), sizeof text);
        return text;
    }
    void set_long(char* text) noexcept { std::memcpy(short_.data(), &text, sizeof text); }

    std::array<char, 40> short_{}; ///< or where the text stands
    std::size_t size_ = 0;
};

} // namespace redlock::detail
