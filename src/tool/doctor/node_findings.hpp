#pragma once

#include "doctor/findings.hpp"

namespace redlock::tool {

/// Adds what there is to say of the node at `place`. The findings do not name it, so that what is said of
/// several can be said once.
void look_at_node(const std::vector<node_examination>& nodes, std::size_t place, const config& settings,
                  std::vector<finding>& all);

/// Whether it is no Redis, but a database.
inline bool is_database(const node_examination& node) noexcept { return node.product == "postgresql"; }

/// The part of it that is about rights, versions and waiting.
void look_at_abilities(const node_examination& node, const config& settings, std::vector<finding>& all);

} // namespace redlock::tool
