#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace redlock::sim {

/// What a command of a simulated server comes to.
struct value {
    enum class kind { nil, status, error, integer, text, array };

    kind is = kind::nil;
    std::int64_t number = 0;
    std::string words{};
    std::vector<value> items{};

    static value nil() { return {}; }
    static value ok() { return {.is = kind::status, .words = "OK"}; }
    static value error(std::string what) { return {.is = kind::error, .words = std::move(what)}; }
    static value integer(std::int64_t n) { return {.is = kind::integer, .number = n}; }
    static value text(std::string what) { return {.is = kind::text, .words = std::move(what)}; }
    static value array(std::vector<value> items) { return {.is = kind::array, .items = std::move(items)}; }
};

/// Appends it as RESP, in version 2 or 3.
void encode(std::string& out, const value& v, unsigned protocol);
/// Likewise the beginning of an aggregate of that many: `*`, `%`, `>`.
void encode_size(std::string& out, char type, std::size_t size);
void encode_text(std::string& out, std::string_view words);

} // namespace redlock::sim
