#pragma once

#include "core/election/leader_knowledge.hpp"
#include "core/instant.hpp"
#include "engines/etcd/rule/place.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace redlock::etcd::model {

/// A mistake that can be planted in the rule, for the model to find.
enum class mistake : std::uint8_t {
    none,
    no_confirm,                 ///< who sees his predecessor go has the lock
    no_grave,                   ///< a try that may have been written is deleted alone
    no_second_look,             ///< behind the begin of a watch
    life_from_reply,            ///< of a keepalive
    any_term_prolongs,          ///< whenever the lease was granted
    no_proof,                   ///< that who answered a keepalive still leads
    moved_key_is_the_last,      ///< a key that gets under another lease is made anew
    move_in_doubt_counts,       ///< it has the life of that lease though nobody knows
    doubt_is_forgotten,         ///< a lease ends under which a key may be
    inner_token,                ///< the revision of an inner header
    lost_lease_is_used,         ///< and granted once more, under the same number
    one_key_for_all_tries,      ///< of a client, deleted without a comparison
    name_of_unanswered_removal, ///< serves again
    name_of_repeated_removal,   ///< likewise, once that was answered, while the first may arrive yet
    reader_overtakes,           ///< who reads comes in where others read, whoever waits to write
    reader_asks_the_last,       ///< who reads comes in behind a reader, whoever that one waits for
    writer_asks_writers,        ///< who writes waits for those alone who write, too
    downgraded_is_unseen,       ///< who writes looks at the revisions before his own alone
    downgrade_in_one_step, ///< the key for writing goes with the transaction that puts the one for reading
    token_of_the_entry,    ///< of a reader who has waited
    token_while_waiting,   ///< written before those in front have gone
    stale_leader_writes,   ///< who leads writes what he proclaims without a look at his key
    version_falls,         ///< what he proclaimed before takes the place of what he did behind it
    value_outlives_lease,  ///< what he proclaims is under no lease
    release_leaves_value,  ///< who gives the key back lets what he proclaimed stand
    earlier_is_told,       ///< who observes asks a member that lags, and tells whatever differs
    no_look_behind_watch   ///< who observes looks when he begins, and when he hears of something
};

/// Whose key it is.
enum class role : std::uint8_t {
    writer,
    reader,
    downgraded ///< reads behind having written, whatever revision made the key
};

/// What etcd does, as far as the rule goes: one key of a lock for each who wants it, revisions, leases, and
/// deletions that are told. Whatever is asked happens at once and whole, as the log of the cluster has it.
class store {
public:
    explicit store(mistake planted) noexcept : planted_(planted) {}

    struct entry {
        std::int64_t created = 0;
        std::int64_t modified = 0;
        std::int64_t lease = 0;
        role whose = role::writer;
        std::int64_t token = 0; ///< its revision before it was held, and moved
    };
    using name = std::string;
    /// Told of a key that is deleted.
    std::function<void(const name&)> deleted;
    /// Told of every change of what the leader proclaims.
    std::function<void()> lead_changed;

    bool grant(std::int64_t lease, std::chrono::seconds ttl, core::instant now) {
        return leases_.emplace(lease, life{ttl, now + ttl}).second;
    }
    struct kept {
        std::chrono::seconds left; ///< none where it is not known
        std::uint64_t term;        ///< of whoever answers
    };
    kept keep_alive(std::int64_t lease, core::instant now) { return {prolong(leases_, lease, now), term_}; }
    void revoke(std::int64_t lease);
    void expire(core::instant now);
    /// A new leader gives every lease its time once more. One who stood still goes on leading as he thinks,
    /// until he `hears`.
    void change_leader(core::instant now, bool old_one_stood_still);
    bool has_stale_leader() const noexcept { return stale_.has_value(); }
    kept keep_alive_by_stale_leader(std::int64_t lease, core::instant now) {
        return {prolong(stale_->leases, lease, now), stale_->term};
    }
    /// What is over by his count is revoked.
    void stale_leader_revokes(core::instant now);
    void stale_leader_hears() noexcept { stale_.reset(); }
    /// As a majority has it.
    std::uint64_t term() const noexcept { return term_; }

    struct answer {
        verdict said{};
        std::int64_t created = 0;
        std::int64_t modified = 0;
        std::int64_t inner_revision = 0;
        name predecessor{};
    };
    answer acquire(const name& key, const name& grave, std::int64_t lease, role whose);
    answer confirm(const name& key, std::int64_t created, std::int64_t modified);
    /// `first`, with the revision that made the key for reading, or `displaced`.
    answer downgrade(const name& held, std::int64_t created, const name& key, const name& grave,
                     std::int64_t lease);
    /// Under another lease: `first` with the new revision, `displaced`, or `behind` with that of who wrote it
    /// since. What was proclaimed beside it goes along.
    answer move(const name& key, std::int64_t created, std::int64_t modified, std::int64_t lease,
                bool is_held);
    /// With what was proclaimed in that term; 0 of one who did not lead.
    void remove(const name& key, std::int64_t term = 0);
    /// Whether the key was there.
    bool proclaim(const name& key, std::int64_t created, std::int64_t lease, const leader_mark& mark);
    struct proclaimed {
        leader_mark mark;
        std::int64_t lease = 0;
    };
    /// That stands there; of term 0 where nobody leads.
    const leader_mark& lead() const noexcept { return lead_.mark; }
    /// As a member that lags has it.
    const leader_mark& earlier_lead() const noexcept { return earlier_.mark; }
    void bury(const name& key, const name& grave, std::int64_t lease, bool leaves_grave);

    bool has(const name& key) const { return keys_.contains(key); }
    using item = std::pair<const name, entry>;
    /// The holder, or who will be.
    const item* oldest() const;
    /// Who has to go before that key is first; null where nobody has.
    const item* in_front_of(const item& own) const;
    const std::map<name, entry>& keys() const noexcept { return keys_; }
    std::size_t graves() const noexcept { return graves_.size(); }

private:
    struct life {
        std::chrono::seconds ttl;
        core::instant ends;
    };
    using lives = std::map<std::int64_t, life>;
    struct leader {
        std::uint64_t term;
        lives leases;
    };
    static std::chrono::seconds prolong(lives& of, std::int64_t lease, core::instant now) {
        const auto found = of.find(lease);
        if (found == of.end()) return std::chrono::seconds(0);
        found->second.ends = now + found->second.ttl;
        return found->second.ttl;
    }
    void erase(const name& key);
    bool somebody_leads() const noexcept { return lead_.mark.term != 0; }
    void set_lead(const proclaimed& to);
    const item* newest_before(std::int64_t created, bool writers_alone) const;
    const item* predecessor_of(const item& own) const;
    const item* any_downgraded_but(const name& own) const;

    const mistake planted_;
    std::int64_t revision_ = 1;
    std::map<name, entry> keys_;
    std::map<name, std::int64_t> graves_; ///< with their leases
    lives leases_;
    std::uint64_t term_ = 1;
    std::optional<leader> stale_;
    proclaimed lead_, earlier_;
};

} // namespace redlock::etcd::model
