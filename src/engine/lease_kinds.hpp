#pragma once

#include "engine/claim.hpp"

#include <redlock/lease_kind.hpp>

#include <cstddef>

namespace redlock::engine {

/// So many there are.
inline constexpr std::size_t lease_kinds = 5;
static_assert(static_cast<std::size_t>(lease_kind::leadership) + 1 == lease_kinds);

inline lease_kind kind_of(const claim& c) noexcept {
    if (c.reads()) return lease_kind::read;
    if (c.writes()) return lease_kind::write;
    if (c.leads()) return lease_kind::leadership;
    return c.permit().empty() ? lease_kind::exclusive : lease_kind::permit;
}

} // namespace redlock::engine
