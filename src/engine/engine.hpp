#pragma once

#include "engine/claim.hpp"
#include "engine/contest.hpp"
#include "engine/holders.hpp"
#include "engine/question.hpp"
#include "engine/renewal.hpp"
#include "turn/outcome.hpp"
#include "turn/turns.hpp"

#include <redlock/break_report.hpp>
#include <redlock/key_list.hpp>
#include <redlock/key_report.hpp>
#include <redlock/leader_info.hpp>
#include <redlock/metrics.hpp>
#include <redlock/node_examination.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::engine {

/// Told what `look_for_others` found.
class others_listener {
public:
    /// No other client waits for the key, as far as can be seen.
    virtual void nobody_else_waits(std::string_view full_key) noexcept = 0;

protected:
    ~others_listener() = default;
};

/// Told of keys that were lost, where an engine hears of that by itself.
class loss_listener {
public:
    /// In a turn. Every claim for which `is_lost` says so is nobody's, or somebody else's, by now.
    virtual void keys_lost(const std::function<bool(const claim&)>& is_lost) noexcept = 0;
    /// In a turn. Some of what the engine keeps may have been lost: what is held is to be renewed now, which
    /// shows whether it still is, and puts back what is missing.
    virtual void keys_in_doubt() noexcept = 0;

protected:
    ~loss_listener() = default;
};

/// A service that grants keys: a quorum of Redis nodes, or whatever else. The lease layer asks it for keys
/// and knows no more of it than this. All members are called on the client's strand, in a turn; what is asked
/// for leaves with the next flush.
class engine : public turn::turn_work {
public:
    virtual ~engine() = default;

    /// Before `start`.
    void set_loss_listener(loss_listener& listener) noexcept { losses_ = &listener; }
    /// Likewise.
    virtual void set_holders(const holders& /*of_this_client*/) noexcept {}
    /// Connects in the background.
    virtual void start() = 0;

    /// A claim for one try, of a key that was checked.
    virtual claim_pointer claim_key(std::string_view prefix, key_name&& key, bool fencing) = 0;
    /// A claim for another try of the same caller, who keeps his place among those who wait where the engine
    /// knows of places.
    virtual claim_pointer claim_again(const claim& before, std::string_view prefix, bool fencing);
    /// Asks for a key until it is granted, refused or cancelled, once it is started. The listener must live
    /// until the contest is over.
    virtual contest& contend(wish&& w, contest_listener& listener) = 0;
    /// Whether locks of this kind are to be had.
    virtual bool supports(redlock::mode m) const noexcept { return m == redlock::mode::exclusive; }
    /// Whether a key can stay behind its holder, for a time: behind an unlock, or a crash.
    virtual bool keeps_keys() const noexcept { return true; }
    /// Whether what it grants for writing may still be read by others: `drain` follows then.
    virtual bool grants_undrained() const noexcept { return false; }
    /// Waits until nobody reads what the wish, whose claim was granted for writing, names; keeps the key
    /// meanwhile. Belongs to the engine like a contest, and is started like one.
    virtual contest& drain(const wish& granted, drain_listener& listener);
    /// Gives a key that is ours this life from now on. With a fencing token, what is kept of it is raised to
    /// that.
    virtual errand_pointer<> renew(claim_pointer held, std::chrono::milliseconds life,
                                   std::uint64_t fencing_token, renewal_listener& listener) = 0;
    /// Has a key that was ours stay for so long and no longer, behind which nobody renews it.
    virtual errand_pointer<> keep(claim_pointer left, std::chrono::milliseconds life,
                                  std::uint64_t fencing_token, renewal_listener& listener);
    /// Whether a lease for writing can become one for reading: `downgrade`.
    virtual bool downgrades() const noexcept { return false; }
    /// Has `reading`, a claim for reading of the same key, enter beside `held`, which is ours for writing:
    /// confirmed when it has that life from the sending on, and whoever is granted the key for writing from
    /// now on waits for it. `held` is left as it is. Whatever comes of it, one of the two is to be released.
    virtual errand_pointer<> downgrade(claim_pointer held, claim_pointer reading,
                                       std::chrono::milliseconds life, renewal_listener& listener);
    /// Gets a new fencing token for a key that is ours, and is handed on.
    virtual errand_pointer<> advance_token(const claim_pointer& held, token_listener& listener) = 0;
    /// Whether there can be leaders.
    virtual bool has_leaders() const noexcept { return false; }
    /// Has a value stand beside a key that is ours to lead with (`claim::leads`), in the place of the one
    /// before, for as long as the key lives. Renewals keep it, and put it where it is missing; with the
    /// release it goes. So does one that was never confirmed.
    virtual errand_pointer<> proclaim(const claim_pointer& held, std::uint64_t term, std::string value,
                                      proclamation_listener& listener);
    /// Gives the key back. Belongs to no caller, so no cancellation reaches it. `keys_end` is when the key
    /// has run out by itself; `told` hear how it came out: 0: it was ours until now, and others can have it;
    /// `lease_lost`: it was not ours any more, or was `lost` before; `no_quorum`: nobody knows.
    virtual void release(claim_pointer held, core::instant keys_end, turn::outcome_waiters&& told = {},
                         bool lost = false) = 0;
    /// Whether another client has waited for the key for longer than `next`, a caller of this one to whom it
    /// would be handed on here: then it is given back.
    virtual bool others_waited_longer(const claim& /*held*/, const claim& /*next*/) const noexcept {
        return false;
    }
    /// Whether other clients wait for a key that is ours. Tells the listener only when none does.
    virtual void look_for_others(claim_pointer held, others_listener& listener) = 0;

    // Questions of users. The keys are with their prefixes and were checked.
    virtual question_pointer check(std::string full_key, std::uint64_t fencing_token,
                                   answer_listener<no_report>& listener) = 0;
    virtual question_pointer inspect(std::string full_key, answer_listener<key_report>& listener) = 0;
    /// Whether it can search for keys.
    virtual bool lists() const noexcept { return false; }
    /// Keys of locks that begin like this, prefix included; at most so many.
    virtual question_pointer list(std::string beginning, std::size_t most,
                                  answer_listener<key_list>& listener);
    /// Who leads, once that differs from what is known.
    virtual question_pointer observe(std::string full_key, leader_mark known,
                                     answer_listener<leader_info>& listener);
    /// Deletes what was shown, where it is still the same.
    virtual question_pointer remove(key_report shown, answer_listener<break_report>& listener) = 0;
    virtual question_pointer examine(answer_listener<std::vector<node_examination>>& listener) = 0;

    /// Whether there is something that a flush would write.
    virtual bool has_unwritten() const noexcept = 0;
    /// Several keys are being asked for or given back: others may soon have something for the same write.
    virtual bool is_busy() const noexcept = 0;
    virtual void flush() noexcept = 0;

    /// The client begins to close: keys are given back, nothing new is asked for.
    virtual void begin_closing() noexcept {}
    /// Whether nothing is under way that must end before the connections do.
    virtual bool quiet() const noexcept = 0;
    /// Once it is quiet: ends the connections, and calls `ended` in a later turn.
    virtual void stop(std::function<void()> ended) = 0;
    /// In a forked child: gives up what is shared with the parent, which goes on with it, and nothing else,
    /// wherever this is called from.
    virtual void leave() noexcept {}
    /// Behind that, in a turn: what is under way fails.
    virtual void fail_all() {}
    /// Lets go of the connections, without telling anybody: the strand will never run again.
    virtual void disconnect() noexcept = 0;
    /// Behind that: forgets whatever was under way.
    virtual void abandon() noexcept = 0;

    /// What it has counted, and how it is.
    virtual void report(metrics_snapshot& to) const = 0;

protected:
    loss_listener* losses_ = nullptr;
};

} // namespace redlock::engine
