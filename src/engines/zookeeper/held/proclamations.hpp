#pragma once

#include "engine/renewal.hpp"
#include "engines/zookeeper/claim.hpp"
#include "engines/zookeeper/session/call.hpp"
#include "turn/live_list.hpp"
#include "turn/operation.hpp"

#include <redlock/detail/pool.hpp>

#include <cstdint>
#include <string_view>

namespace redlock::zookeeper {

class zookeeper_engine;

/// One who waits until what a leader proclaims stands beside his key, or something later. He may let go of
/// it: what was said is said, and renewals go on with it.
class proclamation final : public engine::errand,
                           public turn::list_hook,
                           public detail::pooled,
                           private turn::operation {
public:
    proclamation(zookeeper_engine& by, claim_pointer held, engine::proclamation_listener& told);

    void let_go() noexcept override;
    /// At the end of the turn he is told.
    void decide(engine::outcome how, errc why = errc{}) noexcept;

    const claim_pointer of;
    leader_mark mark{}; ///< that is waited for

private:
    void events_came() override;

    zookeeper_engine& engine_;
    engine::proclamation_listener& told_;
    engine::outcome outcome_{};
    errc why_{};
    bool is_telling_ = false;
    bool is_let_go_ = false;
};

/// Has what leaders proclaim stand beside their keys, of each with one request at a time.
class proclamations {
public:
    explicit proclamations(zookeeper_engine& of) noexcept : engine_(of) {}

    engine::errand_pointer<> add(claim_pointer held, std::uint64_t term, std::string_view value,
                                 engine::proclamation_listener& told);
    /// Behind a renewal: what is proclaimed is to stand there still.
    void again(const claim_pointer& of);
    /// It goes with the key.
    void given_back(const claim& of) noexcept { decide_all(of, engine::outcome::gone); }

private:
    void go_on(const claim_pointer& of);
    void send(const claim_pointer& of, statement::action what);
    void look(const claim_pointer& of);
    void was_answered(const claim_pointer& of, const reply& r);
    void confirm(const claim& of) noexcept;
    void decide_all(const claim& of, engine::outcome how, errc why = errc{}) noexcept;

    zookeeper_engine& engine_;
    turn::live_list<proclamation> waiting_;
};

} // namespace redlock::zookeeper
