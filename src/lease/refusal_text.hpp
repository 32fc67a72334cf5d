#pragma once

#include "engine/failure.hpp"
#include "lease/acquire/acquire.hpp"

#include <redlock/error.hpp>

#include <string>

namespace redlock::lock {

/// What there is to say of an acquire that is about to be over without a grant. `more` is what the engine has
/// to say; may be null.
std::string refusal_text(const acquire::account& told, errc why, const engine::failure* more);

} // namespace redlock::lock
