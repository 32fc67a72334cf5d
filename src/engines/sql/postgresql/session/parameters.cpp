#include "engines/sql/postgresql/session/parameters.hpp"

#include <cstddef>
#include <cstdint>

namespace redlock::postgresql {

namespace {

// pg_type.dat: these never change.
constexpr std::uint32_t bytea_type = 17;
constexpr std::uint32_t bigint_type = 20;
constexpr std::uint32_t text_type = 25;

template <class Number>
std::string big_endian(Number n) {
    std::string bytes(sizeof n, '\0');
    for (std::size_t i = 0; i < sizeof n; ++i)
        bytes[i] = static_cast<char>(n >> (8 * (sizeof n - 1 - i)) & 0xff);
    return bytes;
}

std::string word(std::size_t n) { return big_endian(static_cast<std::uint32_t>(n)); }

} // namespace

parameters& parameters::bytes(std::string_view value) {
    values_.emplace_back(value);
    return *this;
}

parameters& parameters::text(std::string_view value) { return bytes(value); }

parameters& parameters::number(std::int64_t value) {
    values_.push_back(big_endian(static_cast<std::uint64_t>(value)));
    return *this;
}

parameters& parameters::many_bytes(const std::vector<std::string_view>& values) {
    return many(bytea_type, values);
}

parameters& parameters::many_texts(const std::vector<std::string_view>& values) {
    return many(text_type, values);
}

parameters& parameters::many_numbers(const std::vector<std::int64_t>& values) {
    std::vector<std::string> encoded;
    for (const std::int64_t v : values)
        encoded.push_back(big_endian(static_cast<std::uint64_t>(v)));
    return many(bigint_type, {encoded.begin(), encoded.end()});
}

// array_recv: dimensions, whether there are NULLs, the type, and of the dimension its size and first index.
parameters& parameters::many(std::uint32_t type, const std::vector<std::string_view>& values) {
    std::string array = word(values.empty() ? 0 : 1) + word(0) + word(type);
    if (!values.empty()) array += word(values.size()) + word(1);
    for (const std::string_view v : values)
        array.append(word(v.size())).append(v);
    values_.push_back(std::move(array));
    return *this;
}

} // namespace redlock::postgresql
