#pragma once

#include "core/election/leader_knowledge.hpp"
#include "simulated_ensemble.hpp"

#include <string>

namespace redlock::zookeeper::test {

/// Looks at what is proclaimed in each transaction, and at what is told of it: what was wrong first.
class simulated_lead {
public:
    using state = simulated_ensemble::state;

    /// `lives`: whether the session of the leader's node does.
    void committed(const state& now, bool lives) {
        if (!now.leader) return;
        if (!(now.leader->mark == last_)) ++proclamations_;
        if (core::is_behind(now.leader->mark, last_)) fail("what was proclaimed before is there again");
        last_ = now.leader->mark;
        if (!lives) fail("a value stands there longer than the session of its leader");
        // His node may have gone a moment before, as long as the key is nobody else's.
        const bool is_holders = now.holder && now.holder->token == now.leader->token;
        // An operator may free the key between a look and what is proclaimed.
        if (!is_holders && (now.holder || !is_broken_)) fail("a value stands there whose leader has no key");
    }
    void broken() noexcept { is_broken_ = true; }
    void confirmed(const leader_mark& said) {
        if (core::is_behind(last_, said)) fail("a value is confirmed that never stood there");
    }
    void told(const leader_mark& before, const leader_mark& now) {
        if (core::is_behind(now, before)) fail("whoever observes is told of what was before");
        ++told_;
    }
    void fail(const char* what) {
        if (failure_.empty()) failure_ = what;
    }

    const std::string& failure() const noexcept { return failure_; }
    int proclamations() const noexcept { return proclamations_; }
    int told() const noexcept { return told_; }

private:
    leader_mark last_;
    bool is_broken_ = false;
    int proclamations_ = 0, told_ = 0;
    std::string failure_;
};

} // namespace redlock::zookeeper::test
