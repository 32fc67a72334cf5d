#pragma once

#include "core/instant.hpp"
#include "engines/etcd/line/exchange.hpp"
#include "engines/etcd/line/failure.hpp"
#include "engines/etcd/line/method.hpp"
#include "time/timer_queue.hpp"
#include "turn/live_list.hpp"

#include <redlock/detail/pool.hpp>

#include <cstdint>
#include <string_view>

namespace redlock::etcd {

class traffic;

/// One request that has one answer. It leaves with all others of its turn. Owns itself: until it was
/// answered it belongs to the line that it was given to.
class call : public turn::list_hook, public detail::pooled, private exchange, private time::timer {
public:
    /// `request` is the message, as protobuf. `patience` counts from `line::submit`, or, where the call
    /// outlasts connections, from when there is one; 0 takes that of the line.
    call(const method& m, std::string_view request, core::nanoseconds patience = {});
    call(const call&) = delete;
    call& operator=(const call&) = delete;
    virtual ~call();

    /// In a turn; one of these two is the last call, after which nobody but itself refers to it. It may
    /// destroy itself, be given away once more, or let go of others. `response` is the message, and is there
    /// until this returns; `sent_at` is not after its request left.
    virtual void answered(std::string_view response, core::instant sent_at) noexcept = 0;
    virtual void failed(const failure& why) noexcept = 0;
    /// Whether it is to be kept until there is a connection again, where it was not sent.
    virtual bool outlasts_connection() const noexcept { return false; }

    /// It may have left. False again once it is known that the server has not seen it.
    bool was_sent() const noexcept { return outgoing_.all_taken(); }

private:
    friend class traffic;

    void forget() noexcept;
    void has_news() noexcept override;
    void expired(time::instant now) noexcept override;

    traffic* over_ = nullptr;
    core::nanoseconds patience_;
    core::instant asked_at_{};
    std::uint8_t refusals_ = 0; ///< of servers that have not begun with it
    bool renewed_ = false;      ///< the token, for this call
    std::uint32_t token_ = 0;   ///< that it was begun with
    bool graced_ = false;       ///< past its time, for what has arrived and was not read
};

} // namespace redlock::etcd
