#pragma once

#include "core/quorum/lookout.hpp"
#include "engines/redis/dialect/push.hpp"
#include "engines/redis/dialect/session.hpp"
#include "engines/redis/node/node.hpp"
#include "engines/redis/quorum/claim.hpp"
#include "engines/redis/quorum/quorum.hpp"
#include "engines/redis/watch/key_ear.hpp"
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

/// Keeps an eye on a key that somebody else holds, for the one contender of this client: does what
/// `core::lookout` says, and tells it what came of that. It listens on nodes that tell of changes, and looks
/// at the life of the key. Owns itself: it exists until it is closed and every request it made has been
/// answered or given up.
class key_watch final : public key_ear,
                        public turn::list_hook,
                        public redlock::detail::pooled,
                        private node::reply_receiver,
                        private time::timer {
public:
    /// `ours` are the nodes where this contender has the key. The listener is told once, perhaps from inside
    /// this call.
    static key_watch& start(quorum& r, std::shared_ptr<const claim> c, watch_listener& listener,
                            core::node_set ours);

    /// A try was refused: wait for the next occasion. The listener is told of it once, perhaps from inside
    /// this call. With `needs_the_others` listening to the arbiter is not enough any more.
    void go_on(bool needs_the_others);

    /// What is known of the key. Whoever asks the nodes for it tells here what they said.
    core::availability& sight() noexcept { return rule_.sight(); }
    std::optional<std::uint32_t> first_to_ask() const noexcept { return rule_.first_to_ask(); }
    bool has_chance() const noexcept { return rule_.has_chance(); }
    unsigned losses() const noexcept { return rule_.losses(); }

    /// Stops listening. Nothing more is told.
    void close() noexcept;
    /// Likewise, when the nodes are gone.
    void forget_listener() noexcept;

    // From the nodes.
    void changed(std::uint32_t index, key_change::kind what) override;
    void node_down(std::uint32_t index) override;
    void deafened(std::uint32_t index) override;
    void listen(std::uint32_t index) override;

    const claim& watched() const noexcept { return *claim_; }
    bool hears(std::uint32_t index) const noexcept override { return rule_.listening().has(index); }

private:
    enum kind : std::uint32_t { counting, subscribing, arming, looking };

    key_watch(quorum& r, std::shared_ptr<const claim> c, watch_listener& listener);
    ~key_watch() = default;
    friend class quorum;

    core::lookout::view view() const;
    core::lookout::rivals others(const core::lookout::view& v) const noexcept;
    /// Does what the rule says, until it says to wait or to try.
    void act(core::lookout::step next);
    void go_ahead() { act(rule_.next(view())); }
    void ask(const core::lookout::step& whom);
    void look(std::uint32_t index);
    void count_listeners();
    void unsubscribe(std::uint32_t index, unsubscribe_command& command) noexcept;
    bool is_for_this(const resp::reply& confirmation) const noexcept;
    bool sent(errc refusal) noexcept;
    addressee back(std::uint32_t index, kind k) noexcept;
    void end_if_settled() noexcept;
    void looked(std::uint32_t index, const resp::reply& reply);

    void on_reply(reply_tag tag, const resp::reply& reply) noexcept override;
    void on_failure(reply_tag tag, errc why) noexcept override;
    void expired(time::instant) noexcept override { act(rule_.time_passed(view())); }

    quorum& quorum_;
    std::shared_ptr<const claim> claim_;
    watch_listener* listener_;
    core::lookout rule_;
    core::node_set looking_;
    core::node_set changed_since_;  ///< while looking, where news overtake answers
    std::uint32_t outstanding_ = 0; ///< requests
};

} // namespace redlock::redis
