#pragma once

#include "core/entropy.hpp"
#include "engines/sql/dialect.hpp"
#include "engines/sql/session/session.hpp"

#include <redlock/observer.hpp>

#include <memory>
#include <string>

namespace redlock::sql {

/// What the engine is made of.
struct settings {
    std::unique_ptr<const dialect> speaks;
    session_settings session;
    core::nanoseconds restart_guard{};
    std::shared_ptr<redlock::observer> observer{};
    core::entropy* entropy = nullptr;
    std::string holder_label{}; ///< stands in the rows; may be empty
};

} // namespace redlock::sql
