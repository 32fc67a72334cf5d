#pragma once

#include "engine/renewal.hpp"
#include "lease/acquire/acquire.hpp"
#include "lease/call.hpp"
#include "lease/lease_waiter.hpp"
#include "time/instant.hpp"
#include "time/timer_queue.hpp"
#include "turn/operation.hpp"

#include <redlock/leadership.hpp>
#include <redlock/lock_options.hpp>

#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace redlock::primitive {

/// client::async_campaign: takes the lock, then has the value stand beside its key. Who loses the one before
/// the other is there campaigns anew.
class campaign_call final : public lock::completing_call<leadership>,
                            private lock::acquire_listener,
                            private lock::lease_waiter,
                            private engine::proclamation_listener,
                            private turn::operation,
                            private time::timer {
public:
    struct request {
        std::string name;
        std::string value;
        lock_options options;
        std::stop_source stop;
        bool has_owner;
    };

    campaign_call(std::shared_ptr<lock::lessee> l, handler&& h, request&& asked);

private:
    enum event : unsigned { lease_is_over = 1 };

    void begin() override;
    void cancel() noexcept override;

    errc fault() noexcept;
    std::string text_of(errc fault);
    void refuse(errc why);
    void contend();
    void proclaim();
    void begin_anew();
    void grant();
    /// 0 stands for "cancelled".
    void fail(errc why);
    void drop_lease() noexcept;
    bool has_time_left(core::nanoseconds pause) noexcept;

    void granted(detail::lease_pointer held) noexcept override;
    void not_granted(errc why, const engine::failure* more) noexcept override;
    void acquire_over() noexcept override;
    void answered(const boost::system::error_code& how) noexcept override;
    void proclaimed(engine::outcome decided, errc why, const engine::failure* more) noexcept override;
    void events_came() noexcept override;
    void expired(time::instant) noexcept override { proclaim(); }

    request asked_;
    std::optional<lock::acquire> acquire_; ///< while the key is asked for
    detail::lease_pointer held_;
    engine::errand_pointer<> proclamation_; ///< while one is under way
    time::instant wait_until_{};
    errc why_failed_{};
    bool cancelled_ = false;
};

} // namespace redlock::primitive
