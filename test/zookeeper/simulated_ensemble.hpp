#pragma once

#include "engines/zookeeper/rule/place.hpp"
#include "engines/zookeeper/rule/statement.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace redlock::zookeeper::test {

using milliseconds = std::chrono::milliseconds;

/// The folder of one key after each transaction of the leader, and the sessions it knows. Servers that lag
/// show what was there before.
class simulated_ensemble {
public:
    struct state {
        std::int64_t transaction = 0;
        std::int32_t version = 0;
        std::int64_t written_by = 0;
        std::optional<lock_record> holder{};
        bool is_shared = false;
        std::map<std::string, milliseconds> marks{};                        ///< of readers, by token
        std::map<std::string, std::pair<place_node, std::int64_t>> nodes{}; ///< by token, with the session
        struct lead {
            std::string record;
            leader_mark mark;
            std::string token; ///< of whoever has made it
            std::int64_t session = 0;
            std::int32_t version = 0;
            bool operator==(const lead&) const = default;
        };
        std::optional<lead> leader{};
    };

    std::int64_t open_session(core::instant now) {
        heard_[++sessions_] = now;
        return sessions_;
    }
    void hear(std::int64_t session, core::instant now) {
        if (const auto at = heard_.find(session); at != heard_.end()) at->second = now;
    }
    bool lives(std::int64_t session) const { return heard_.contains(session); }
    void expire(core::instant now, milliseconds timeout) {
        for (auto at = heard_.begin(); at != heard_.end();) {
            if (at->second + timeout > now) {
                ++at;
                continue;
            }
            state next = begin();
            std::erase_if(next.nodes, [&](const auto& n) { return n.second.second == at->first; });
            const bool takes_leader =
                next.leader && next.leader->session == at->first && !leaders_outlive_sessions;
            if (takes_leader) next.leader.reset();
            at = heard_.erase(at);
            commit(std::move(next));
        }
    }

    static sight seen_in(const state& record, const state& children) {
        sight s{.exists = true,
                .version = record.version,
                .written_by = record.written_by,
                .holder = record.holder,
                .is_shared = record.is_shared};
        for (const auto& [token, node] : children.nodes)
            s.nodes.push_back(node.first);
        for (const auto& [token, life] : children.marks)
            s.marks.push_back({.name = token, .token = token, .life = life});
        s.has_leader = children.leader.has_value();
        return s;
    }

    const state& newest() const { return history_.back(); }
    /// As a server shows it that is so many transactions behind, but not behind what was seen before.
    const state& behind(std::size_t transactions, std::int64_t at_least) const {
        std::size_t i = history_.size() - 1 - std::min(transactions, history_.size() - 1);
        while (history_[i].transaction < at_least)
            ++i;
        return history_[i];
    }
    state begin() {
        state next = newest();
        ++next.transaction;
        return next;
    }
    void commit(state&& next) {
        history_.push_back(std::move(next));
        if (committed) committed(*std::next(history_.rbegin()), history_.back());
    }
    bool leaders_outlive_sessions = false; ///< a mistake
    /// Told of each transaction: what was before, and what is.
    std::function<void(const state& before, const state& now)> committed;
    std::int32_t next_sequence() { return sequence_++; }

private:
    std::deque<state> history_{state{}};
    std::map<std::int64_t, core::instant> heard_;
    std::int64_t sessions_ = 0;
    std::int32_t sequence_ = 0;
};

} // namespace redlock::zookeeper::test
