#pragma once

#include "core/backoff.hpp"
#include "core/quorum/availability.hpp"
#include "engines/redis/dialect/push.hpp"
#include "engines/redis/dialect/session.hpp"
#include "engines/redis/node/node.hpp"
#include "engines/redis/quorum/claim.hpp"
#include "engines/redis/quorum/quorum.hpp"
#include "time/timer_queue.hpp"

#include <redlock/detail/pool.hpp>

#include <cstdint>
#include <memory>
#include <optional>

namespace redlock::redis {

/// Told when it is worth trying to have a key.
class watch_listener {
public:
    virtual void key_may_be_free() noexcept = 0;

protected:
    ~watch_listener() = default;
};

/// Keeps an eye on a key that somebody else holds, for the one contender of this client. It listens on the
/// nodes that tell of changes, looks at the life of the key where nothing else is known, and lets a timer run
/// for what is told late or never. Owns itself: it exists until it is closed and every request it made has
/// been answered or given up.
class key_watch final : public turn::list_hook,
                        public redlock::detail::pooled,
                        private node::reply_receiver,
                        private time::timer {
public:
    /// Listens and looks on every node at once. `ours` are the nodes where this contender has the key.
    static key_watch& start(quorum& r, std::shared_ptr<const claim> c, watch_listener& listener,
                            core::node_set ours);

    /// What is known of the key. Whoever asks the nodes for it tells here what they said.
    core::availability& sight() noexcept { return sight_; }

    /// The node that a contender asks alone at first, because others want the key too; nothing when there is
    /// no need to, or no hope.
    std::optional<std::uint32_t> first_to_ask() const noexcept;

    /// Whether it is known that the key can be had now.
    bool has_chance() const noexcept;
    /// How often there was a chance and somebody else was faster.
    unsigned losses() const noexcept { return losses_; }

    /// A try was refused: wait for the next occasion. The listener is told of it once, perhaps from inside
    /// this call. With `needs_the_others` listening to the arbiter is not enough any more.
    void go_on(bool needs_the_others);

    /// Stops listening. Nothing more is told.
    void close() noexcept;
    /// Likewise, when the nodes are gone.
    void forget_listener() noexcept;

    // From the nodes.
    void changed(std::uint32_t index, key_change::kind what);
    void node_down(std::uint32_t index);
    /// Nothing is told any more, though the node takes requests.
    void deafened(std::uint32_t index);
    /// The node answers again, or it became known how it tells of changes.
    void listen(std::uint32_t index);

    const claim& watched() const noexcept { return *claim_; }

private:
    enum kind : std::uint32_t { counting, subscribing, arming, looking };

    /// Between two tries while changes may go untold, or what is told is not so: short enough to be soon
    /// there, long enough not to be a flood.
    static constexpr core::nanoseconds longest_pause = std::chrono::milliseconds(100);

    key_watch(quorum& r, std::shared_ptr<const claim> c, watch_listener& listener);
    ~key_watch() = default;
    friend class quorum;

    void look(std::uint32_t index);
    void listen_and_look_everywhere();
    void unsubscribe(std::uint32_t index, encoding& bytes) noexcept;
    void choose_arbiter();
    void arbiter_came_free() noexcept;
    /// Whether the key changes hands so quickly that it is dearer to hear of it from every node than to begin
    /// to listen to them again.
    bool is_better_narrow() const noexcept;
    void narrow_down();
    void count_those_ahead();
    void count(const resp::reply& reply);
    bool is_for_this(const resp::reply& confirmation) const noexcept;
    /// Listens to the arbiter alone.
    bool is_narrow() const noexcept { return !listens_everywhere_; }
    bool waits_for_arbiter() const noexcept;
    void plan();
    time::instant next_try() const;
    time::instant next_look() const;
    void tell() noexcept;
    bool sent(errc refusal) noexcept;
    addressee back(std::uint32_t index, kind k) noexcept;
    void end_if_settled() noexcept;
    void looked(std::uint32_t index, const resp::reply& reply);
    /// What was said of the key led to a try that was refused, and nobody else seems to have taken it.
    void was_misled(time::instant now);
    void is_held(std::uint32_t index, std::chrono::milliseconds left) noexcept;
    void is_not_misled() noexcept;

    void on_reply(std::uint32_t tag, const resp::reply& reply) noexcept override;
    void on_failure(std::uint32_t tag, errc why) noexcept override;
    void expired(time::instant now) noexcept override;

    quorum& quorum_;
    std::shared_ptr<const claim> claim_;
    watch_listener* listener_;
    core::availability sight_;
    core::backoff backoff_;
    core::backoff vain_pause_;                       ///< between tries that nodes invite to and then refuse
    time::instant probe_at_ = time::instant::max();  ///< when to try blindly, while changes may go untold
    time::instant look_at_ = time::instant::max();   ///< when to look how long the present holder has
    time::instant chance_at_ = time::instant::max(); ///< when it was heard that the key can be had
    std::optional<std::uint32_t> arbiter_;           ///< nothing while no node is ready
    std::optional<unsigned> ahead_; ///< how many were waiting before, where that could be seen
    time::instant came_free_ = time::instant::min(); ///< at the arbiter, the last time
    bool quick_ = false;                             ///< soon after the time before
    bool crowd_ = false;                             ///< several wait, and run into each other
    bool counted_again_ = false;                     ///< in this chance
    bool had_chance_ = false; ///< since this one waits, the key was free at the arbiter
    bool ran_out_ = false;    ///< the listener was told because nobody prolonged the key in time
    unsigned losses_ = 0;
    unsigned misled_ = 0;                             ///< so often in a row
    time::instant not_before_ = time::instant::min(); ///< the next try, after that
    core::node_set held_; ///< nodes that have said since the last try that it will take a while
    core::node_set looking_;
    core::node_set changed_since_; ///< while looking, where news overtake answers
    core::node_set subscribed_;
    std::uint32_t outstanding_ = 0; ///< requests
    bool listens_everywhere_ = false;
    bool wanted_ = false; ///< the listener waits to be told
};

} // namespace redlock::redis
