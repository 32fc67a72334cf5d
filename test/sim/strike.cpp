#include "sim/strike.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace redlock::sim {

std::string_view name_of(moment m) noexcept {
    constexpr std::string_view names[] = {"asking",  "renewals",   "releases", "tokens",
                                          "waiting", "hand-overs", "grants"};
    return names[static_cast<unsigned>(m)];
}

std::string_view name_of(deed d) noexcept {
    constexpr std::string_view names[] = {"resets",         "cuts",         "one-way cuts", "server stops",
                                          "server crashes", "client stops", "suspends",     "client deaths",
                                          "nudged clocks",  "overwriting",  "prolonging",   "removal"};
    return names[static_cast<unsigned>(d)];
}

bool strikes::has(deed d) const noexcept { return std::ranges::find(deeds, d) != deeds.end(); }

bool strikes::has(moment m) const noexcept { return std::ranges::find(moments, m) != moments.end(); }

std::string strikes::description() const {
    std::string text;
    for (const deed d : deeds)
        text += fmt::format("{}{}", text.empty() ? "" : " and ", name_of(d));
    const char* before = " at ";
    for (const moment m : moments) {
        text += before;
        text += name_of(m);
        before = " and ";
    }
    return text + fmt::format(" ({})", probability);
}

} // namespace redlock::sim
