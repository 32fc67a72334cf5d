#pragma once

#include <array>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace redlock::resp {

/// An integer in decimal digits, kept on the stack, to be an argument of a command:
///
///     append_command(out, {"PEXPIRE", key, decimal(ttl.count())});
class decimal {
public:
    template <std::integral T>
    explicit decimal(T value) noexcept {
        end_ = std::to_chars(digits_.data(), digits_.data() + digits_.size(), value).ptr;
    }
    decimal(const decimal&) = delete;
    decimal& operator=(const decimal&) = delete;

    /// Lives as long as this object.
    std::string_view text() const noexcept { return {digits_.data(), end_}; }
    operator std::string_view() const noexcept { return text(); }

private:
    std::array<char, 20> digits_;
    const char* end_ = nullptr;
};

/// The bytes that one command takes at most once it is encoded.
std::size_t most_bytes_of(std::span<const std::string_view> args) noexcept;
/// Encodes one command to where there is room for so many, and gives the end of it. For the rest as
/// `append_command`.
char* write_command(char* to, std::span<const std::string_view> args) noexcept;

/// A command that is sent again and again with another pair of arguments: what stands before and behind them
/// is encoded once.
class command_pattern {
public:
    /// Throws std::bad_alloc.
    command_pattern(std::initializer_list<std::string_view> before,
                    std::initializer_list<std::string_view> behind);

    /// As the functions above, for the command with these two.
    std::size_t most_bytes_with(std::string_view first, std::string_view second) const noexcept;
    char* write_with(char* to, std::string_view first, std::string_view second) const noexcept;

private:
    std::string before_;
    std::string behind_;
};

/// Appends one command, encoded as an array of bulk strings. Arguments may hold any bytes. Allocates only
/// when `out` must grow. An empty command is not a command: `args` holds one at least. The arguments must not
/// lie inside `out`. Throws std::bad_alloc, std::length_error; `out` is then unchanged.
void append_command(std::string& out, std::span<const std::string_view> args);
void append_command(std::string& out, std::initializer_list<std::string_view> args);

} // namespace redlock::resp
