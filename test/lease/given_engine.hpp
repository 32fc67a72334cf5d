#pragma once

#include "engine/engine.hpp"

#include <boost/test/unit_test.hpp>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace redlock::test {

using namespace std::chrono_literals;

/// An engine that grants what the test says, and asks nobody.
class given_engine final : public engine::engine {
public:
    struct claim final : redlock::engine::claim {
        claim(std::string_view prefix, redlock::engine::key_name&& key)
            : redlock::engine::claim(prefix, std::move(key)) {}
    };
    struct contest final : redlock::engine::contest {
        void start() override {}
        void cancel(errc why) noexcept override {
            cancelled = why;
            if (!lingers) end();
        }
        /// What was cancelled is over.
        void end() {
            listener->not_granted(cancelled.value(), nullptr);
            listener->contest_over();
        }
        redlock::engine::wish wanted;
        redlock::engine::contest_listener* listener = nullptr;
        std::optional<errc> cancelled{};
        bool lingers = false; ///< waits for `end` when it is cancelled
    };
    struct draining final : redlock::engine::contest {
        void start() override { is_started = true; }
        void cancel(errc why) noexcept override { listener->not_drained(why, nullptr); }
        redlock::engine::wish wanted;
        redlock::engine::drain_listener* listener = nullptr;
        bool is_started = false;
    };
    struct renewal final : redlock::engine::errand {
        void let_go() noexcept override { listener = nullptr; }
        std::chrono::milliseconds life{};
        core::instant sent_at;
        redlock::engine::renewal_listener* listener = nullptr; ///< until it is let go of
    };

    explicit given_engine(turn::turns& t) : turns_(t) {}

    /// The last that was asked for. False when the key is given back at once.
    bool grant(core::instant sent_at, core::nanoseconds ttl) {
        contest& last = *contests.back();
        if (!last.listener->takes({.claim = last.wanted.claim,
                                   .sent_at = sent_at,
                                   .ttl = ttl,
                                   .fencing_token = 0,
                                   .had_to_wait = true}))
            return false;
        last.listener->contest_over();
        return true;
    }
    void decide(redlock::engine::outcome how) {
        renewal& last = *renewals.back();
        BOOST_REQUIRE(last.listener);
        last.listener->renewal_decided(how, last.sent_at, errc::node_timeout, nullptr);
    }
    const redlock::engine::claim* holder_of(std::string_view full_key) const {
        return holders_->holder_of(full_key);
    }
    bool has_left(std::string_view full_key,
                  const std::function<bool(const redlock::engine::claim&)>& is_it) const {
        return holders_->has_left(full_key, is_it);
    }

    std::vector<std::unique_ptr<contest>> contests;
    std::vector<std::unique_ptr<draining>> drains;
    std::vector<std::unique_ptr<renewal>> renewals;
    std::vector<redlock::engine::claim_pointer> released;
    core::instant keys_end{};   ///< of the last of those, as it was told
    unsigned claimed_again = 0; ///< by callers who keep their place
    bool is_closing = false;
    bool wants_token = false;                        ///< whoever claimed a key last
    bool undrained = false;                          ///< what it grants for writing
    const redlock::engine::claim* longest = nullptr; ///< nobody has waited for longer than this one

    void set_holders(const redlock::engine::holders& h) noexcept override { holders_ = &h; }
    redlock::engine::claim_pointer claim_key(std::string_view prefix, redlock::engine::key_name&& key,
                                             bool fencing) override {
        wants_token = fencing;
        return std::make_shared<const claim>(prefix, std::move(key));
    }
    redlock::engine::claim_pointer claim_again(const redlock::engine::claim& before, std::string_view prefix,
                                               bool fencing) override {
        ++claimed_again;
        return engine::claim_again(before, prefix, fencing);
    }
    bool grants_undrained() const noexcept override { return undrained; }
    redlock::engine::contest& drain(const redlock::engine::wish& granted,
                                    redlock::engine::drain_listener& listener) override {
        drains.push_back(std::make_unique<draining>());
        drains.back()->wanted = granted;
        drains.back()->listener = &listener;
        return *drains.back();
    }
    redlock::engine::contest& contend(redlock::engine::wish&& w,
                                      redlock::engine::contest_listener& listener) override {
        contests.push_back(std::make_unique<contest>());
        contests.back()->wanted = std::move(w);
        contests.back()->listener = &listener;
        return *contests.back();
    }
    redlock::engine::errand_pointer<> renew(redlock::engine::claim_pointer, std::chrono::milliseconds life,
                                            std::uint64_t,
                                            redlock::engine::renewal_listener& listener) override {
        renewals.push_back(std::make_unique<renewal>());
        renewals.back()->life = life;
        renewals.back()->sent_at = turns_.now();
        renewals.back()->listener = &listener;
        return redlock::engine::errand_pointer<>(renewals.back().get());
    }
    bool downgrades() const noexcept override { return true; }
    redlock::engine::errand_pointer<> downgrade(redlock::engine::claim_pointer held,
                                                redlock::engine::claim_pointer,
                                                std::chrono::milliseconds life,
                                                redlock::engine::renewal_listener& listener) override {
        return renew(std::move(held), life, 0, listener);
    }
    void release(redlock::engine::claim_pointer held, core::instant end, turn::outcome_waiters&& told,
                 bool) override {
        turn::answer(told, turn::success);
        released.push_back(std::move(held));
        keys_end = end;
    }
    bool others_waited_longer(const redlock::engine::claim&,
                              const redlock::engine::claim& next) const noexcept override {
        return longest && &next != longest;
    }

    // What no test asks for.
    redlock::engine::errand_pointer<> advance_token(const redlock::engine::claim_pointer&,
                                                    redlock::engine::token_listener&) override {
        return {};
    }
    void look_for_others(redlock::engine::claim_pointer, redlock::engine::others_listener&) override {}
    redlock::engine::question_pointer
    check(std::string, std::uint64_t,
          redlock::engine::answer_listener<redlock::engine::no_report>&) override {
        return {};
    }
    redlock::engine::question_pointer inspect(std::string,
                                              redlock::engine::answer_listener<key_report>&) override {
        return {};
    }
    redlock::engine::question_pointer remove(key_report,
                                             redlock::engine::answer_listener<break_report>&) override {
        return {};
    }
    redlock::engine::question_pointer
    examine(redlock::engine::answer_listener<std::vector<node_examination>>&) override {
        return {};
    }
    void start() override {}
    void begin_closing() noexcept override { is_closing = true; }
    void before_routines() noexcept override {}
    bool send_what_waits(bool) noexcept override { return false; }
    void after_routines() noexcept override {}
    bool has_unwritten() const noexcept override { return false; }
    bool is_busy() const noexcept override { return false; }
    void flush() noexcept override {}
    bool quiet() const noexcept override { return true; }
    void stop(std::function<void()> ended) override { ended(); }
    void disconnect() noexcept override {}
    void abandon() noexcept override {}
    void report(metrics_snapshot&) const override {}

private:
    turn::turns& turns_;
    const redlock::engine::holders* holders_ = nullptr;
};

} // namespace redlock::test
