#pragma once

#include "core/lease_state.hpp"
#include "engine/claim.hpp"
#include "time/instant.hpp"

#include <redlock/detail/pool.hpp>

#include <boost/intrusive/list.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>

namespace redlock::lock {

class local_turn;

/// A lease on its way from one caller to the next of the same process: the keys on the nodes stay as they
/// are.
struct handover {
    engine::claim_pointer of;
    core::lease_state state;
    std::chrono::milliseconds life; ///< what the keys were last given
    time::instant keys_end;         ///< when the last of them has run out
    std::uint64_t fencing_token;    ///< of who held it; 0 without fencing
};

struct local_queue_tag;

/// A caller that waits until it is its turn at a key. Leaves the queue when destroyed.
class local_waiter
    : public boost::intrusive::list_base_hook<boost::intrusive::tag<local_queue_tag>,
                                              boost::intrusive::link_mode<boost::intrusive::auto_unlink>> {
public:
    /// Nobody else of this process holds the key or contends for it.
    virtual void turn_came(local_turn turn) noexcept = 0;
    /// Likewise, and the lease comes along.
    virtual void lease_came(local_turn turn, handover lease) noexcept = 0;
    /// What it waits for.
    virtual const engine::claim& wanted() const noexcept = 0;

    bool in_local_queue() const noexcept { return is_linked(); }
    void leave_local_queue() noexcept { unlink(); }

protected:
    ~local_waiter() = default;
};

/// The callers of one client, by the key that they want: first come, first served. Only one for each key has
/// its turn, contends on the nodes or holds the lease; the others cost nothing but their place. Not
/// thread-safe: on the client's strand. As long as the calls that wait are: the caller bounds it.
class local_queues {
public:
    /// After `handoff_limit` hand-overs in a row a key goes back to the nodes, and this client holds off for
    /// as long as it kept the key to itself, within bounds, so that other processes get their turn. For some
    /// milliseconds it may go on instead when nobody else is seen to wait.
    explicit local_queues(unsigned handoff_limit) noexcept : handoff_limit_(handoff_limit) {}
    local_queues(const local_queues&) = delete;
    local_queues& operator=(const local_queues&) = delete;

    /// The turn, when nobody has it. Otherwise it is empty: `queue_up` then.
    local_turn enter(const engine::claim_pointer& wanted);
    /// Behind all others, at a key at which somebody has the turn.
    void queue_up(local_waiter& w, std::string_view full_key);

    enum class occupation { nobody, contender, holder };
    /// No other process waits for the key that is held here, as far as can be seen.
    void nobody_else_waits(std::string_view full_key, time::instant now) noexcept;

    /// Who has the turn at a key.
    occupation who_has(std::string_view full_key) const;
    /// Null when nobody holds it.
    const engine::claim* holder_of(std::string_view full_key) const noexcept;

    std::size_t keys() const noexcept { return queues_.size(); }

private:
    friend class local_turn;

    using waiters = boost::intrusive::list<local_waiter,
                                           boost::intrusive::base_hook<boost::intrusive::list_base_hook<
                                               boost::intrusive::tag<local_queue_tag>,
                                               boost::intrusive::link_mode<boost::intrusive::auto_unlink>>>,
                                           boost::intrusive::constant_time_size<false>>;

    /// What matters only of a key that several callers want: few do, and one cache line is enough for the
    /// rest.
    struct crowd : redlock::detail::pooled {
        waiters waiting;
        unsigned handovers = 0;      ///< since others last had, or did not want, a chance
        time::instant asked_at{};    ///< whether others wait
        time::instant alone_until{}; ///< none does, as was said
        time::instant hold_off_until = time::instant::min();
        bool yields = false; ///< to others that waited for longer
    };

    struct queue : redlock::detail::pooled {
        queue(const engine::claim_pointer& wanted, std::size_t h) : named_by(wanted), hash(h) {}

        const engine::claim_pointer named_by;            ///< owns the text of the key
        const std::size_t hash;                          ///< of that text
        time::instant granted_at = time::instant::min(); ///< by the nodes
        const engine::claim* held = nullptr;             ///< the lease of it; null while it is contended for
        std::unique_ptr<crowd> others;                   ///< once somebody waits
    };
    struct hashed_key {
        std::string_view text;
        std::size_t hash = std::hash<std::string_view>()(text);
    };
    struct hash_of {
        using is_transparent = void;
        using is_avalanching = void;
        std::size_t operator()(const hashed_key& key) const noexcept { return key.hash; }
        std::size_t operator()(const std::unique_ptr<queue>& q) const noexcept { return q->hash; }
        std::size_t operator()(const queue* q) const noexcept { return q->hash; }
    };
    struct same_key {
        using is_transparent = void;
        bool operator()(const hashed_key& key, const std::unique_ptr<queue>& q) const noexcept {
            return key.text == q->named_by->full_key;
        }
        bool operator()(const queue* a, const std::unique_ptr<queue>& b) const noexcept {
            return a == b.get();
        }
        // Two queues never have the same key.
        bool operator()(const std::unique_ptr<queue>& a, const std::unique_ptr<queue>& b) const noexcept {
            return a == b;
        }
    };

    void end(queue& q, time::instant now) noexcept;

    const unsigned handoff_limit_;
    boost::unordered_flat_set<std::unique_ptr<queue>, hash_of, same_key> queues_;
};

/// The right to contend for a key, and to hold it, in the name of this process. Whoever has it ends it or
/// hands it over; otherwise nobody else of the process ever gets its turn.
class local_turn {
public:
    local_turn() = default;
    local_turn(local_turn&& other) noexcept
        : owner_(std::exchange(other.owner_, nullptr)), queue_(std::exchange(other.queue_, nullptr)) {}
    local_turn& operator=(local_turn&& other) noexcept {
        std::swap(owner_, other.owner_);
        std::swap(queue_, other.queue_);
        return *this;
    }

    explicit operator bool() const noexcept { return queue_ != nullptr; }

    /// Not to contend before this instant.
    time::instant hold_off_until() const noexcept {
        return queue_ && queue_->others ? queue_->others->hold_off_until : time::instant::min();
    }

    /// The nodes granted the key.
    void granted(const engine::claim& held, time::instant now) noexcept;

    /// The lease that came along was worth nothing: contending again.
    void lost() noexcept {
        if (queue_) queue_->held = nullptr;
    }

    /// Whether anybody stands behind this one.
    bool others_wait() const noexcept { return waiting_others() != nullptr; }
    /// What the first of those waits for.
    const engine::claim& next() const noexcept { return waiting_others()->waiting.front().wanted(); }

    /// Passes the lease and the turn to the next in the queue. False, and nothing changes, when nobody waits
    /// or enough have had it in a row.
    bool hand_over(const handover& lease, time::instant now) noexcept;
    /// The lease goes back for others, who waited for longer than the next here: that one need not hold off
    /// for them as well. While somebody waits.
    void yield() noexcept { waiting_others()->yields = true; }
    /// Whether it is time to find out whether other processes wait. True once each time.
    bool asks_for_others(time::instant now) noexcept;

    /// The next in the queue gets its turn. Nothing for an empty turn.
    void end(time::instant now) noexcept {
        if (queue_) std::exchange(owner_, nullptr)->end(*std::exchange(queue_, nullptr), now);
    }

private:
    friend class local_queues;
    local_turn(local_queues& owner, local_queues::queue& q) noexcept : owner_(&owner), queue_(&q) {}
    /// Null when nobody waits.
    local_queues::crowd* waiting_others() const noexcept;

    local_queues* owner_ = nullptr;
    local_queues::queue* queue_ = nullptr;
};

} // namespace redlock::lock
