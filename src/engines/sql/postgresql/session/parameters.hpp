#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
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

    std::size_t size() const noexcept { return values_.size(); }
    const std::string& operator[](std::size_t i) const noexcept { return values_[i]; }

private:
    parameters& many(std::uint32_t type, const std::vector<std::string_view>& values);

    std::vector<std::string> values_;
};

} // namespace redlock::postgresql
