#include "core/election/leader_record.hpp"

#include "core/election/leader_knowledge.hpp"

#include <charconv>
#include <limits>

namespace redlock::core {

namespace {

constexpr std::size_t term_digits = 19, version_digits = 19;
constexpr std::size_t version_at = term_digits + 1;
static_assert(leader_record_head == term_digits + 1 + version_digits + 1);
static_assert(std::numeric_limits<std::int64_t>::digits10 + 1 == term_digits);
static_assert(highest_version == static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()));

void append_number(std::string& to, std::uint64_t number, std::size_t digits) {
    const std::string text = std::to_string(number);
    if (text.size() < digits) to.append(digits - text.size(), '0');
    to += text;
}

/// 0 where it is none.
std::uint64_t number_of(std::string_view digits) noexcept {
    std::uint64_t number = 0;
    const char* const end = digits.data() + digits.size();
    const auto [behind, fault] = std::from_chars(digits.data(), end, number);
    return fault == std::errc() && behind == end && number <= highest_version ? number : 0;
}

std::string of_term(std::uint64_t term, char behind) {
    std::string text;
    append_number(text, term, term_digits);
    text += behind;
    return text;
}

} // namespace

std::string leader_record(const leader_mark& mark, std::string_view value) {
    std::string text = of_term(mark.term, ':');
    append_number(text, mark.version, version_digits);
    text += ':';
    text += value;
    return text;
}

std::uint64_t term_of_record(std::string_view record) noexcept {
    return number_of(record.substr(0, term_digits));
}

std::string before_records_of(std::uint64_t term) { return of_term(term, ':'); }

std::string behind_records_of(std::uint64_t term) { return of_term(term, ':' + 1); }

// Without the colon behind it.
std::string before_version_of(std::string_view record) {
    return std::string(record.substr(0, leader_record_head - 1));
}

std::optional<leader_info> read_leader_record(std::string_view text) {
    if (text.size() < leader_record_head || text.size() > leader_record_head + max_leader_value_size ||
        text[term_digits] != ':' || text[leader_record_head - 1] != ':')
        return std::nullopt;
    leader_info found{.value = std::string(text.substr(leader_record_head)), .mark = {}, .present = true};
    found.mark.term = number_of(text.substr(0, term_digits));
    found.mark.version = number_of(text.substr(version_at, version_digits));
    if (found.mark.term == 0 || found.mark.version == 0) return std::nullopt;
    return found;
}

} // namespace redlock::core
