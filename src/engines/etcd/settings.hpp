#pragma once

#include "core/entropy.hpp"
#include "engines/etcd/address.hpp"
#include "engines/etcd/line/line.hpp"

#include <redlock/observer.hpp>

#include <cstddef>
#include <memory>
#include <string>

namespace redlock::etcd {

/// What the engine is made of.
struct settings {
    address cluster;
    line_settings line;
    std::string holder_label{};
    std::size_t max_inflight = 0; ///< of contests, and of releases
    std::shared_ptr<redlock::observer> observer{};
    core::entropy* entropy = nullptr;
};

} // namespace redlock::etcd
