#pragma once

#include "core/entropy.hpp"
#include "engines/sql/postgresql/session/address.hpp"
#include "engines/sql/postgresql/session/session.hpp"

#include <redlock/observer.hpp>

#include <memory>
#include <string>

namespace redlock::postgresql {

/// What the engine is made of.
struct settings {
    address database;
    session_settings session;
    core::nanoseconds restart_guard{};
    std::shared_ptr<redlock::observer> observer{};
    core::entropy* entropy = nullptr;
    std::string holder_label{}; ///< stands in the rows; may be empty
};

} // namespace redlock::postgresql
