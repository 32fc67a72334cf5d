#pragma once

#include "engines/etcd/line/exchange.hpp"

#include <optional>

namespace redlock::etcd {

/// How an exchange that ended so, with that around its messages, came out: nothing where all went well.
std::optional<failure> outcome_of(ending how, const reply_head& head);

} // namespace redlock::etcd
