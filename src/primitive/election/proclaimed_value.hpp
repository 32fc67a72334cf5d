#pragma once

#include <redlock/leader_info.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace redlock::primitive {

inline constexpr std::string_view no_leaders = "the engine that config::nodes names has no leaders";

inline std::string text_of_long_value(std::size_t size) {
    return fmt::format("the value of a leader must be at most {} bytes long, not {}", max_leader_value_size,
                       size);
}

} // namespace redlock::primitive
