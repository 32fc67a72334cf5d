#pragma once

#include "core/quorum/lookout.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <optional>

namespace redlock::test {

using namespace core;
using namespace std::chrono_literals;

namespace lookouts {

using action = lookout::action;
using step = lookout::step;

inline constexpr unsigned nodes = 3;
inline constexpr unsigned arbiter = 1;
inline constexpr nanoseconds node_timeout = 50ms;
inline constexpr nanoseconds round_trip = 100us;
inline constexpr nanoseconds recheck = 1s; // 20 node timeouts
inline constexpr nanoseconds longest_pause = 100ms;

inline const node_set all = node_set::all_of(nodes);

/// One that waits, and nodes that do at once what it asks for. What they answer when they are looked at comes
/// as events of their own.
struct waiting {
    explicit waiting(core::random& draws, node_set which_tell = all)
        : tells(which_tell), rule(nodes, node_timeout, draws) {}

    lookout::view view() const { return {.now = now, .ready = ready, .round_trip = round_trip}; }
    lookout::rivals rivals(bool crowded) const {
        lookout::rivals r{.crowded = crowded, .arbiter = std::nullopt};
        if (ready.has(arbiter))
            r.arbiter = arbiter;
        else if (!ready.empty())
            r.arbiter = *ready.begin();
        return r;
    }

    void start(bool crowded = false, node_set ours = {}) {
        const lookout::rivals r = rivals(crowded);
        rule.start(view(), r, r.arbiter && tells.has(*r.arbiter), ours);
        act(rule.next(view()));
    }
    void refused(bool crowded = false, bool needs_the_others = false) {
        BOOST_REQUIRE(attempted);
        attempted = false;
        rule.go_on(view(), rivals(crowded), needs_the_others);
        act(rule.next(view()));
    }
    void act(step next) {
        looked = {};
        listened = {};
        left = {};
        counts = next.count;
        for (int steps = 0; next.what == action::ask; next = rule.next(view())) {
            BOOST_REQUIRE(++steps < 5);
            BOOST_REQUIRE((next.listen & next.leave).empty());
            looked |= next.look | next.listen;
            listened |= next.listen;
            left |= next.leave;
            for (const unsigned node : next.listen) {
                rule.sight().set_absent(node, !ready.has(node));
                rule.listens(node, ready.has(node) && tells.has(node));
            }
            for (const unsigned node : next.look)
                rule.sight().set_absent(node, !ready.has(node));
        }
        until = next.until;
        attempted |= next.what == action::attempt;
        BOOST_REQUIRE(attempted != rule.waits());
    }
    void go_on() { act(rule.next(view())); }
    void pass(nanoseconds d) {
        now += d;
        act(rule.time_passed(view()));
    }
    void sleep() {
        now = std::max(now, until);
        act(rule.time_passed(view()));
    }

    void gone(unsigned node) {
        rule.gone(node, now);
        go_on();
    }
    void held(unsigned node, std::optional<nanoseconds> left_of_it) {
        rule.seen_held(node, left_of_it, now);
        go_on();
    }
    void held_everywhere(std::optional<nanoseconds> left_of_it) {
        for (unsigned node = 0; node < nodes; ++node)
            held(node, left_of_it);
    }
    void seen_free(unsigned node) {
        rule.seen_free(node);
        go_on();
    }
    void deaf(unsigned node) {
        rule.is_deaf(node);
        go_on();
    }
    void down(unsigned node) {
        ready.remove(node);
        rule.down(node);
        go_on();
    }
    void up(unsigned node) {
        ready.add(node);
        rule.sight().set_absent(node, false);
        rule.listens(node, tells.has(node));
        go_on();
    }

    node_set ready = all;
    node_set tells;
    instant now{1s};
    lookout rule;
    instant until{};
    bool attempted = false;
    bool counts = false;
    node_set looked, listened, left; ///< at the last event
};

struct lookout_fixture {
    core::random draws{7};
};

} // namespace lookouts
} // namespace redlock::test
