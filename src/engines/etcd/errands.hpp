#pragma once

#include "core/flow/admission_place.hpp"
#include "engines/etcd/claim.hpp"
#include "engines/etcd/errand_under_lease.hpp"
#include "engines/etcd/inquiry.hpp"
#include "engines/etcd/line/joint_call.hpp"
#include "engines/etcd/rule/server_leases.hpp"
#include "turn/live_list.hpp"
#include "turn/operation.hpp"
#include "turn/outcome.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <utility>

namespace redlock::etcd {

class etcd_engine;

/// Says why the cluster did not do what it was asked for.
class cluster_failure final : public engine::failure {
public:
    explicit cluster_failure(std::string sentence) : sentence_(std::move(sentence)) {}
    std::string describe(std::string_view done) const override;

private:
    const std::string sentence_;
};

/// As callers are told it: a cluster that is out of reach is a quorum that is not there.
constexpr errc told_as(errc why) noexcept {
    const bool may_pass =
        why == errc::node_timeout || why == errc::node_unavailable || why == errc::protocol_error;
    return may_pass ? errc::no_quorum : why;
}

/// Gives a key that is held a life from now on: by a keepalive of its lease, which is that of all others, or
/// under another lease where that one is not for this life.
class renewal final : public errand_under_lease {
public:
    enum class kind : std::uint8_t {
        renew,
        keep ///< for so long and no longer: nobody holds it any more
    };
    renewal(etcd_engine& by, claim_pointer held, std::chrono::milliseconds life, kind k,
            engine::renewal_listener& told)
        : errand_under_lease(by, std::move(held), life, told), kind_(k) {}

    void start();

private:
    bool needs_move(const holding& key) const;
    void move();
    void move_under(server_lease_pointer target);
    void send_move();
    void moved(const result& r);
    void judge(holding& key, const result& r);
    void has_moved(holding& held, messages::revision at);

    void do_it() override;
    bool is_gone_with_lease() const noexcept override { return !target_; }

    const kind kind_;
    server_lease_pointer target_; ///< that the key is to be moved under
    std::uint64_t token_ = 0;     ///< that it shows then
    unsigned moves_ = 0;
    bool is_new_ = false; ///< the key was never to be moved under that one before
};

/// Gets a new fencing token for a key that is held.
class token_advance final : public engine::errand,
                            public forsaken,
                            public detail::pooled,
                            private turn::operation {
public:
    token_advance(etcd_engine& by, claim_pointer held, engine::token_listener& told);

    void start();
    void let_go() noexcept override;

private:
    void send();
    void answered(const result& r);
    void judge(holding& held, const result& r);
    void decide(engine::outcome how, std::uint64_t token, errc why = errc{}) noexcept;
    void events_came() override;

    etcd_engine& engine_;
    const claim_pointer claim_;
    engine::token_listener* told_;
    bool is_sent_ = false;
    unsigned sendings_ = 0;
    bool is_telling_ = false;
    engine::outcome outcome_{};
    std::uint64_t token_ = 0;
    errc why_{};
};

/// Removes a key. Where nobody knows what became of that it tries again, for as long as the lease that the
/// key lives under. That is kept for those who wait for the answer, for it would not be true of a key that
/// went with its lease. There are only so many under way as the admission window of releases has room for.
class release final : public joint_part, private core::admission_place, private tenant {
public:
    enum class kind : std::uint8_t {
        of_key,
        with_leader, ///< and with what its holder has proclaimed
        of_try       ///< nobody knows whether the key was written, or will be
    };
    static kind kind_for(const stand& s) noexcept {
        return s.leader.empty() ? kind::of_key : kind::with_leader;
    }

    release(etcd_engine& by, stand&& s, server_lease_pointer under, kind how, bool lost,
            turn::outcome_waiters&& told, unsigned tries = 3);

    /// It is sent: at once where there is room, or else, which is false, when there is.
    bool begins();
    /// Likewise, without waiting for room any more.
    void begin_at_once() noexcept;
    bool outlasts_connection() const noexcept override;
    std::string_view subject() const noexcept override { return where_.queue; }

private:
    void let_in() noexcept override;
    void answered(std::string_view response, core::instant sent_at) noexcept override;
    void failed(const failure& why) noexcept override;
    void over(errc how) noexcept;
    bool is_over() const noexcept;

    void lease_lives() noexcept override {}
    void lease_failed(errc) noexcept override {}
    void lease_is_lost() noexcept override {} // the answer says so

    etcd_engine& engine_;
    stand where_;
    const server_lease_pointer under_;
    const kind how_;
    const bool lost_;
    turn::outcome_waiters told_;
    core::instant asked_at_{};
    const unsigned tries_; ///< that fail for a reason that does not pass by itself
};

} // namespace redlock::etcd
