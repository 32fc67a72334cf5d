#pragma once

#include "client/settings.hpp"
#include "core/quorum/admission_window.hpp"
#include "core/quorum/arbitration.hpp"
#include "core/quorum/fence_life.hpp"
#include "core/quorum/fence_rule.hpp"
#include "core/quorum/tally.hpp"
#include "core/random.hpp"
#include "engines/redis/dialect/session.hpp"
#include "engines/redis/node/broadcast.hpp"
#include "engines/redis/node/node.hpp"
#include "engines/redis/quorum/debts.hpp"
#include "engines/redis/quorum/fence_proposals.hpp"
#include "lease/counters.hpp"
#include "lease/local_queue.hpp"
#include "time/timer_queue.hpp"
#include "turn/inbox.hpp"
#include "turn/operation.hpp"

#include <boost/intrusive/list.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace redlock::lock {

class acquire;
class detachable_round;
class key_watch;
class lease_upkeep;
class listener_count;
class release;
class watches;

using list_hook =
    boost::intrusive::list_base_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>>;

template <class T>
using live_list = boost::intrusive::list<T, boost::intrusive::base_hook<list_hook>,
                                         boost::intrusive::constant_time_size<false>>;

/// Told when turns begin and end.
class turn_listener {
public:
    virtual void turn_began() noexcept = 0;
    /// Everything that could be done now is done.
    /// `next` is when to begin a turn at the latest; nothing when no timer is armed.
    virtual void turn_ended(std::optional<time::instant> next) noexcept = 0;

protected:
    ~turn_listener() = default;
};

/// What all locks of one client share: the nodes, the time, the timers, the admission window, the counts. No
/// I/O of its own: nodes and clock come from outside, real ones from `client_core`, simulated ones from
/// tests.
///
/// It works in turns on one strand. A turn begins with something from outside (calls from the inbox, replies,
/// the alarm), which raises events; `end_turn` then runs the routines that became ready, fires the timers
/// that are due, and has the nodes flushed, so that all commands of a turn leave in one write for each node.
class runtime final : public node::node_listener {
public:
    runtime(lock::settings s, const time::time_source& clock, std::uint64_t seed, turn_listener& listener,
            inbox_waker& waker);
    runtime(const runtime&) = delete;
    runtime& operator=(const runtime&) = delete;
    ~runtime();

    /// Before anything else; the nodes' listener is this object, their indices are those of the sessions.
    /// Each with its ear, which `start_ear` brings to life when it is needed.
    void set_nodes(const std::vector<node::node*>& nodes, const std::vector<node::node*>& ears,
                   std::function<void(std::uint32_t node)> start_ear);
    node::node_listener& ear_listener() noexcept { return ear_listener_; }

    /// Calls from any thread arrive here.
    inbox& calls() noexcept { return inbox_; }
    void take_calls();
    void begin_turn() noexcept {
        listener_.turn_began();
        now_ = clock_.now();
        readings_ = 0;
        time_of_day_.reset();
    }
    void end_turn();
    /// Whether there are commands that a flush would write.
    bool has_unwritten() const noexcept;
    /// Several locks are being taken, held or released: others may soon have commands for the same write.
    bool works_for_several() const noexcept;
    void flush() noexcept;

    /// Acquires end with `closed`, leases are told to stop and released. Nothing begins after it.
    void begin_closing();
    bool closing() const noexcept { return closing_; }
    turn_listener& listener() const noexcept { return listener_; }
    /// Whether nothing of the lock layer is under way any more.
    bool quiet() const noexcept;
    /// Drops everything without completing anything, for when the executor's context is destroyed.
    void abandon() noexcept;

    /// When this turn began. Everything that counts from a sending may count from here, which is not after
    /// it.
    time::instant now() const noexcept { return now_; }
    /// By the clock itself: a turn may have begun long ago on a busy machine. For many grants of one turn it
    /// is read once in a while, but always where somebody else's code runs in between.
    time::instant time_of_grant() noexcept {
        if (readings_++ % grants_for_one_reading == 0 || observer()) granting_at_ = clock_.now();
        return granting_at_;
    }
    /// Callbacks of the user were called: what time it is shows the clock alone.
    void time_passed() noexcept { readings_ = 0; }
    time::instant deadline() const noexcept { return now_ + settings_.node_timeout; }
    const time::time_source& clock() const noexcept { return clock_; }
    const lock::settings& settings() const noexcept { return settings_; }
    unsigned nodes() const noexcept { return static_cast<unsigned>(sessions_.size()); }
    session& session_of(std::uint32_t node) noexcept { return sessions_[node]; }
    const session& session_of(std::uint32_t node) const noexcept { return sessions_[node]; }
    /// Any of the sessions, where their servers take commands in the same forms; else null.
    session* session_of_all() noexcept {
        const bool alike = std::ranges::all_of(
            sessions_, [first = sessions_.data()](const session& s) { return s.speaks_as(*first); });
        return alike ? sessions_.data() : nullptr;
    }
    std::uint64_t every_node() const noexcept { return ~std::uint64_t{0} >> (64 - nodes()); }
    node::broadcast& all_nodes() noexcept { return broadcast_; }
    /// To a majority of the nodes, and no more than a part of the node timeout.
    core::nanoseconds round_trip() const noexcept { return to_majority(&node::node::round_trip); }
    core::nanoseconds usual_round_trip() const noexcept { return to_majority(&node::node::usual_round_trip); }
    /// Whether a majority of the nodes tells of changes to keys, in whatever way.
    bool majority_tells() const noexcept;
    encoding& bytes() noexcept { return bytes_; }
    /// What was encoded since the last flush.
    resp::command_batch& batch() noexcept { return batch_; }
    /// The fencing token to propose for a grant, and to learn from.
    std::uint64_t propose_fence() noexcept { return fence_clock_.propose(time_of_day()); }
    void fence_seen(std::uint64_t fence) noexcept { fence_clock_.saw(fence, time_of_day()); }
    fence_mark mark(std::uint64_t token) const noexcept { return {token, fence_span()}; }
    std::chrono::milliseconds fence_span() const noexcept { return fences_.span(); }
    core::fence_life& fences() noexcept { return fences_; }
    fence_proposals& proposals() noexcept { return proposals_; }
    core::random& random() noexcept { return random_; }
    time::timer_queue& timers() noexcept { return timers_; }
    ready_queue& ready() noexcept { return ready_; }
    local_queues& queues() noexcept { return queues_; }
    watches& key_watches() noexcept { return *watches_; }
    core::contest_memory& contests() noexcept { return contests_; }
    core::admission_window& window() noexcept { return window_; }
    const core::admission_window& window() const noexcept { return window_; }
    /// What a round through the window shows of it, which was sent then and has just been decided.
    void learn(core::verdict decided, time::instant sent) noexcept;
    counters& counts() noexcept { return counts_; }
    const counters& counts() const noexcept { return counts_; }
    redlock::observer* observer() const noexcept { return settings_.observer.get(); }

    /// Bounded by `until`: a release that could not be sent is sent when the node is back.
    void owe(std::uint32_t node, debt d);

    live_list<acquire>& acquires() noexcept { return acquires_; }
    live_list<lease_upkeep>& leases() noexcept { return leases_; }
    live_list<release>& releases() noexcept { return releases_; }
    /// Rounds that nobody waits for any more.
    live_list<detachable_round>& stragglers() noexcept { return stragglers_; }
    live_list<key_watch>& watched() noexcept { return watched_; }
    live_list<listener_count>& listener_counts() noexcept { return listener_counts_; }

private:
    /// Hears of the second connections of nodes.
    class ear_events final : public node::node_listener {
    public:
        explicit ear_events(runtime& owner) noexcept : owner_(owner) {}

    private:
        void on_node_ready(std::uint32_t node, bool new_connection) noexcept override;
        void on_node_down(std::uint32_t node) noexcept override;
        void on_push(std::uint32_t node, const resp::reply& message) noexcept override;
        void on_turn_begin() noexcept override { owner_.begin_turn(); }
        void on_turn_end() noexcept override { owner_.end_turn(); }

        runtime& owner_;
    };

    /// In this turn.
    core::fence_clock::wall_time time_of_day() noexcept {
        if (!time_of_day_) time_of_day_ = clock_.time_of_day();
        return *time_of_day_;
    }
    core::nanoseconds to_majority(core::nanoseconds (node::node::*trip)() const noexcept) const noexcept;
    /// Once no node refers to it any more.
    void forget_batch() noexcept;
    std::string_view same_server(std::uint32_t node, const node::server_info& server) const noexcept override;
    void on_node_ready(std::uint32_t node, bool new_connection) noexcept override;
    void on_node_down(std::uint32_t node) noexcept override;
    void on_push(std::uint32_t node, const resp::reply& message) noexcept override;
    void on_turn_begin() noexcept override { begin_turn(); }
    void on_turn_end() noexcept override { end_turn(); }

    lock::settings settings_;
    const time::time_source& clock_;
    turn_listener& listener_;
    inbox inbox_;
    ear_events ear_listener_{*this};
    std::function<void(std::uint32_t)> start_ear_;
    std::vector<session> sessions_;
    node::broadcast broadcast_;
    std::vector<debts> debts_;
    resp::command_batch batch_;
    encoding bytes_{batch_};
    time::instant now_;
    static constexpr unsigned grants_for_one_reading = 16;
    unsigned readings_ = 0; ///< of `granting_at_` in this turn
    time::instant granting_at_;
    std::optional<core::fence_clock::wall_time> time_of_day_; ///< of now, once somebody asked
    core::random random_;
    core::fence_clock fence_clock_;
    core::fence_life fences_;
    fence_proposals proposals_;
    time::timer_queue timers_;
    ready_queue ready_;
    local_queues queues_;
    std::unique_ptr<watches> watches_;
    core::contest_memory contests_;
    core::admission_window window_;
    counters counts_;
    std::uint64_t newly_ready_ = 0; ///< a bit for each node
    bool closing_ = false;
    // Last, so that what is still alive leaves while the rest is there.
    live_list<acquire> acquires_;
    live_list<lease_upkeep> leases_;
    live_list<release> releases_;
    live_list<detachable_round> stragglers_;
    live_list<key_watch> watched_;
    live_list<listener_count> listener_counts_;
};

} // namespace redlock::lock
