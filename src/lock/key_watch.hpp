#pragma once

#include "core/availability.hpp"
#include "core/backoff.hpp"
#include "lock/claim.hpp"
#include "lock/push.hpp"
#include "lock/runtime.hpp"
#include "lock/session.hpp"
#include "node/node.hpp"
#include "time/timer_queue.hpp"

#include <redlock/detail/pool.hpp>

#include <cstdint>
#include <memory>
#include <optional>

namespace redlock::lock {

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
class key_watch final : public list_hook,
                        public redlock::detail::pooled,
                        private node::reply_receiver,
                        private time::timer {
public:
    /// Listens and looks on every node at once. `ours` are the nodes, a bit for each, where this contender
    /// has the key.
    static key_watch& start(runtime& r, std::shared_ptr<const claim> c, watch_listener& listener,
                            std::uint64_t ours);

    /// What is known of the key. Whoever asks the nodes for it tells here what they said.
    core::availability& sight() noexcept { return sight_; }

    /// The node that a contender asks alone at first, because others want the key too; nothing when there is
    /// no need to, or no hope.
    std::optional<std::uint32_t> first_to_ask() const noexcept;

    /// A try was refused: wait for the next occasion. The listener is told of it once, perhaps from inside
    /// this call.
    void go_on();

    /// Stops listening. Nothing more is told.
    void close() noexcept;
    /// Likewise, when the nodes are gone.
    void forget_listener() noexcept;

    // From the nodes.
    void changed(std::uint32_t index, key_change::kind what);
    void node_down(std::uint32_t index);
    /// The node answers again, or it became known how it tells of changes.
    void listen(std::uint32_t index);

    const claim& watched() const noexcept { return *claim_; }

private:
    enum kind : std::uint32_t { subscribing, arming, looking };

    key_watch(runtime& r, std::shared_ptr<const claim> c, watch_listener& listener);
    ~key_watch() = default;
    friend class runtime;

    void look(std::uint32_t index);
    void look_everywhere();
    void plan();
    void choose_arbiter();
    bool waits_for_arbiter() const noexcept;
    void tell() noexcept;
    bool sent(errc refusal) noexcept;
    addressee back(std::uint32_t index, kind k) noexcept;
    void end_if_settled() noexcept;
    void looked(std::uint32_t index, const resp::reply& reply);

    void on_reply(std::uint32_t tag, const resp::reply& reply) noexcept override;
    void on_failure(std::uint32_t tag, errc why) noexcept override;
    void expired(time::instant now) noexcept override;

    runtime& runtime_;
    std::shared_ptr<const claim> claim_;
    watch_listener* listener_;
    core::availability sight_;
    core::backoff backoff_;
    time::instant probe_at_ = time::instant::max(); ///< when to try blindly, while changes may go untold
    time::instant look_at_ = time::instant::max();  ///< when to look how long the present holder has
    time::instant grace_end_ =
        time::instant::max();              ///< how long the arbiter is waited for when others are free
    std::optional<std::uint32_t> arbiter_; ///< while there is a crowd
    std::uint64_t subscribed_ = 0;         ///< one bit for each node
    std::uint32_t outstanding_ = 0;        ///< requests
    bool wanted_ = false;                  ///< the listener waits to be told
};

} // namespace redlock::lock
