#pragma once

#include "core/backoff.hpp"
#include "core/instant.hpp"
#include "core/quorum/availability.hpp"
#include "core/quorum/node_set.hpp"
#include "core/random.hpp"

#include <cstdint>
#include <optional>

namespace redlock::core {

/// What a contender that waits for a key looks for, and when it tries to have it again: it is told events and
/// the time, and says which nodes to listen to, at which to look how long the key lives, and until when to
/// sleep. Waiting costs a command for each node as long as what is known is true; where changes are not told,
/// or what is told is not so, it looks and tries again after growing pauses.
///
/// In a crowd (several that run into each other) it listens to the arbiter of the key alone: it is narrow.
/// Whoever then has the arbiter's vote has the others' too, for nobody else asks for them.
class lookout {
public:
    enum class action : std::uint8_t {
        ask,    ///< the nodes, as the sets say; what comes of that is told, and then comes the next step
        sleep,  ///< until then, if nothing is heard before
        attempt ///< the key may be free. Told once
    };
    struct step {
        action what;
        instant until = instant::max();
        node_set leave{};   ///< stop listening to them
        node_set listen{};  ///< begin to, or again, and look
        node_set look{};    ///< for how long the key lives
        bool count = false; ///< those who listen to the arbiter: some may have gone
    };
    /// What is known at the time of an event.
    struct view {
        instant now;
        node_set ready;         ///< they take requests
        nanoseconds round_trip; ///< to a majority
    };
    /// What is known of others that want the key.
    struct rivals {
        bool crowded;                    ///< several run into each other
        std::optional<unsigned> arbiter; ///< of the nodes that are ready
    };

    lookout(unsigned nodes, nanoseconds node_timeout, random& draws);

    /// Begins with every node, but in a crowd with the arbiter alone where that tells of changes. `ours` are
    /// the nodes where this contender has the key.
    void start(const view& v, const rivals& others, bool arbiter_tells, node_set ours);
    /// A try was refused. With `needs_the_others` listening to the arbiter is not enough any more. An arbiter
    /// that was chosen before stays as long as it is ready.
    void go_on(const view& v, const rivals& others, bool needs_the_others);
    /// The time of a sleep has come.
    step time_passed(const view& v);
    /// Behind every event.
    step next(const view& v);
    /// Whether an attempt is still to be told.
    bool waits() const noexcept { return waits_; }
    /// Nobody wants to be told any more.
    void end() noexcept { waits_ = false; }

    /// What became of asking to listen.
    void listens(unsigned node, bool on_its_way) noexcept;

    // What is heard of the key.
    void gone(unsigned node, instant now);
    void written(unsigned node, instant now) noexcept;
    /// It has another life.
    void dated(unsigned node, instant now) noexcept;
    /// It may have become anything. That is told once.
    void changed(unsigned node) noexcept;
    void seen_free(unsigned node) noexcept { sight_.free(node); }
    /// There for so long; nothing where it never runs out.
    void seen_held(unsigned node, std::optional<nanoseconds> left, instant now) noexcept;
    /// So many listen to the arbiter.
    void counted(unsigned listening) noexcept;
    /// Of changes nothing is told.
    void is_deaf(unsigned node) noexcept { sight_.set_told(node, false); }
    void down(unsigned node) noexcept;

    /// What is known of the key. Whoever asks the nodes for it tells here what they said.
    availability& sight() noexcept { return sight_; }
    node_set listening() const noexcept { return listening_; }
    std::optional<unsigned> arbiter() const noexcept { return arbiter_; }
    /// Whether those who wait at this node are still to be counted.
    bool counts_at(unsigned node) const noexcept { return arbiter_ == node && !ahead_; }
    /// Whether it is known that the key can be had now.
    bool has_chance() const noexcept;
    /// The node to ask alone at first, because others want the key too; nothing when there is no need to, or
    /// no hope.
    std::optional<unsigned> first_to_ask() const noexcept;
    /// How often there was a chance and somebody else was faster.
    unsigned losses() const noexcept { return losses_; }
    /// Listens to the arbiter alone.
    bool is_narrow() const noexcept { return !listens_everywhere_; }

private:
    /// Between two tries while changes may go untold, or what is told is not so: short enough to be soon
    /// there, long enough not to be a flood.
    static constexpr nanoseconds longest_pause = std::chrono::milliseconds(100);

    void choose_arbiter(node_set ready, const rivals& others) noexcept;
    void look_everywhere(instant now) noexcept;
    /// The rest of `go_on`, once it is known what became of asking.
    void settle_down(instant now);
    /// Whether the key changes hands so quickly that it is dearer to hear of it from every node than to begin
    /// to listen to them again.
    bool is_better_narrow(instant now) const noexcept;
    void narrow_down() noexcept;
    void arbiter_came_free(instant now);
    /// What was said of the key led to a try that was refused, and nobody else seems to have taken it.
    void was_misled(instant now);
    void is_not_misled() noexcept;
    bool waits_for_arbiter(node_set ready) const noexcept;
    instant next_try(const view& v) const;
    instant next_look(instant now) const;
    step attempt() noexcept;
    step sleep_until(instant at) const noexcept { return {.what = action::sleep, .until = at}; }
    /// An interval that differs from contender to contender.
    nanoseconds a_while() { return draws_.between(node_timeout_ / 2, node_timeout_); }

    const unsigned nodes_;
    const nanoseconds node_timeout_;
    random& draws_;
    availability sight_;
    backoff backoff_;
    backoff vain_pause_;                  ///< between tries that nodes invite to and then refuse
    step asking_{.what = action::ask};    ///< is still to be told
    instant probe_at_ = instant::max();   ///< when to try blindly, while changes may go untold
    instant look_at_ = instant::max();    ///< when to look how long the present holder has
    instant chance_at_ = instant::max();  ///< when it was heard that the key can be had
    instant came_free_ = instant::min();  ///< at the arbiter, the last time
    instant not_before_ = instant::min(); ///< the next try, after some that were invited in vain
    std::optional<unsigned> arbiter_;     ///< nothing while no node is ready
    std::optional<unsigned> ahead_;       ///< how many were waiting before, where that could be seen
    node_set held_;      ///< nodes that have said since the last try that it will take a while
    node_set listening_; ///< to them
    unsigned losses_ = 0;
    unsigned misled_ = 0;        ///< so often in a row
    bool quick_ = false;         ///< it came free soon after the time before
    bool crowd_ = false;         ///< several wait, and run into each other
    bool counted_again_ = false; ///< in this chance
    bool had_chance_ = false;    ///< since this one waits, the key was free at the arbiter
    bool ran_out_ = false;       ///< the attempt was told because nobody prolonged the key in time
    bool listens_everywhere_ = false;
    bool settles_down_ = false; ///< once it is known what became of asking
    bool waits_ = false;        ///< to tell an attempt
};

} // namespace redlock::core
