#pragma once

#include "lock_fixture.hpp"

namespace redlock::test {

/// Runs up to `count` handlers of the loop, waiting a little for each: so that a test can do something at
/// every point at which an operation can be suspended. Returns early when `done()`, and then false.
template <class Done>
bool run_steps(lock_fixture& f, int count, Done done) {
    for (int i = 0; i < count; ++i) {
        if (done()) return false;
        if (f.context.stopped()) f.context.restart();
        f.context.run_one_for(std::chrono::milliseconds(20));
    }
    return !done();
}

/// A situation in which an acquire finds its nodes.
enum class scene { connecting, connected, held_elsewhere, minority_held, one_silent, no_quorum };

inline constexpr scene all_scenes[] = {scene::connecting,    scene::connected,  scene::held_elsewhere,
                                       scene::minority_held, scene::one_silent, scene::no_quorum};

inline std::ostream& operator<<(std::ostream& out, scene s) {
    constexpr const char* names[] = {"connecting",    "connected",  "held elsewhere",
                                     "minority held", "one silent", "no quorum"};
    return out << names[static_cast<std::size_t>(s)];
}

/// Sets the scene for `key`, apart from the client's connections.
inline void arrange(proxied_fixture& f, scene s, const std::string& key) {
    const std::size_t holders = s == scene::held_elsewhere ? 5 : s == scene::minority_held ? 2 : 0;
    for (std::size_t node = 0; node < holders; ++node)
        f.nodes[node].command({"SET", key, "somebody else"});
    const std::size_t silent = s == scene::one_silent ? 1 : s == scene::no_quorum ? 3 : 0;
    for (std::size_t node = 0; node < silent; ++node)
        f.proxies[node].freeze();
}

/// Whether no node has a key of ours. What `arrange` put there does not count.
inline bool nothing_of_ours(proxied_fixture& f, const std::string& key) {
    for (auto& node : f.nodes) {
        const auto value = node.get(key);
        if (value && *value != "somebody else") return false;
    }
    return true;
}

} // namespace redlock::test
