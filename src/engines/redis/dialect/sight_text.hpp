#pragma once

#include "core/queue/open_door.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace redlock::redis {

// What is known of strangers stands behind the length of a row, or of a door: "+door+unseen+shut+turns",
// times in microseconds.

void append_sight(std::string& to, const core::stranger_sight& s);

/// Nothing when the text is not of that form, or of a door that would be open for no time.
std::optional<core::stranger_sight> read_sight(std::string_view text) noexcept;

} // namespace redlock::redis
