#pragma once

#include "engines/pair/joint_acquisition.hpp"
#include "engines/pair/joint_outcome.hpp"
#include "pair_world.hpp"

#include <memory>

namespace redlock::test {

/// A client that takes the key of both services again and again, by the rules of the double lock.
class pair_contender {
public:
    pair_contender(pair_world& w, int number, nanoseconds ttl) : world_(w), number_(number), ttl_(ttl) {
        world_.after(world_.between(0ms, 50ms), [this] { begin(); });
    }
    pair_contender(const pair_contender&) = delete;
    pair_contender& operator=(const pair_contender&) = delete;

    /// Nothing of it happens any more.
    void die() { is_dead_ = true; }
    bool is_dead() const { return is_dead_; }
    /// It takes nothing more.
    void retire() { is_retired_ = true; }
    static int number_in(std::uint64_t token) { return static_cast<int>(token >> 32); }

private:
    using action = pair::joint_acquisition::action;
    using step = pair::joint_acquisition::step;

    /// One question to one service, which is answered once at most.
    struct request {
        std::uint64_t token;
        bool is_over = false;
    };
    using request_pointer = std::shared_ptr<request>;

    std::uint64_t new_token() { return (std::uint64_t(number_) << 32) | ++tokens_; }
    void later(nanoseconds time, std::function<void()> what) {
        world_.after(time, [this, what = std::move(what)] {
            if (!is_dead_) what();
        });
    }

    void begin() {
        if (is_dead_ || is_retired_) return;
        const bool waits = world_.chance(0.8);
        waits_ = waits;
        const instant until = world_.now + world_.between(ttl_ / 2, std::min<nanoseconds>(4 * ttl_, 2s));
        rule_.emplace(waits, until);
        wait_until_ = until;
        if (world_.chance(0.1))
            later(world_.between(0ms, 60ms), [this, asked = tries_] {
                if (asked == tries_ && rule_ && !holds_) perform(rule_->called_off(errc{}));
            });
        perform(rule_->start());
    }

    void perform(const step& s) {
        if (s.gives_back_first && world_.planted != flaw::first_kept) give_back(0, token_[0]);
        switch (s.what) {
        case action::ask_first:
            return ask(0, wait_until_);
        case action::ask_second:
            return ask(1, s.until);
        case action::withdraw_second:
            return withdraw();
        case action::pause:
            return later(s.until - world_.now, [this, asked = tries_] {
                if (asked == tries_ && rule_) perform(rule_->time_passed(world_.now));
            });
        case action::take:
            return hold();
        case action::end:
            rule_.reset();
            ++tries_;
            return later(world_.between(1ms, 30ms), [this] { begin(); });
        }
    }

    void ask(unsigned side, instant until) {
        ++tries_;
        side_ = side;
        ask_until_ = until;
        was_held_ = false;
        is_withdrawn_ = false;
        try_once();
    }

    void try_once() {
        const auto r = std::make_shared<request>(request{.token = new_token()});
        asked_ = r;
        const unsigned side = side_;
        const instant sent = world_.now;
        world_.call(
            number_, side,
            [w = &world_, t = r->token, ttl = ttl_](model_service& s) {
                return model_answer{s.acquire(t, ttl, w->now), s.fence};
            },
            [this, r, sent](model_answer a) {
                if (!is_dead_ && !std::exchange(r->is_over, true)) answered(*r, sent, a);
            });
        later(30ms, [this, r] {
            if (std::exchange(r->is_over, true)) return;
            if (world_.planted != flaw::late_success_kept) give_back(side_of(r->token), r->token);
            if (r == asked_) failed();
        });
        sides_[r->token] = side;
    }
    unsigned side_of(std::uint64_t token) { return sides_.at(token); }

    void answered(const request& r, instant sent, model_answer a) {
        if (!a.yes) return refused();
        token_[side_] = r.token;
        const pair::promise given{.sent_at = sent, .ttl = ttl_};
        fence_[side_] = a.fence;
        sent_[side_] = sent;
        if (side_ == 0) return perform(rule_->first_granted(given));
        if (!rule_->wants_second()) {
            give_back(1, r.token);
            return perform(rule_->second_refused(errc::no_quorum, world_.now, world_.draws));
        }
        perform(rule_->second_granted(given));
    }

    void refused() {
        if (side_ == 1 && !was_held_) {
            rule_->second_is_held();
            ++world_.waits_at_second;
        }
        was_held_ = true;
        if (!waits_) return tell_refusal(errc::held);
        if (world_.now >= ask_until_) return tell_refusal(errc::wait_timeout);
        later(world_.between(1ms, 6ms), [this, asked = tries_] {
            if (asked == tries_ && !is_withdrawn_) try_once();
        });
    }
    void failed() {
        if (is_withdrawn_) return;
        if (was_held_ && waits_ && world_.now < ask_until_) return try_once();
        tell_refusal(errc::no_quorum);
    }
    void tell_refusal(errc why) {
        perform(side_ == 0 ? rule_->first_refused(why, world_.now, world_.draws)
                           : rule_->second_refused(why, world_.now, world_.draws));
    }
    // What is under way is given back behind it.
    void withdraw() {
        is_withdrawn_ = true;
        if (asked_ && !std::exchange(asked_->is_over, true)) give_back(side_, asked_->token);
        later(0ms, [this] { tell_refusal(errc{}); });
    }

    void give_back(unsigned side, std::uint64_t token, std::function<void()> then = {}) {
        release_until(side, token, world_.now + ttl_, std::make_shared<bool>(false), std::move(then));
    }
    void release_until(unsigned side, std::uint64_t token, instant end, const std::shared_ptr<bool>& is_done,
                       const std::function<void()>& then) {
        world_.call(
            number_, side,
            [token](model_service& s) {
                s.release(token);
                return model_answer{true, 0};
            },
            [this, is_done, then](model_answer) {
                if (!std::exchange(*is_done, true) && then && !is_dead_) then();
            });
        later(40ms, [=, this] {
            if (!*is_done && world_.now < end) release_until(side, token, end, is_done, then);
        });
    }

    // The lease.
    struct held_lease {
        instant valid_until;
        bool is_over = false;
    };

    nanoseconds drift() const { return 2ms; }
    instant end_of(instant sent) const { return sent + ttl_ - drift(); }

    void hold() {
        ++tries_;
        const bool wrong = world_.planted == flaw::larger_validity;
        const instant sent = wrong ? std::max(sent_[0], sent_[1]) : rule_->granted().sent_at;
        rule_.reset();
        const auto lease = std::make_shared<held_lease>(held_lease{.valid_until = end_of(sent)});
        holds_ = lease;
        const bool renews = world_.chance(0.5);
        // Too late to be of use.
        if (lease->valid_until <= world_.now) return end(lease);
        const unsigned of = world_.planted == flaw::token_of_first ? 0 : 1;
        world_.granted(fence_[of],
                       [w = &world_, lease] { return !lease->is_over && lease->valid_until > w->now; });
        if (renews) later(ttl_ / 3, [this, lease] { renew(lease); });
        const nanoseconds use = world_.between(1ms, std::min<nanoseconds>(renews ? 3 * ttl_ : ttl_, 500ms));
        later(use, [this, lease] { end(lease); });
    }

    void renew(const std::shared_ptr<held_lease>& lease) {
        if (lease->is_over || lease->valid_until <= world_.now) return;
        struct renewal {
            pair::joint_outcome outcome;
            bool answered[2] = {false, false};
            int confirmed = 0, gone = 0;
        };
        const auto r = std::make_shared<renewal>();
        const instant sent = world_.now;
        const auto take = [this, lease, r, sent](unsigned side, engine::outcome said) {
            if (std::exchange(r->answered[side], true)) return;
            const bool was_open = !r->outcome.decided();
            r->outcome.answered(side == 0 ? pair::place::first : pair::place::second, said, sent,
                                said == engine::outcome::inconclusive ? errc::no_quorum : errc{});
            r->confirmed += said == engine::outcome::confirmed;
            r->gone += said == engine::outcome::gone;
            const bool both = r->answered[0] && r->answered[1];
            const bool planted_here =
                world_.planted == flaw::lost_only_when_both || world_.planted == flaw::confirmed_by_either;
            if (planted_here ? both : was_open && r->outcome.decided())
                renewed(lease, sent, verdict_of(r->outcome, r->confirmed, r->gone));
        };
        for (unsigned side : {0u, 1u}) {
            world_.call(
                number_, side,
                [w = &world_, t = token_[side], ttl = ttl_](model_service& s) {
                    return model_answer{s.renew(t, ttl, w->now), 0};
                },
                [this, take, side](model_answer a) {
                    if (!is_dead_) take(side, a.yes ? engine::outcome::confirmed : engine::outcome::gone);
                });
            later(30ms, [take, side] { take(side, engine::outcome::inconclusive); });
        }
    }

    engine::outcome verdict_of(const pair::joint_outcome& joint, int confirmed, int gone) const {
        if (world_.planted == flaw::lost_only_when_both)
            return gone == 2        ? engine::outcome::gone
                   : confirmed >= 1 ? engine::outcome::confirmed
                                    : engine::outcome::inconclusive;
        if (world_.planted == flaw::confirmed_by_either && gone == 0 && confirmed > 0)
            return engine::outcome::confirmed;
        return *joint.decided();
    }

    void renewed(const std::shared_ptr<held_lease>& lease, instant sent, engine::outcome how) {
        if (lease->is_over) return;
        if (how == engine::outcome::gone) return end(lease);
        if (how == engine::outcome::confirmed)
            lease->valid_until = std::max(lease->valid_until, end_of(sent));
        later(how == engine::outcome::confirmed ? ttl_ / 3 : nanoseconds(5ms),
              [this, lease] { renew(lease); });
    }

    void end(const std::shared_ptr<held_lease>& lease) {
        if (std::exchange(lease->is_over, true)) return;
        holds_.reset();
        const unsigned before = world_.planted == flaw::released_first_first ? 0 : 1;
        const unsigned behind = 1 - before;
        // What is behind goes when the other has answered, or nobody knows.
        const auto next = std::make_shared<bool>(false);
        const auto go_on = [this, behind, next, token = token_[behind]] {
            if (!std::exchange(*next, true)) give_back(behind, token);
        };
        give_back(before, token_[before], go_on);
        later(30ms, go_on);
        later(world_.between(1ms, 30ms), [this] { begin(); });
    }

    pair_world& world_;
    const int number_;
    const nanoseconds ttl_;
    std::optional<pair::joint_acquisition> rule_;
    std::map<std::uint64_t, unsigned> sides_;
    request_pointer asked_;
    std::shared_ptr<held_lease> holds_;
    std::uint64_t tokens_ = 0, token_[2] = {}, fence_[2] = {};
    instant sent_[2] = {}, wait_until_{}, ask_until_{};
    unsigned side_ = 0;
    unsigned tries_ = 0; ///< contests so far: what was meant for an earlier one is passed over
    bool waits_ = false, was_held_ = false, is_withdrawn_ = false;
    bool is_dead_ = false, is_retired_ = false;
};

} // namespace redlock::test
