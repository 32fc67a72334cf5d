#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace redlock::postgresql {

/// What stands for $1, $2 and so on in a statement, in PostgreSQL's binary form: whatever bytes a key has, no
/// statement can be broken by it.
class parameters {
public:
    parameters& bytes(std::string_view value);
    parameters& text(std::string_view value);
    parameters& number(std::int64_t value);

    // One array each, `bytea[]`, `text[]` and `bigint[]`.
    parameters& many_bytes(const std::vector<std::string_view>& values);
    parameters& many_texts(const std::vector<std::string_view>& values);
    parameters& many_numbers(const std::vector<std::int64_t>& values);

    /// As a statement has them.
    operator std::vector<std::string>() && { return std::move(values_); } // NOLINT: they are nothing else
    operator std::vector<std::string>() const& { return values_; }        // NOLINT: likewise

private:
    parameters& many(std::uint32_t type, const std::vector<std::string_view>& values);

    std::vector<std::string> values_;
};

} // namespace redlock::postgresql
