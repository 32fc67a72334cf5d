#pragma once

#include "core/flow/admission_window.hpp"
#include "core/flow/command_time.hpp"
#include "core/queue/open_door.hpp"
#include "core/queue/ticket_clock.hpp"
#include "core/quorum/arbitration.hpp"
#include "core/quorum/fence_life.hpp"
#include "core/quorum/fence_rule.hpp"
#include "core/quorum/tally.hpp"
#include "engine/engine.hpp"
#include "engine/holders.hpp"
#include "engines/redis/dialect/session.hpp"
#include "engines/redis/node/broadcast.hpp"
#include "engines/redis/node/node.hpp"
#include "engines/redis/quorum/counters.hpp"
#include "engines/redis/quorum/settings.hpp"
#include "engines/redis/rounds/debts.hpp"
#include "engines/redis/rounds/fence_proposals.hpp"
#include "engines/redis/rounds/pending_rounds.hpp"
#include "turn/live_list.hpp"
#include "turn/turns.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace redlock::redis {

class contest;
class drain;
class detachable_round;
class hand_overs;
template <class Kind>
class joint_round;
class key_watch;
class listener_count;
class node_question;
class queue_stand;
class release;
class watches;

/// What everything that is asked of the nodes shares: the nodes themselves, what is known of them and of the
/// keys that others want, the admission window, the counts. No I/O of its own: nodes and turns come from
/// outside, real ones from `redis_engine`, simulated ones from tests.
class quorum final : public node::node_listener {
public:
    quorum(redis::settings s, turn::turns& t, std::uint64_t seed);
    quorum(const quorum&) = delete;
    quorum& operator=(const quorum&) = delete;
    ~quorum();

    /// Before anything else; the nodes' listener is this object, their indices are those of the sessions.
    /// Each with its ear, which `start_ear` brings to life when it is needed.
    void set_nodes(const std::vector<node::node*>& nodes, const std::vector<node::node*>& ears,
                   std::function<void(std::uint32_t node)> start_ear);
    node::node_listener& ear_listener() noexcept { return ear_listener_; }

    // The engine's share of every turn.
    void before_routines();
    bool send_what_waits(bool flushes) noexcept;
    void after_routines() noexcept;
    /// Whether there are commands that a flush would write.
    bool has_unwritten() const noexcept;
    /// Several keys are being asked for or given back.
    bool is_busy() const noexcept;
    /// Nothing is being given back any more.
    bool quiet() const noexcept;
    void flush() noexcept;
    /// The nodes are gone: nothing is sent to them any more. `abandon` follows.
    void lose_nodes() noexcept { has_nodes_ = false; }
    bool has_nodes() const noexcept { return has_nodes_; }
    /// Drops everything without completing anything, for when the strand will never run again.
    void abandon() noexcept;

    turn::turns& turns() const noexcept { return turns_; }
    time::instant now() const noexcept { return turns_.now(); }
    const time::time_source& clock() const noexcept { return turns_.clock(); }
    core::random& random() noexcept { return turns_.random(); }
    time::timer_queue& timers() noexcept { return turns_.timers(); }
    turn::ready_queue& ready() noexcept { return turns_.ready(); }
    /// How long a command may take: what is configured, or more where nodes are far away.
    core::nanoseconds node_timeout() const noexcept { return node_timeout_; }
    /// The same of one that may have been submitted while the first connections were being made.
    core::nanoseconds longest_command() const noexcept {
        return std::max(node_timeout_, core::first_connection_time);
    }
    /// Of what is submitted now. None is before an earlier one, as nodes want it.
    time::instant deadline() const noexcept { return std::max(now() + node_timeout_, first_deadline_); }
    const redis::settings& settings() const noexcept { return settings_; }
    redlock::observer* observer() const noexcept { return settings_.observer.get(); }
    counters& counts() noexcept { return counts_; }
    const counters& counts() const noexcept { return counts_; }

    unsigned nodes() const noexcept { return static_cast<unsigned>(sessions_.size()); }
    core::node_set every_node() const noexcept { return core::node_set::all_of(nodes()); }
    session& session_of(std::uint32_t node) noexcept { return sessions_[node]; }
    const session& session_of(std::uint32_t node) const noexcept { return sessions_[node]; }
    /// Any of the sessions, where their servers take commands in the same forms; else null.
    session* session_of_all() noexcept {
        const bool alike = std::ranges::all_of(
            sessions_, [first = sessions_.data()](const session& s) { return s.speaks_as(*first); });
        return alike ? sessions_.data() : nullptr;
    }
    node::broadcast& all_nodes() noexcept { return broadcast_; }
    /// For what is to be sent before the next flush.
    redis::encoder& encoder() noexcept { return encoder_; }

    /// To a majority of the nodes, and no more than a part of the node timeout.
    core::nanoseconds round_trip() const noexcept { return to_majority(&node::node::round_trip); }
    core::nanoseconds usual_round_trip() const noexcept { return to_majority(&node::node::usual_round_trip); }
    /// Whether a majority of the nodes tells of changes to keys, in whatever way.
    bool majority_tells() const noexcept;
    /// Likewise by events, each time.
    bool majority_has_events() const noexcept;
    watches& key_watches() noexcept { return *watches_; }
    /// The node among these whose vote decides between contenders that split the votes.
    std::optional<std::uint32_t> arbiter_of(std::string_view key, core::node_set among) const noexcept;
    core::contest_memory& contests() noexcept { return contests_; }
    const core::contest_memory& contests() const noexcept { return contests_; }
    /// For those who stand in no queue.
    core::open_doors& doors() noexcept { return doors_; }
    core::admission_window& window() noexcept { return window_; }
    const core::admission_window& window() const noexcept { return window_; }
    /// What a round through the window shows of it, which was sent then and has just been decided.
    void learn(core::verdict decided, time::instant sent) noexcept;

    /// The fencing token to propose for a grant, and to learn from.
    std::uint64_t propose_fence() noexcept { return fence_clock_.propose(time_of_day()); }
    void fence_seen(std::uint64_t fence) noexcept { fence_clock_.saw(fence, time_of_day()); }
    fence_mark mark(std::uint64_t token) const noexcept { return {token, fence_span()}; }
    std::chrono::milliseconds fence_span() const noexcept { return fences_.span(); }
    core::fence_life& fences() noexcept { return fences_; }
    fence_proposals& proposals() noexcept { return proposals_; }
    core::lock_token new_token() { return new_token(tickets_.next(time_of_day())); }
    /// Of a caller that has a ticket.
    core::lock_token new_token(std::uint64_t ticket) {
        return {client_name_, ticket, core::draw(*settings_.entropy)};
    }
    const core::client_name& client_name() const noexcept { return client_name_; }
    /// Of another client.
    void ticket_seen(std::uint64_t ticket) noexcept { tickets_.saw(ticket, time_of_day()); }

    /// Who is told of tokens.
    hand_overs& hands() noexcept { return *hands_; }
    const hand_overs& hands() const noexcept { return *hands_; }
    /// Called when what a node had kept may be lost, while it goes on.
    void set_doubts(std::function<void()> keys_in_doubt) { keys_in_doubt_ = std::move(keys_in_doubt); }
    void set_holders(const engine::holders& h) noexcept { holders_ = &h; }
    /// The claim that this client holds at a key; null when there is none.
    const engine::claim* holder_of(std::string_view full_key) const noexcept {
        return holders_ ? holders_->holder_of(full_key) : nullptr;
    }
    /// The client has left the key where it is on purpose, with this token.
    bool has_left(std::string_view full_key, std::string_view token) const {
        return holders_ && holders_->has_left(full_key, [&](const engine::claim& c) {
            return static_cast<const claim&>(c).token() == token;
        });
    }

    /// Bounded by `until`: a release that could not be sent is sent when the node is back.
    void owe(std::uint32_t node, debt d);

    turn::live_list<contest>& contests_under_way() noexcept { return contests_under_way_; }
    turn::live_list<drain>& drains_under_way() noexcept { return drains_under_way_; }
    turn::live_list<release>& releases() noexcept { return releases_; }
    turn::live_list<joint_round<redis::joint_releases>>& joint_releases() noexcept { return joint_releases_; }
    turn::live_list<joint_round<redis::joint_reads>>& joint_reads() noexcept { return joint_reads_; }
    turn::live_list<joint_round<redis::joint_renewals>>& joint_renewals() noexcept { return joint_renewals_; }
    turn::live_list<joint_round<redis::joint_advances>>& joint_advances() noexcept { return joint_advances_; }
    pending_rounds<redis::joint_releases>& pending_releases() noexcept { return pending_releases_; }
    pending_rounds<redis::joint_reads>& pending_reads() noexcept { return pending_reads_; }
    pending_rounds<redis::joint_renewals>& pending_renewals() noexcept { return pending_renewals_; }
    pending_rounds<redis::joint_advances>& pending_advances() noexcept { return pending_advances_; }
    /// Somebody is about to send a command about this key: what waits, and was to come before that, goes now.
    void before(std::string_view full_key) {
        before_release(full_key);
        pending_releases_.before(full_key);
    }
    /// Likewise of a key that is being given back.
    void before_release(std::string_view full_key) {
        pending_renewals_.before(full_key);
        pending_advances_.before(full_key);
    }
    /// Rounds that nobody waits for any more.
    turn::live_list<detachable_round>& stragglers() noexcept { return stragglers_; }
    turn::live_list<queue_stand>& stands() noexcept { return stands_; }
    turn::live_list<key_watch>& watched() noexcept { return watched_; }
    turn::live_list<listener_count>& listener_counts() noexcept { return listener_counts_; }
    turn::live_list<node_question>& questions() noexcept { return questions_; }

private:
    /// Hears of the second connections of nodes.
    class ear_events final : public node::node_listener {
    public:
        explicit ear_events(quorum& owner) noexcept : owner_(owner) {}

    private:
        void on_node_ready(std::uint32_t node, bool new_connection) noexcept override;
        void on_node_down(std::uint32_t node) noexcept override;
        void on_push(std::uint32_t node, const resp::reply& message) noexcept override;
        void on_turn_begin() noexcept override { owner_.turns_.begin(); }
        void on_turn_end() noexcept override { owner_.turns_.end(); }

        quorum& owner_;
    };

    /// In this turn.
    core::fence_clock::wall_time time_of_day() noexcept;
    bool nothing_waits() const noexcept;
    core::nanoseconds to_majority(core::nanoseconds (node::node::*trip)() const noexcept) const noexcept;
    void learn_distance() noexcept;
    /// Once no node refers to it any more.
    void forget_batch() noexcept;
    std::string_view same_server(std::uint32_t node, const node::server_info& server) const noexcept override;
    void on_node_ready(std::uint32_t node, bool new_connection) noexcept override;
    void on_node_moved(std::uint32_t node) noexcept override;
    void on_node_down(std::uint32_t node) noexcept override;
    void on_push(std::uint32_t node, const resp::reply& message) noexcept override;
    void on_turn_begin() noexcept override { turns_.begin(); }
    void on_turn_end() noexcept override { turns_.end(); }

    const redis::settings settings_;
    turn::turns& turns_;
    ear_events ear_listener_{*this};
    std::function<void(std::uint32_t)> start_ear_;
    std::function<void()> keys_in_doubt_;
    core::nanoseconds node_timeout_ = settings_.node_timeout;
    const time::instant first_deadline_ = turns_.now() + core::first_connection_time;
    std::vector<session> sessions_;
    bool has_nodes_ = true;
    node::broadcast broadcast_;
    std::vector<debts> debts_;
    redis::encoder encoder_{settings_.holder_label};
    time::instant asked_at_ = time::instant::min(); ///< for the time of day
    core::fence_clock::wall_time time_of_day_{};
    core::fence_clock fence_clock_;
    core::ticket_clock tickets_;
    const core::client_name client_name_;
    core::fence_life fences_;
    fence_proposals proposals_;
    pending_rounds<redis::joint_releases> pending_releases_{*this};
    pending_rounds<redis::joint_reads> pending_reads_{*this};
    pending_rounds<redis::joint_renewals> pending_renewals_{*this};
    pending_rounds<redis::joint_advances> pending_advances_{*this};
    std::unique_ptr<watches> watches_;
    std::unique_ptr<hand_overs> hands_;
    const engine::holders* holders_ = nullptr;
    core::contest_memory contests_;
    core::open_doors doors_;
    core::admission_window window_;
    counters counts_;
    core::node_set newly_ready_;
    // Last, so that what is still alive leaves while the rest is there.
    turn::live_list<contest> contests_under_way_;
    turn::live_list<drain> drains_under_way_;
    turn::live_list<release> releases_;
    turn::live_list<joint_round<redis::joint_releases>> joint_releases_;
    turn::live_list<joint_round<redis::joint_reads>> joint_reads_;
    turn::live_list<joint_round<redis::joint_renewals>> joint_renewals_;
    turn::live_list<joint_round<redis::joint_advances>> joint_advances_;
    turn::live_list<detachable_round> stragglers_;
    turn::live_list<queue_stand> stands_;
    turn::live_list<key_watch> watched_;
    turn::live_list<listener_count> listener_counts_;
    turn::live_list<node_question> questions_;
};

} // namespace redlock::redis
