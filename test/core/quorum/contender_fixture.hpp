#pragma once

#include "core/quorum/contender.hpp"

#include <boost/test/unit_test.hpp>

#include <optional>

namespace redlock::test::contenders {

using namespace core;
using namespace std::chrono_literals;

using action = contender::action;
using step = contender::step;

inline constexpr unsigned nodes = 3;
inline constexpr instant begin{1s};
inline constexpr crowd nobody{};
inline constexpr crowd somebody{
    .contested = true, .crowded = false, .majority_tells = true, .round_trip = 2ms, .usual_round_trip = 1ms};

inline contender_terms patient() {
    return {.waits = true, .wait_until = begin + 100ms, .longest_keep = longest_keep_of(50ms, 1s)};
}

inline contender_terms one_attempt() {
    contender_terms t = patient();
    t.waits = false;
    t.wait_until = begin;
    return t;
}

inline node_set set_of(unsigned bits) {
    node_set s;
    for (unsigned node = 0; node < nodes; ++node)
        s.set(node, (bits >> node & 1) != 0);
    return s;
}

/// A round in which these nodes said yes and no, and the others failed.
inline round_result round_of(unsigned yes, unsigned no, bool rivals = false) {
    tally t(nodes);
    for (unsigned node = 0; node < nodes; ++node)
        t.record(node, set_of(yes).has(node) ? vote::yes : set_of(no).has(node) ? vote::no : vote::failed);
    round_result r{.votes = t.decide(),
                   .yes = set_of(yes),
                   .no = set_of(no),
                   .rivals = rivals,
                   .raced = false,
                   .arbiter = std::nullopt,
                   .failure = errc::no_quorum};
    for (const std::uint32_t node : r.yes | r.no)
        if (!r.arbiter) r.arbiter = node;
    return r;
}

/// One that asks at once.
inline contender asking(const contender_terms& terms) {
    contender c(terms, nodes);
    BOOST_REQUIRE((c.start(begin, nobody).what == action::enter));
    BOOST_REQUIRE((c.admitted().what == action::ask));
    return c;
}

} // namespace redlock::test::contenders
