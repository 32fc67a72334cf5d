#pragma once

#include "core/entropy.hpp"
#include "engines/etcd/address.hpp"
#include "engines/etcd/line/line.hpp"

#include <redlock/observer.hpp>

#include <memory>
#include <string>

namespace redlock::etcd {

/// What the engine is made of.
struct settings {
    address cluster;
    line_settings line;
    std::string holder_label{};
    std::shared_ptr<redlock::observer> observer{};
    core::entropy* entropy = nullptr;
};

} // namespace redlock::etcd
