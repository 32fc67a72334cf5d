#pragma once

#include "core/instant.hpp"
#include "core/queue/untold_pace.hpp"
#include "core/quorum/node_set.hpp"
#include "core/quorum/tally.hpp"
#include "core/validity.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace redlock::core {

/// How a contender stands in the queues of the nodes.
struct queue_terms {
    nanoseconds life;         ///< of a key that is handed over
    drift_allowance drift;    ///< within that
    nanoseconds node_timeout; ///< of a command
};

/// Of a key that is handed over to a lease of this ttl which is renewed: whoever stopped meanwhile keeps the
/// others waiting for no longer, and the first renewal brings the rest.
constexpr nanoseconds first_ttl_of(nanoseconds node_timeout, nanoseconds ttl) noexcept {
    return std::min(ttl, std::max<nanoseconds>(std::chrono::milliseconds(500), 8 * node_timeout));
}

/// For how long one with so many ahead of it need not show that it still waits.
nanoseconds pause_in_queue(unsigned ahead) noexcept;
/// Who has not shown itself so many times in a row is taken for dead.
inline constexpr int shows_until_dead = 3;
/// An entry is believed for no longer.
inline constexpr nanoseconds longest_belief = shows_until_dead * std::chrono::seconds(3);

/// A contender that stands in the queue of each node for a key (docs/handover.md): it is told events and the
/// time, and says where to enter or to be seen again, when it has the key, and when to give way to one that
/// came before.
///
/// A vote is a node that has the key in the name of the current token. It counts from the sending of the
/// `ENTER` that led to it, for the life that this asked for: whatever became of messages, the key lives no
/// shorter.
class queued_contender {
public:
    enum class action : std::uint8_t {
        enter, ///< the queues of these nodes, or show there that one still waits
        sleep, ///< until then, if nothing is heard before
        take,  ///< the key: a majority has it in the name of the token
        yield, ///< leave all queues, with a new token enter them again
        fail   ///< too few nodes keep a queue
    };
    struct step {
        action what;
        node_set nodes{};
        instant until = instant::max();
    };
    /// What is known at the time of an event.
    struct view {
        instant now;
        node_set ready;         ///< they take requests, and keep queues
        node_set hopeless;      ///< they keep no queue
        nanoseconds round_trip; ///< to a majority
        node_set untold{};      ///< whoever is handed a key there hears of it when it enters again
        node_set silent{};      ///< of those: nor is anything told there of changes to the key
    };
    /// Who has the key at a node.
    struct holder {
        std::uint64_t ticket; ///< 0 when it is no client of this library
        std::uint64_t name;   ///< tells tokens from each other
        nanoseconds left;     ///< of the key's life
        unsigned ahead;       ///< of this one in the queue
    };

    queued_contender(unsigned nodes, std::uint64_t ticket, const queue_terms& terms);

    /// With a new token of this name: no vote is there, no queue was entered.
    void start(std::uint64_t name) noexcept;
    /// Behind every event.
    step next(const view& v) noexcept;

    // What becomes of `enter`.
    void entered(unsigned node, instant now) noexcept;
    /// In answer to what was sent then.
    void is_ours(unsigned node, instant sent) noexcept;
    void is_held(unsigned node, const holder& by, instant now) noexcept;
    /// It is free for so long, for strangers; so many are ahead of this one.
    void is_open(unsigned node, nanoseconds left, unsigned ahead, const view& v) noexcept;
    /// No answer, or one that says nothing.
    void failed(unsigned node, instant now) noexcept;
    /// A node has another connection: it may have forgotten all.
    void lost_sight_of(unsigned node) noexcept;

    /// The node has handed the key to the current token. `entered` is its own account of when it was entered
    /// there, by the clock here; `age` how long ago that was by its own clock. `released` is the token that
    /// gave the key back.
    void handed(unsigned node, instant entered, nanoseconds age, std::uint64_t released,
                instant now) noexcept;
    /// The node has deleted the key, for those who know of no queue: they are to have a chance first.
    void set_free(unsigned node, const view& v) noexcept;
    /// The key may have become free untold.
    void look_again() noexcept;
    /// A node that does not say who was handed the key tells that it has changed. `overtakes`: what it tells
    /// may come before answers that are older.
    void changed(unsigned node, bool overtakes) noexcept;

    /// Of `take`: the life of the key began no earlier.
    instant lives_from() const noexcept;
    /// For how long it is to be believed to be alive, where it is told nothing.
    nanoseconds belief_untold() const noexcept;
    /// The last `entered`.
    instant sent_to(unsigned node) const noexcept { return stands_[node].sent; }
    node_set votes() const noexcept { return votes_; }
    /// By what the nodes have said last, one that stands in no queue has a majority of them.
    bool is_held_by_stranger() const noexcept;

private:
    /// What is known of one node.
    struct stand {
        instant sent = instant::min();        ///< the last `ENTER`, with this token
        instant due = instant::min();         ///< the next
        instant vote{};                       ///< its life began no earlier, where it is one
        holder seen{};                        ///< by the last answer that named one
        instant seen_from = instant::min();   ///< when that was asked for
        std::uint64_t stranger = 0;           ///< the name of a holder that stands in no queue
        instant stranger_from{};              ///< it was found to have the key
        instant rests_until = instant::min(); ///< for it has failed
        bool changed = false;                 ///< the key, while an answer was on its way
    };

    bool has_majority() const noexcept { return votes_.size() >= majority(nodes_); }
    void count(unsigned node, instant from) noexcept;
    void drop_old_votes(instant now) noexcept;
    void note_first_vote(const view& v) noexcept;
    void look(const view& v) noexcept;
    bool is_to_yield(instant now) const noexcept;
    bool is_settled(instant now) noexcept;
    node_set due(const view& v) noexcept;
    instant due_at(unsigned node, const view& v) const noexcept;
    /// The next look at one of those that do not tell.
    instant next_look(const view& v) const noexcept;
    /// Of them one can be asked for that.
    node_set to_look_at(const view& v) const noexcept;
    /// The one whose turn it is.
    node_set next_of(node_set untold) noexcept;
    instant next_event(const view& v) const noexcept;
    instant vote_ends(unsigned node) const noexcept {
        return valid_until(stands_[node].vote, terms_.life, terms_.drift);
    }

    const std::uint8_t nodes_;
    std::uint8_t yields_ = 0;
    const std::uint64_t ticket_;
    std::uint64_t name_ = 0;
    const queue_terms terms_;
    node_set votes_;
    node_set asked_; ///< an answer is on its way
    instant first_vote_ = instant::max();
    instant look_at_ = instant::max(); ///< why the others do not vote
    nanoseconds look_pause_{};
    bool looks_ = false;         ///< that was asked, and is to be judged
    std::uint64_t released_ = 0; ///< the name of the token that gave the key back
    instant yielded_at_ = instant::min();
    instant yields_from_ = instant::min();
    instant holds_off_until_ = instant::min();
    untold_pace pace_;
    instant looked_at_ = instant::min(); ///< one that does not tell, the last time
    unsigned last_looked_ = 0;           ///< which one that was
    std::vector<stand> stands_;
};

} // namespace redlock::core
