#pragma once

#include "lock_fixture.hpp"

#include <string>

namespace redlock::test {

/// A node that is more than one server, and is the first of a client's, and servers beside it.
struct first_node_fixture : lock_fixture {
    using lock_fixture::lock_fixture;

    config settings(const std::string& first, std::chrono::milliseconds guard) const {
        config c = lock_fixture::settings();
        c.nodes.insert(c.nodes.begin(), first);
        c.restart_guard = guard;
        return c;
    }
    static node_metrics node(const client& locks) { return locks.metrics().nodes.front(); }
    bool becomes(const client& locks, const std::string& state) {
        return run_until([&] { return node(locks).state == state; });
    }
    bool becomes_ready(const client& locks) { return lock_fixture::becomes_ready(locks, nodes.size() + 1); }
    bool has_word(const client& locks, const std::string& word) {
        return node(locks).last_error_text.find(word) != std::string::npos;
    }
};

} // namespace redlock::test
