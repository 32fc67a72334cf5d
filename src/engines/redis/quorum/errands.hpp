#pragma once

#include "engine/renewal.hpp"
#include "engines/redis/quorum/claim.hpp"
#include "engines/redis/rounds/downgrade_round.hpp"
#include "engines/redis/rounds/fence_round.hpp"
#include "engines/redis/rounds/proclaim_round.hpp"
#include "engines/redis/rounds/renew_round.hpp"
#include "engines/redis/rounds/round_failure.hpp"
#include "turn/operation.hpp"

#include <redlock/detail/pool.hpp>

#include <chrono>
#include <cstdint>
#include <string>

namespace redlock::redis {

/// One renewal of a lease, from the sending to the verdict. It exists for that time only: for a lease that is
/// merely held there is nothing here.
class renewal final : public engine::errand, private turn::operation, public detail::pooled {
public:
    renewal(quorum& q, engine::renewal_listener& listener);
    void start(claim_pointer held, std::chrono::milliseconds life, std::uint64_t fencing_token);
    void let_go() noexcept override { delete this; }

private:
    ~renewal() = default;
    void events_came() noexcept override;

    engine::renewal_listener& listener_;
    detachable_round::pointer<renew_round> round_;
    const round_failure failure_; ///< should it fail
};

/// What is ours for writing on its way to be read.
class downgrade final : public engine::errand, private turn::operation, public detail::pooled {
public:
    downgrade(quorum& q, engine::renewal_listener& listener);
    void start(claim_pointer held, claim_pointer reading, std::chrono::milliseconds life);
    void let_go() noexcept override { delete this; }

private:
    ~downgrade() = default;
    void events_came() noexcept override;

    quorum& quorum_;
    engine::renewal_listener& listener_;
    claim_pointer held_;
    detachable_round::pointer<downgrade_round> round_;
    const round_failure failure_; ///< should it fail
};

/// What a leader proclaims, from the sending to the verdict.
class proclamation final : public engine::errand, private turn::operation, public detail::pooled {
public:
    proclamation(quorum& q, engine::proclamation_listener& listener);
    /// Of a claim that leads.
    void start(const claim_pointer& held, std::uint64_t term, std::string&& value);
    void let_go() noexcept override { delete this; }

private:
    ~proclamation() = default;
    void events_came() noexcept override;

    engine::proclamation_listener& listener_;
    detachable_round::pointer<proclaim_round> round_;
    const round_failure failure_; ///< should it fail
};

/// A new fencing token for a key that is ours.
class token_advance final : public engine::errand, private turn::operation, public detail::pooled {
public:
    token_advance(quorum& q, engine::claim_pointer held, engine::token_listener& listener);
    void start();
    void let_go() noexcept override { delete this; }

private:
    ~token_advance() = default;
    void events_came() noexcept override;

    const engine::claim_pointer held_; ///< it is sent with those of others, which may be later
    engine::token_listener& listener_;
    detachable_round::pointer<fence_round> round_;
    const round_failure failure_; ///< should it fail
};

} // namespace redlock::redis
