#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace redlock::core {

/// Of a client, as its tokens begin: 48 random bits.
class client_name {
public:
    static constexpr std::size_t size = 8;

    explicit client_name(std::uint64_t random) noexcept;

    std::string_view text() const noexcept { return {text_.data(), text_.size()}; }

private:
    std::array<char, size> text_;
};

/// The value a holder writes: the client that wrote it, the caller's ticket (`ticket_clock`) and 60 random
/// bits, each in digits of six bits whose order is that of their characters. One for each try, so that a key
/// with this value can only be of that try. A lease that is handed on within the process keeps it. Others
/// read in it whom to tell that they wait for the key, and who came first.
///
/// With a fencing token behind it, it takes 44 bytes: what is longer takes Redis two allocations.
class lock_token {
public:
    static constexpr std::size_t ticket_size = 9;
    static constexpr std::size_t random_size = 10;
    static constexpr std::size_t size = client_name::size + ticket_size + random_size; ///< of the text
    static constexpr std::uint64_t highest_ticket = std::uint64_t{1} << 52;

    lock_token(const client_name& client, std::uint64_t ticket, std::uint64_t random) noexcept;

    std::string_view text() const noexcept { return {text_.data(), text_.size()}; }

private:
    std::array<char, size> text_;
};

/// What a value of a key says of whoever wrote it: views into that. A token may be followed by a colon and a
/// fencing token.
struct token_parts {
    std::string_view token;
    std::string_view client;
    std::uint64_t ticket;
};

/// Nothing where the value is none of this library's: the work of another one, perhaps.
std::optional<token_parts> read_token(std::string_view value) noexcept;

/// Whether it is the text of one, with nothing behind it.
bool is_token(std::string_view text) noexcept;

/// The same token, but for its ticket. It is the text of one.
std::string with_ticket(std::string_view token, std::uint64_t ticket);

} // namespace redlock::core
