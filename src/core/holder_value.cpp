#include "core/holder_value.hpp"

#include "core/printable.hpp"

#include <charconv>

namespace redlock::core {

holder_value read_holder_value(std::string_view value, std::size_t token_size) noexcept {
    if (value.size() <= token_size || value[token_size] != ':') return {.token = value};
    holder_value read{.token = value.substr(0, token_size)};
    const std::string_view behind = value.substr(token_size + 1);
    const std::size_t colon = behind.find(':');
    const std::string_view digits = behind.substr(0, colon);
    if (!digits.empty()) {
        std::uint64_t number = 0;
        const auto [end, error] = std::from_chars(digits.begin(), digits.end(), number);
        if (error != std::errc() || end != digits.end()) return {.token = value};
        read.fencing_token = number;
    }
    if (colon != behind.npos) read.label = behind.substr(colon + 1);
    return read;
}

std::string label_ending(std::string_view label, bool behind_fencing_token) {
    if (label.empty()) return {};
    return std::string(behind_fencing_token ? ":" : "::").append(label);
}

std::string label_of(std::string_view value, std::size_t token_size) {
    return printable(read_holder_value(value, token_size).label, longest_label);
}

} // namespace redlock::core
