#pragma once

#include "lock_fixture.hpp"

#include <ostream>

namespace redlock::test {

/// The ways in which a node can be gone.
enum class node_fault { stopped, killed, refusing, black_hole };

inline constexpr node_fault all_node_faults[] = {node_fault::stopped, node_fault::killed,
                                                 node_fault::refusing, node_fault::black_hole};

inline std::ostream& operator<<(std::ostream& out, node_fault fault) {
    constexpr const char* names[] = {"stopped", "killed", "refusing", "black hole"};
    return out << names[static_cast<std::size_t>(fault)];
}

inline void inflict(proxied_fixture& f, std::size_t node, node_fault fault) {
    switch (fault) {
    case node_fault::stopped:
        return f.nodes[node].stop();
    case node_fault::killed:
        return f.nodes[node].kill();
    case node_fault::refusing:
        return f.proxies[node].refuse();
    case node_fault::black_hole:
        return f.proxies[node].black_hole();
    }
}

inline void heal(proxied_fixture& f, std::size_t node, node_fault fault) {
    switch (fault) {
    case node_fault::stopped:
        return f.nodes[node].resume();
    case node_fault::killed:
        return f.nodes[node].restart();
    case node_fault::refusing:
    case node_fault::black_hole:
        return f.proxies[node].pass();
    }
}

} // namespace redlock::test
