#include "engines/redis/contest/drain.hpp"

#include "engines/redis/node/cluster/hash_slot.hpp"

#include <redlock/detail/key_text.hpp>

#include <algorithm>
#include <utility>

namespace redlock::redis {

namespace {

// Where nobody tells of them.
constexpr std::chrono::milliseconds pause_without_news{100};

} // namespace

drain::drain(quorum& q, const engine::wish& granted, engine::drain_listener& listener)
    : operation(q.ready()),
      quorum_(q),
      listener_(listener),
      claim_(own(granted.claim)),
      life_(granted.life),
      ttl_(granted.ttl),
      waits_(granted.waits),
      wait_until_(granted.wait_until),
      round_(new clear_round(q, static_cast<turn::operation&>(*this), is_decided)),
      kept_since_(q.now()) {
    q.drains_under_way().push_back(*this);
}

drain::~drain() = default;

void drain::start() { ask(); }

void drain::cancel(errc why) noexcept {
    if (pending(ends)) return;
    why_ended_ = why;
    raise(ends);
}

void drain::ask() {
    forget(is_decided | may_be_free | time_passed);
    asks_ = true;
    round_->start(claim_, life_, missing_);
    await(is_decided | ends);
}

void drain::events_came() noexcept {
    timer::disarm();
    if (pending(ends)) return over(why_ended_);
    if (std::exchange(asks_, false)) return round_decided();
    if (quorum_.now() >= wait_until_) return over(errc::wait_timeout);
    ask();
}

void drain::round_decided() {
    const core::verdict found = round_->verdict();
    if (found == core::verdict::granted) {
        engine::drain_listener& listener = listener_;
        const time::instant sent_at = round_->sent_at();
        stop();
        return listener.drained(sent_at);
    }
    missing_ = round_->missing();
    const bool has_run_out = round_->sent_at() - kept_since_ >= life_;
    if (found != core::verdict::unreachable) kept_since_ = round_->sent_at();
    // From most nodes at once it does not go by itself: somebody has taken it away.
    if (missing_.size() >= core::majority(quorum_.nodes()))
        return over(has_run_out ? errc::held : errc::lease_lost);
    if (round_->is_gone()) return over(errc::held);
    const bool is_refused = found == core::verdict::refused;
    if (!waits_) {
        const round_failure more(quorum_, *round_);
        return is_refused ? over(errc::held) : over(round_->failure(), &more);
    }
    if (!is_refused && round_->failure() != errc::no_quorum) {
        const round_failure more(quorum_, *round_); // which waiting does not cure
        return over(round_->failure(), &more);
    }
    if (!is_refused) return wait(quorum_.node_timeout());
    listener_.others_read();
    const bool is_told = watch_readers();
    const core::nanoseconds end = std::min(ttl_ / 3, round_->next_end());
    wait(is_told ? end : std::min(end, core::nanoseconds(pause_without_news)));
}

// A settled round may be started anew; one that is not is left to take in the rest by itself.
void drain::wait(core::nanoseconds at_most) {
    if (!round_->settled()) {
        round_->close();
        round_.reset(new clear_round(quorum_, static_cast<turn::operation&>(*this), is_decided));
    }
    const time::instant until = std::min(core::saturating_add(quorum_.now(), at_most), wait_until_);
    quorum_.timers().arm(*this, until);
    await(may_be_free | time_passed | ends);
}

bool drain::watch_readers() {
    forget(may_be_free);
    if (watch_) {
        watch_->go_on(true);
        return true;
    }
    const auto name = name_of_readers();
    if (!name) return false;
    auto readers =
        std::make_shared<const claim>(std::string_view(), detail::key_text(*name), quorum_.new_token());
    watch_listener& listener = *this;
    watch_ = &key_watch::start(quorum_, std::move(readers), listener, {});
    return true;
}

// In a cluster it has a tag. Nothing where it has one on some nodes only.
std::optional<std::string> drain::name_of_readers() const {
    unsigned tagging = 0;
    for (const std::uint32_t index : quorum_.every_node())
        tagging += quorum_.session_of(index).tags_keys();
    if (tagging != 0 && tagging != quorum_.nodes()) return std::nullopt;
    std::string name;
    if (tagging != 0)
        redlock::node::name_beside(name, claim_->full_key, claim::readers_suffix);
    else
        name.append(claim_->full_key.view()).append(claim::readers_suffix);
    return name;
}

void drain::stop() noexcept {
    timer::disarm();
    if (watch_) std::exchange(watch_, nullptr)->close();
    round_->close();
    delete this;
}

void drain::over(errc why, const engine::failure* more) noexcept {
    engine::drain_listener& listener = listener_;
    if (more) {
        listener.not_drained(why, more);
        return stop();
    }
    stop();
    listener.not_drained(why, nullptr);
}

} // namespace redlock::redis
