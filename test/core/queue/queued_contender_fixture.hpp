#pragma once

#include "core/queue/queued_contender.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <initializer_list>

namespace redlock::test::queued {

using namespace core;
using namespace std::chrono_literals;

inline constexpr instant begun{1h};
inline constexpr std::uint64_t own_ticket = 100;
inline constexpr std::uint64_t own_name = 7;
inline constexpr nanoseconds handed_life = 500ms;

inline node_set nodes_of(std::initializer_list<unsigned> some) {
    node_set set;
    for (const unsigned node : some)
        set.add(node);
    return set;
}

/// One at five nodes that has entered all queues.
struct queued_fixture {
    using action = queued_contender::action;

    queued_fixture() {
        rule.start(own_name);
        enter_as_told();
    }

    queued_contender::step next() { return rule.next({now, ready, hopeless, 200us}); }
    node_set enter_as_told() {
        const queued_contender::step s = next();
        BOOST_REQUIRE((s.what == action::enter));
        for (const unsigned node : s.nodes)
            rule.entered(node, now);
        return s.nodes;
    }
    void held(std::initializer_list<unsigned> nodes, std::uint64_t ticket = 50, std::uint64_t name = 9,
              unsigned ahead = 0, nanoseconds left = 10s) {
        for (const unsigned node : nodes)
            rule.is_held(node, {ticket, name, left, ahead}, now);
    }
    void handed(std::initializer_list<unsigned> nodes, nanoseconds age = 100ms) {
        for (const unsigned node : nodes)
            rule.handed(node, begun, age, 9, now);
    }

    instant now = begun;
    node_set ready = node_set::all_of(5);
    node_set hopeless;
    queued_contender rule{5, own_ticket, {.life = handed_life, .drift = {}, .node_timeout = 50ms}};
};

} // namespace redlock::test::queued
