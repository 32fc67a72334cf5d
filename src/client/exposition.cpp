#include "client/exposition.hpp"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cstddef>

namespace redlock::lock {

namespace {

/// The bytes of the character that the text begins with, in UTF-8 (RFC 3629); 0 when it begins with none.
std::size_t size_of_character(std::string_view text) noexcept {
    constexpr std::array<std::uint32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
    const auto byte = [&](std::size_t i) { return std::uint32_t{static_cast<unsigned char>(text[i])}; };
    const std::uint32_t lead = byte(0);
    if (lead < 0x80) return 1;
    const std::size_t size = lead >> 5 == 6 ? 2 : lead >> 4 == 14 ? 3 : lead >> 3 == 30 ? 4 : 0;
    if (size == 0 || text.size() < size) return 0;
    std::uint32_t code = lead & (0x7fu >> size);
    for (std::size_t i = 1; i < size; ++i) {
        if ((byte(i) & 0xc0) != 0x80) return 0;
        code = code << 6 | (byte(i) & 0x3f);
    }
    const bool is_surrogate = code >> 11 == 0x1b;
    return code < least[size] || code > 0x10ffff || is_surrogate ? 0 : size;
}

void append_escaped(std::string& out, std::string_view value) {
    while (!value.empty()) {
        const std::size_t size = size_of_character(value);
        if (size == 0)
            out += "\xef\xbf\xbd"; // U+FFFD
        else if (value[0] == '\n')
            out += "\\n";
        else if (value[0] == '\\' || value[0] == '"')
            (out += '\\') += value[0];
        else
            out.append(value, 0, size);
        value.remove_prefix(size == 0 ? 1 : size);
    }
}

} // namespace

void exposition::begin(std::string_view name, std::string_view type, std::string_view help) {
    name_ = name;
    text_.append("# HELP ").append(name).append(" ").append(help);
    text_.append("\n# TYPE ").append(name).append(" ").append(type).append("\n");
}

void exposition::sample(labels l, std::uint64_t value) {
    line("", l, nullptr, fmt::format_int(value).c_str());
}

void exposition::sample(labels l, const latency_histogram& values, const bounds& b) {
    const fmt::format_int count(values.count);
    for (unsigned bits = b.lowest; bits <= b.highest; ++bits) {
        const std::chrono::nanoseconds bound(std::int64_t{1} << bits);
        const std::string seconds = fmt::to_string(std::chrono::duration<double>(bound).count());
        const label le{"le", seconds};
        line("_bucket", l, &le, fmt::format_int(values.count_up_to(bound)).c_str());
    }
    const label infinity{"le", "+Inf"};
    line("_bucket", l, &infinity, count.c_str());
    line("_sum", l, nullptr, fmt::to_string(values.sum.count()));
    line("_count", l, nullptr, count.c_str());
}

void exposition::line(std::string_view suffix, labels l, const label* last, std::string_view value) {
    text_.append(name_).append(suffix);
    char separator = '{';
    for (const label& each : l)
        append(each, std::exchange(separator, ','));
    if (last) append(*last, std::exchange(separator, ','));
    if (separator == ',') text_ += '}';
    text_.append(" ").append(value).append("\n");
}

void exposition::append(const label& l, char separator) {
    text_ += separator;
    text_.append(l.name).append("=\"");
    append_escaped(text_, l.value);
    text_ += '"';
}

} // namespace redlock::lock
