#pragma once

#include "engines/redis/dialect/scripts.hpp"

#include <cstdint>

namespace redlock::redis {

/// In which of its forms a command goes to a node. It travels in the tag of the request, for what a reply
/// says depends on it.
enum class command_form : std::uint8_t {
    only, ///< the command has no other
    set_returning_holder,
    plain_set,
    delex,
    delifeq,
    zadd_gt,
    by_hash = 64, ///< the first script by its hash; the others follow
    by_text = 128 ///< likewise
};

constexpr command_form by_hash(script s) noexcept {
    return static_cast<command_form>(static_cast<unsigned>(command_form::by_hash) + static_cast<unsigned>(s));
}
constexpr command_form by_text(script s) noexcept {
    return static_cast<command_form>(static_cast<unsigned>(command_form::by_text) + static_cast<unsigned>(s));
}
constexpr bool is_by_text(command_form f) noexcept { return f >= command_form::by_text; }
constexpr bool is_by_hash(command_form f) noexcept { return f >= command_form::by_hash && !is_by_text(f); }
constexpr bool is_script(command_form f) noexcept { return f >= command_form::by_hash; }
/// Of a form that is one.
constexpr script script_of(command_form f) noexcept {
    return static_cast<script>(static_cast<unsigned>(f) & 63);
}

/// A command of the server's own that compares and deletes.
constexpr bool is_native_release(command_form f) noexcept {
    return f == command_form::delex || f == command_form::delifeq;
}

} // namespace redlock::redis
