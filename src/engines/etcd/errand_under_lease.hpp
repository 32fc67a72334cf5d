#pragma once

#include "engine/renewal.hpp"
#include "engines/etcd/claim.hpp"
#include "engines/etcd/rule/server_leases.hpp"
#include "turn/live_list.hpp"
#include "turn/operation.hpp"

#include <redlock/detail/pool.hpp>

#include <chrono>

namespace redlock::etcd {

class etcd_engine;

/// Something that was let go of before it was answered.
class forsaken : public turn::list_hook {
public:
    virtual ~forsaken() = default;
};

/// Something that is done with a key that is held, under a lease of the server that has to live first: how it
/// is decided, told and let go of. What was sent is waited for also when nobody waits for this any more.
class errand_under_lease : public engine::errand,
                           public forsaken,
                           public detail::pooled,
                           private turn::operation,
                           private tenant {
public:
    void let_go() noexcept final;

protected:
    errand_under_lease(etcd_engine& by, claim_pointer held, std::chrono::milliseconds life,
                       engine::renewal_listener& told);

    /// The first call.
    void begin() { await(1); }
    /// Behind one of these an event of the lease comes, or none where this decides before.
    void wait_for(server_lease& under) noexcept { under.join(*this); }
    /// `do_it` is to be called once that one lives, at once where it has just been kept alive.
    void do_under(const server_lease_pointer& lease);
    void was_sent() noexcept { is_sent_ = true; }
    void was_answered() noexcept {
        is_sent_ = false;
        move_out();
    }
    /// The last statement of whoever was told of an answer.
    void end_if_forsaken() noexcept {
        if (!told_) delete this;
    }
    void decide(engine::outcome how, core::instant sent_at, errc why = errc{}) noexcept;
    bool is_awaited() const noexcept { return told_ != nullptr; }

    etcd_engine& by() const noexcept { return engine_; }
    const claim& held() const noexcept { return *held_; }
    std::chrono::milliseconds life() const noexcept { return life_; }
    core::instant asked_at() const noexcept { return asked_at_; }

private:
    /// The lease lives, and the key is held.
    virtual void do_it() = 0;
    /// Whether the key is gone with the lease that was waited for.
    virtual bool is_gone_with_lease() const noexcept = 0;

    void lease_lives() noexcept final;
    void lease_failed(errc why) noexcept final;
    void lease_is_lost() noexcept final;
    void events_came() final;

    etcd_engine& engine_;
    const claim_pointer held_;
    const std::chrono::milliseconds life_;
    const core::instant asked_at_;
    engine::renewal_listener* told_; ///< null when nobody waits for it any more
    bool is_sent_ = false;
    bool is_telling_ = false;
    engine::outcome outcome_{};
    core::instant sent_at_{};
    errc why_{};
};

} // namespace redlock::etcd
