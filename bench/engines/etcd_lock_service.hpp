#pragma once

#include "load.hpp"

#include <cstdint>

namespace bench::engines {

/// A closed loop on etcd's own lock service (`v3lockpb.Lock`), as clients of etcd have it: one connection and
/// one lease of the server for all callers, and a call of Lock and one of Unlock for each cycle. The member
/// listens on that port of 127.0.0.1. Throws std::runtime_error where it does not serve.
sample run_lock_service(std::uint16_t port, const load& plan);

} // namespace bench::engines
