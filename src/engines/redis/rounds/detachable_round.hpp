#pragma once

#include "engines/redis/quorum/quorum.hpp"
#include "engines/redis/rounds/round.hpp"
#include "turn/operation.hpp"

#include <redlock/detail/pool.hpp>

#include <cassert>
#include <cstdint>
#include <memory>

namespace redlock::redis {

/// A round whose owner need not wait for the last reply: once it was detached it takes the rest of them in,
/// and is gone with the last. Raises an event of its owner on the verdict, another when everything is
/// settled.
class detachable_round : public round, public turn::list_hook, public detail::pooled {
public:
    /// Nobody hears of it any more, and nothing is sent because of what comes.
    void detach() noexcept;

    struct detacher {
        void operator()(detachable_round* r) const noexcept { r->detach(); }
    };
    /// What an owner holds.
    template <class Round>
    using pointer = std::unique_ptr<Round, detacher>;

protected:
    detachable_round(redis::quorum& r, turn::operation& owner, unsigned decided_event,
                     unsigned settled_event) noexcept
        : round(r),
          owner_(owner),
          decided_event_(static_cast<std::uint8_t>(decided_event)),
          settled_event_(static_cast<std::uint8_t>(settled_event)) {
        assert(decided_event <= UINT8_MAX && settled_event <= UINT8_MAX);
    }
    virtual ~detachable_round() = default;

    void decided() noexcept override { owner_.raise(decided_event_); }
    turn::operation& owner() const noexcept { return owner_; }

private:
    friend class quorum;
    void all_settled() noexcept final { detached_ ? gone() : owner_.raise(settled_event_); }
    /// It was detached, and all is settled.
    virtual void gone() noexcept { delete this; }

    turn::operation& owner_; ///< not any more once it is detached
    const std::uint8_t decided_event_;
    const std::uint8_t settled_event_;
    bool detached_ = false;
};

} // namespace redlock::redis
