#pragma once

#include "engine/contest.hpp"
#include "engines/redis/quorum/claim.hpp"
#include "engines/redis/quorum/quorum.hpp"
#include "engines/redis/rounds/clear_round.hpp"
#include "engines/redis/rounds/round_failure.hpp"
#include "engines/redis/watch/key_watch.hpp"
#include "time/timer_queue.hpp"
#include "turn/live_list.hpp"
#include "turn/operation.hpp"

#include <redlock/detail/pool.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string>

namespace redlock::redis {

/// Waits until nobody reads what was granted for writing: asks the nodes, and asks again when the last of
/// those who read has gone on a majority, or a third of the ttl has passed, for that keeps the key. Owns
/// itself until it has come out.
class drain final : public engine::contest,
                    public turn::list_hook,
                    public detail::pooled,
                    private turn::operation,
                    private watch_listener,
                    private time::timer {
public:
    drain(quorum& q, const engine::wish& granted, engine::drain_listener& listener);

    void start() override;
    void cancel(errc why) noexcept override;

private:
    friend class quorum;
    enum event : unsigned { is_decided = 1, may_be_free = 2, time_passed = 4, ends = 8 };

    ~drain();

    void ask();
    void round_decided();
    void wait(core::nanoseconds at_most);
    /// False where they have one name on some nodes and another on the rest.
    bool watch_readers();
    std::optional<std::string> name_of_readers() const;
    void over(errc why, const engine::failure* more = nullptr) noexcept;
    void stop() noexcept;
    void events_came() noexcept override;
    void key_may_be_free() noexcept override { raise(may_be_free); }
    void expired(time::instant) noexcept override { raise(time_passed); }

    quorum& quorum_;
    engine::drain_listener& listener_;
    const claim_pointer claim_;
    const std::chrono::milliseconds life_;
    const core::nanoseconds ttl_;
    const bool waits_;
    const time::instant wait_until_;
    detachable_round::pointer<clear_round> round_;
    key_watch* watch_ = nullptr; ///< over those who read
    time::instant kept_since_;   ///< when it was last extended
    core::node_set missing_;     ///< where it was, when they were asked last
    bool asks_ = false;
    errc why_ended_{};
};

} // namespace redlock::redis
