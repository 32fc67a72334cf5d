#pragma once

#include "engines/etcd/line/joint_call.hpp"
#include "turn/live_list.hpp"

namespace redlock::etcd {

class line;

/// Has what is asked of the store within a turn share requests: the log of the servers, and what they copy
/// for a transaction, then cost as much for many as for one. What is removed, and what is written, apart, so
/// that nothing is seen by what was asked for behind its removal.
class joint_calls {
public:
    explicit joint_calls(line& over) : line_(over) {}
    joint_calls(const joint_calls&) = delete;
    joint_calls& operator=(const joint_calls&) = delete;
    ~joint_calls() { abandon(); }

    // In a turn.
    void remove(joint_part& p) noexcept { removals_.push_back(p); }
    void write(joint_part& p) noexcept { writes_.push_back(p); }
    /// Each in a request of its own, at once.
    void submit_each(turn::live_list<joint_part>& parts);
    /// What was given to this goes to the line.
    void submit();

    bool is_empty() const noexcept { return removals_.empty() && writes_.empty(); }
    bool has_several() const noexcept {
        return turn::has_several(removals_) || turn::has_several(writes_) ||
               (!removals_.empty() && !writes_.empty());
    }
    /// Forgets whatever was given to this, from anywhere.
    void abandon() noexcept;

private:
    line& line_;
    turn::live_list<joint_part> removals_;
    turn::live_list<joint_part> writes_;
};

} // namespace redlock::etcd
