#pragma once

#include <string>
#include <vector>

namespace redlock::tool {

/// What stands between the separators: one part more than there are of those, some perhaps empty.
inline std::vector<std::string> parts_of(const std::string& text, char separator) {
    std::vector<std::string> parts(1);
    for (const char c : text) {
        if (c == separator)
            parts.emplace_back();
        else
            parts.back() += c;
    }
    return parts;
}

} // namespace redlock::tool
