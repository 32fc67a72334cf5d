#pragma once

#include "core/queue/queued_contender.hpp"
#include "engines/redis/dialect/token_news.hpp"
#include "engines/redis/quorum/claim.hpp"
#include "engines/redis/quorum/quorum.hpp"
#include "engines/redis/watch/key_ear.hpp"
#include "time/timer_queue.hpp"
#include "turn/live_list.hpp"

#include <redlock/detail/pool.hpp>

#include <chrono>
#include <cstdint>
#include <string_view>

namespace redlock::redis {

/// Told how it goes for one that stands in queues. Perhaps from inside what it asks for.
class stand_listener {
public:
    /// A majority has the key in its name, or too few nodes keep queues.
    virtual void stand_decided() noexcept = 0;
    /// Whoever has the key cannot be told that it is waited for: nobody will be handed it.
    virtual void holder_is_deaf() noexcept = 0;

protected:
    ~stand_listener() = default;
};

/// Stands in the queues of the nodes for one contest: does what `core::queued_contender` says, and tells it
/// what came of that. Owns itself: it exists until it was closed or given up and every request it made has
/// been answered or given up.
class queue_stand final : public turn::list_hook,
                          public redlock::detail::pooled,
                          public key_ear,
                          private node::reply_receiver,
                          private time::timer {
public:
    /// Of a claim whose token no node has seen. `life` is what a key gets that is handed over, `ttl` how much
    /// of that the lease may count on.
    static queue_stand& make(quorum& q, claim_pointer c, std::chrono::milliseconds life,
                             core::nanoseconds ttl, stand_listener& listener);
    void start();

    bool has_key() const noexcept { return has_key_; }
    bool has_failed() const noexcept { return has_failed_; }
    /// Of the present token: it has another each time that it gave way.
    const claim_pointer& claim() const noexcept { return claim_; }
    /// Of one that has the key.
    time::instant lives_from() const noexcept { return lives_from_; }
    /// Whether few are ahead of it, as far as is known.
    bool is_in_front() const noexcept { return ahead_ < 4; }
    /// From now on others hear for it that the key has changed, where nodes tell that.
    void is_watched();

    /// The key is taken. Nothing more is told.
    void close() noexcept;
    /// Leaves all queues, and gives back what it was handed.
    void give_up() noexcept;
    /// Nobody listens any more, for the nodes are gone.
    void forget_listener() noexcept;

    // From the nodes.
    void handed(std::uint32_t index, const token_news& news);
    /// The key is free, for a moment.
    void set_free(std::uint32_t index);
    /// It takes requests again, or it became known whether it keeps queues.
    void node_changed(std::uint32_t index, bool is_new);
    /// The key may have become free untold.
    void look_again();
    void changed(std::uint32_t index, key_change::kind what) override;
    void node_down(std::uint32_t) override {}
    void deafened(std::uint32_t) override {}
    void listen(std::uint32_t) override {}
    bool hears(std::uint32_t) const noexcept override { return false; } // of itself

private:
    queue_stand(quorum& q, claim_pointer c, std::chrono::milliseconds life, core::nanoseconds ttl,
                stand_listener& listener);
    ~queue_stand() = default;
    friend class quorum;

    /// Tells tokens from each other.
    static std::uint64_t name_of(std::string_view token) noexcept;
    core::queued_contender::view view() const;
    /// Does what the rule says, until it says to wait.
    void go_on();
    void enter(core::node_set nodes);
    void send(std::uint32_t index);
    void yield();
    void leave_queues() noexcept;
    void begin_with_token();
    void decided() noexcept;
    void ours(std::uint32_t index, const queue_answer& said);
    void useless(std::uint32_t index);
    void note_untold_row();
    void forget_key() noexcept;
    void answered(std::uint32_t index, const queue_answer& said);
    void open(std::uint32_t index, const queue_answer& said);
    void held(std::uint32_t index, const queue_answer& said);
    void stranger_seen(const queue_answer& said);
    void note_strangers(const token_news& news);
    void refused(std::uint32_t index, std::string_view words);
    void end_if_settled() noexcept;

    void on_reply(reply_tag tag, const resp::reply& reply) noexcept override;
    void on_failure(reply_tag tag, errc why) noexcept override;
    void expired(time::instant) noexcept override { go_on(); }

    quorum& quorum_;
    claim_pointer claim_;
    stand_listener* listener_;
    const std::chrono::milliseconds life_;
    core::queued_contender rule_;
    core::node_set entered_; ///< with the present token: it is given back there
    core::node_set refused_; ///< they do not queue for this key
    time::instant lives_from_{};
    time::instant last_entered_{};   ///< to any of them
    std::uint16_t token_number_ = 0; ///< tells answers of tokens that were given back
    unsigned ahead_ = 0;
    std::uint32_t outstanding_ = 0; ///< requests
    bool has_key_ = false;
    bool has_failed_ = false;
    claim_pointer watched_; ///< has the name of the key; null while nobody else watches it
};

} // namespace redlock::redis
