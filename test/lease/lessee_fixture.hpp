#pragma once

#include "given_engine.hpp"
#include "lease/acquire/acquire.hpp"
#include "lease/held_lease.hpp"
#include "lease/lessee.hpp"

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

namespace redlock::test {

/// Calls for a lock without a client around them, on an engine and at a time that the test gives.
struct lessee_fixture : private time::time_source, private turn::turn_listener, private turn::inbox_waker {
    explicit lessee_fixture(unsigned handoff_limit = 64)
        : turns_(own<time::time_source>(), 1, own<turn::turn_listener>(), own<turn::inbox_waker>()),
          engine(turns_),
          lessee(std::make_shared<lock::lessee>(
              lock::settings{
                  .key_prefix = {}, .drift = {}, .handoff_limit = handoff_limit, .observer = nullptr},
              turns_, engine)) {
        turns_.set_work(engine);
    }
    ~lessee_fixture() { lessee->abandon(); }

    /// In a turn of its own.
    template <class Action>
    void turn(Action action) {
        turns_.begin();
        action();
        turns_.end();
    }
    void pass(core::nanoseconds time) {
        clock += time;
        turn([] {});
    }
    bool grant(core::nanoseconds ttl, core::nanoseconds sent_before = 0ns) {
        bool taken = false;
        turn([&] { taken = engine.grant(clock - sent_before, ttl); });
        return taken;
    }
    void decide(engine::outcome how) {
        turn([&] { engine.decide(how); });
    }

    time::instant clock{1h};

private:
    template <class Base>
    Base& own() noexcept {
        return *this;
    }
    time::instant now() const noexcept override { return clock; }
    void turn_began() noexcept override {}
    void turn_ended(std::optional<time::instant>) noexcept override {}
    void wake() noexcept override {}

    turn::turns turns_;

public:
    given_engine engine;
    std::shared_ptr<lock::lessee> lessee;
};

/// One that wants the key, and what it got.
struct lock_caller final : lock::acquire_listener {
    explicit lock_caller(lessee_fixture& in, const lock_options& options = {.ttl = 10s},
                         std::string_view key = "key")
        : in_(in) {
        lock::acquire_listener& listener = *this;
        claim = in.engine.claim_key("", {detail::key_text(key), options.mode}, false);
        acquire.emplace(in.lessee, claim, options, std::stop_source(std::nostopstate), listener);
        in.turn([&] { acquire->start(); });
    }
    void unlock() {
        in_.turn([&] { held->let_go(); });
        held.reset();
    }
    void granted(detail::lease_pointer granted) noexcept override { held = std::move(granted); }
    void not_granted(errc why, const engine::failure*) noexcept override { refused = why; }
    void acquire_over() noexcept override { acquire.reset(); }

    engine::claim_pointer claim;
    std::optional<lock::acquire> acquire;
    detail::lease_pointer held;
    std::optional<errc> refused;

private:
    lessee_fixture& in_;
};

} // namespace redlock::test
