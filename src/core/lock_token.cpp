#include "core/lock_token.hpp"

#include <algorithm>
#include <cassert>

namespace redlock::core {

namespace {

constexpr std::string_view digits = "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz";
static_assert(digits.size() == 64 && std::ranges::is_sorted(digits));
constexpr unsigned bits_of_digit = 6;

constexpr std::array<std::int8_t, 256> values = [] {
    std::array<std::int8_t, 256> of{};
    of.fill(-1);
    for (std::size_t i = 0; i < digits.size(); ++i)
        of[static_cast<unsigned char>(digits[i])] = static_cast<std::int8_t>(i);
    return of;
}();

char* put(char* to, std::uint64_t number, std::size_t count) noexcept {
    for (std::size_t i = count; i-- > 0; number >>= bits_of_digit)
        to[i] = digits[number & 63];
    return to + count;
}

constexpr bool is_digit(char c) noexcept { return values[static_cast<unsigned char>(c)] >= 0; }

} // namespace

client_name::client_name(std::uint64_t random) noexcept { put(text_.data(), random, size); }

lock_token::lock_token(const client_name& client, std::uint64_t ticket, std::uint64_t random) noexcept {
    assert(ticket <= highest_ticket);
    char* const behind = std::ranges::copy(client.text(), text_.data()).out;
    put(put(behind, ticket, ticket_size), random, random_size);
}

std::optional<token_parts> read_token(std::string_view value) noexcept {
    if (value.size() < lock_token::size) return std::nullopt;
    if (value.size() > lock_token::size && value[lock_token::size] != ':') return std::nullopt;
    const std::string_view token = value.substr(0, lock_token::size);
    if (!std::ranges::all_of(token, is_digit)) return std::nullopt;
    std::uint64_t ticket = 0;
    for (const char c : token.substr(client_name::size, lock_token::ticket_size))
        ticket = ticket << bits_of_digit | static_cast<std::uint64_t>(values[static_cast<unsigned char>(c)]);
    if (ticket > lock_token::highest_ticket) return std::nullopt;
    return token_parts{.token = token, .client = token.substr(0, client_name::size), .ticket = ticket};
}

bool is_token(std::string_view text) noexcept {
    return text.size() == lock_token::size && read_token(text).has_value();
}

std::string with_ticket(std::string_view token, std::uint64_t ticket) {
    assert(is_token(token) && ticket <= lock_token::highest_ticket);
    std::string other(token);
    put(other.data() + client_name::size, ticket, lock_token::ticket_size);
    return other;
}

} // namespace redlock::core
