#pragma once

#include "core/entropy.hpp"
#include "engines/zookeeper/address.hpp"
#include "engines/zookeeper/session/session.hpp"

#include <redlock/observer.hpp>

#include <cstddef>
#include <memory>
#include <string>

namespace redlock::zookeeper {

/// What the engine is made of.
struct settings {
    address ensemble;
    session_settings session;
    std::string holder_label{};   ///< as it stands in records
    std::size_t max_inflight = 0; ///< of contests, and of departures
    std::shared_ptr<redlock::observer> observer{};
    core::entropy* entropy = nullptr;
};

} // namespace redlock::zookeeper
