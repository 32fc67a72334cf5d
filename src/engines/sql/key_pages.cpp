#include "engines/sql/key_pages.hpp"

#include <cassert>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

namespace redlock::sql {

namespace {

/// The first text behind all that begin like this.
std::string behind_all(std::string beginning) {
    while (!beginning.empty() && beginning.back() == '\xff')
        beginning.pop_back();
    if (beginning.empty()) return std::string(key_pages::longest_key + 1, '\xff');
    ++beginning.back();
    return beginning;
}

/// The row of the empty key is no lock's.
std::string first_like(std::string beginning) {
    return beginning.empty() ? std::string(1, '\0') : std::move(beginning);
}

std::optional<std::string> bytes_of(std::string_view digits) {
    if (digits.empty() || digits.size() % 2 != 0 || digits.size() > 2 * key_pages::longest_key)
        return std::nullopt;
    std::string bytes;
    for (std::size_t i = 0; i < digits.size(); i += 2) {
        unsigned byte = 0;
        const char* const last = digits.data() + i + 2;
        if (std::from_chars(digits.data() + i, last, byte, 16).ptr != last) return std::nullopt;
        bytes += static_cast<char>(byte);
    }
    return bytes;
}

} // namespace

key_pages::key_pages(std::string beginning, std::size_t most)
    : from_(first_like(beginning)), end_(behind_all(beginning)), most_(most) {}

errc key_pages::take(const answer& page) {
    assert(!over_);
    if (page.rows.size() > page_size) return errc::protocol_error;
    for (const answer::row& row : page.rows) {
        const answer::cell& digits = cell_of(row, 0);
        auto key = digits ? bytes_of(*digits) : std::nullopt;
        const auto held = number_in(cell_of(row, 1));
        if (!key || !held || *key < from_ || *key >= end_) return errc::protocol_error;
        from_ = *key + '\0';
        if (*held == 0) continue;
        if (found_.keys.size() == most_) {
            found_.more = over_ = true;
            return {};
        }
        found_.keys.push_back(*std::move(key));
    }
    over_ = page.rows.size() < page_size;
    if (++pages_ == most_pages && !over_) found_.more = over_ = true;
    return {};
}

} // namespace redlock::sql
