#include "core/printable.hpp"

namespace redlock::core {

std::string printable(std::string_view text, std::size_t longest) {
    static constexpr char digits[] = "0123456789abcdef";
    std::string shown;
    for (const char c : text.substr(0, longest)) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\')
            shown.append(1, '\\').append(1, c);
        else if (byte >= ' ' && byte <= '~')
            shown.append(1, c);
        else
            shown.append("\\x").append(1, digits[byte >> 4]).append(1, digits[byte & 15]);
    }
    if (text.size() > longest) shown.append("...");
    return shown;
}

} // namespace redlock::core
