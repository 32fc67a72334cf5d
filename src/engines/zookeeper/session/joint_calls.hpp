#pragma once

#include "engines/zookeeper/session/call.hpp"

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace redlock::zookeeper {

class session;

/// Has the transactions that are asked for within a turn share requests. A server reads one request of a
/// connection at a time, and each is a write to its log, so that many at once cost little more than one.
/// Where a server refuses the whole, the one that spoiled it is told so, and each other is asked for by
/// itself.
class joint_calls {
public:
    explicit joint_calls(session& over) noexcept : servers_(over) {}

    /// In a turn, as `session::submit`. `folder`: what it is about. All that leaves together has the number
    /// of one transaction: two that are about the same never do.
    call& submit(std::string folder, multi&& asks, call::handler told);
    bool is_empty() const noexcept { return waiting_.empty(); }
    bool has_several() const noexcept { return waiting_.size() > 1; }
    /// Hands all that wait to the session.
    void send();
    /// Forgets whatever was given to this.
    void abandon() noexcept { waiting_.clear(); }

private:
    struct part {
        std::unique_ptr<call> asked;
        std::string folder;
        std::size_t operations;
        void tell(const reply& r) noexcept { asked.release()->answered(r); }
    };
    using bundle = std::vector<part>;

    bundle take_first();
    void send_bundle();
    void answered(bundle& all, const reply& r);
    /// It was refused, as these say.
    void undone(bundle& all, const std::vector<part_of_multi>& results, core::instant sent_at);
    /// Of which nobody was told yet.
    void ask_each(bundle& all);
    static void tell_all(bundle& all, const reply& r);

    session& servers_;
    std::deque<part> waiting_;
};

} // namespace redlock::zookeeper
