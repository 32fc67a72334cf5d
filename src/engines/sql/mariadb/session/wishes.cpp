#include "engines/sql/mariadb/session/wishes.hpp"

#include "engines/sql/key_pages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace redlock::mariadb {

std::string hexadecimal(std::string_view bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    text.reserve(2 * bytes.size());
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        text += digits[byte >> 4];
        text += digits[byte & 15];
    }
    return text;
}

std::string literal(std::string_view bytes) { return fmt::format("x'{}'", hexadecimal(bytes)); }

// An index takes no long keys.
std::string key_literal(std::string_view key) {
    const std::string whole = literal(key);
    return key.size() <= sql::key_pages::longest_key ? whole : fmt::format("UNHEX(SHA2({}, 256))", whole);
}

std::string wishes_of(const std::vector<sql::request*>& asked) {
    std::string text;
    for (const sql::request* r : asked)
        fmt::format_to(std::back_inserter(text), R"({}{{"k":"{}","t":"{}","l":{}}})", text.empty() ? "" : ",",
                       hexadecimal(r->of->full_key.view()), r->of->token(),
                       std::min(r->life, sql::longest_row_life).count());
    return fmt::format("[{}]", text);
}

std::string wishes_of(const std::vector<std::string_view>& keys) {
    std::string text;
    for (const std::string_view key : keys)
        fmt::format_to(std::back_inserter(text), R"({}{{"k":"{}"}})", text.empty() ? "" : ",",
                       hexadecimal(key));
    return fmt::format("[{}]", text);
}

std::string keys_of(const std::vector<sql::request*>& asked) {
    std::string text;
    for (const sql::request* r : asked)
        fmt::format_to(std::back_inserter(text), "{}{}", text.empty() ? "" : ", ",
                       key_literal(r->of->full_key.view()));
    return text;
}

std::string tokens_of(const std::vector<sql::request*>& asked) {
    std::string text;
    for (const sql::request* r : asked)
        fmt::format_to(std::back_inserter(text), "{}'{}'", text.empty() ? "" : ", ", r->of->token());
    return text;
}

} // namespace redlock::mariadb
