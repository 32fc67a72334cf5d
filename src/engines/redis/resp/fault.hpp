#pragma once

#include "engines/redis/resp/item.hpp"

#include <string_view>

namespace redlock::resp {

/// What a verdict other than `complete` and `incomplete` says is wrong with the input, as the subject of a
/// sentence. Static.
std::string_view describe(verdict fault) noexcept;

} // namespace redlock::resp
