#include "engines/redis/watch/key_watch.hpp"

#include "core/validity.hpp"
#include "engines/redis/dialect/numbers.hpp"
#include "engines/redis/watch/watches.hpp"

#include <algorithm>
#include <utility>

namespace redlock::redis {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds first_pause{1};

// How long news are relied on without a look. They do not get lost on a connection that stands, but somebody
// may have flushed a node, which tells nobody.
core::nanoseconds recheck_after(core::nanoseconds node_timeout) noexcept {
    return std::max<core::nanoseconds>(20 * node_timeout, std::chrono::seconds(1));
}

} // namespace

key_watch::key_watch(quorum& r, std::shared_ptr<const claim> c, watch_listener& listener)
    : quorum_(r),
      claim_(std::move(c)),
      listener_(&listener),
      sight_(r.nodes()),
      // A key that became free untold is noticed within a node timeout.
      backoff_(first_pause,
               std::clamp<core::nanoseconds>(r.settings().node_timeout, first_pause, longest_pause)),
      vain_pause_(backoff_) {}

key_watch& key_watch::start(quorum& r, std::shared_ptr<const claim> c, watch_listener& listener,
                            core::node_set ours) {
    auto* self = new key_watch(r, std::move(c), listener);
    r.watched().push_back(*self);
    r.key_watches().add(*self);
    for (const std::uint32_t index : ours)
        self->sight_.ours(index);
    const time::instant now = r.now();
    self->wanted_ = true;
    self->probe_at_ = now + self->backoff_.next(r.random());
    self->choose_arbiter();
    if (self->crowd_ && self->arbiter_ && ours.empty() && r.session_of(*self->arbiter_).tells()) {
        self->look_at_ = now + r.random().between(r.settings().node_timeout / 2, r.settings().node_timeout);
        self->listen(*self->arbiter_);
    } else {
        self->listen_and_look_everywhere();
    }
    self->plan();
    return *self;
}

void key_watch::listen_and_look_everywhere() {
    look_at_ = quorum_.now() + recheck_after(quorum_.settings().node_timeout);
    for (std::uint32_t index = 0; index < quorum_.nodes(); ++index) {
        if (listens_everywhere_ || subscribed_.has(index))
            look(index);
        else
            listen(index);
    }
    listens_everywhere_ = true;
}

void key_watch::listen(std::uint32_t index) {
    session& s = quorum_.session_of(index);
    // Here already: where the subscription goes over another connection, the look comes later or never.
    sight_.set_absent(index, !s.is_ready());
    if (s.wakeup() == wakeup::automatic) quorum_.key_watches().find_out(index);
    if (s.wakeup() == wakeup::keyspace_events) {
        encoding bytes(quorum_.batch());
        if (arbiter_ == index && !ahead_ && !s.listens_apart())
            sent(s.count_listeners(claim_->full_key, back(index, counting), bytes));
        bytes.begin();
        const bool on_its_way = sent(s.subscribe(claim_->full_key, back(index, subscribing), bytes));
        sight_.set_told(index, on_its_way);
        if (on_its_way) subscribed_.add(index);
        // Over two connections nothing is certain before the subscription stands.
        if (on_its_way && s.listens_apart()) return;
    }
    // Behind it on the same connection: what happens after this look is told.
    look(index);
}

void key_watch::look(std::uint32_t index) {
    session& s = quorum_.session_of(index);
    sight_.set_absent(index, !s.is_ready());
    if (s.listens_apart() && looking_.has(index)) {
        changed_since_.add(index); // again, when the answer is there
        return;
    }
    encoding bytes(quorum_.batch());
    if (s.wakeup() == wakeup::client_tracking) sent(s.track_next(back(index, arming), bytes));
    bytes.begin();
    const bool on_its_way = sent(s.remaining_life(claim_->full_key, back(index, looking), bytes));
    if (on_its_way) looking_.add(index);
    changed_since_.remove(index);
    if (s.wakeup() == wakeup::client_tracking) sight_.set_told(index, on_its_way);
}

void key_watch::changed(std::uint32_t index, key_change::kind what) {
    if (looking_.has(index)) changed_since_.add(index);
    switch (what) {
    case key_change::kind::gone:
        if (arbiter_ == index) arbiter_came_free();
        sight_.free(index);
        break;
    case key_change::kind::written:
    case key_change::kind::dated:
        if (sight_.is_ours(index)) break; // by us; another would have found it taken
        if (what == key_change::kind::written) sight_.taken(index);
        // Nobody knows for how long now, and a holder that dies may be all that is told of it for a while. A
        // lease that was handed on to a caller with a shorter ttl runs out sooner than was seen before.
        look_at_ = std::min(look_at_, quorum_.now() + quorum_.settings().node_timeout);
        break;
    case key_change::kind::changed:
        // Most often it was deleted. If it was only prolonged, a try in vain does no harm, and the look after
        // it makes the server tell again, which it does once.
        sight_.free(index);
        sight_.set_told(index, false);
        break;
    }
    plan();
}

void key_watch::deafened(std::uint32_t index) {
    sight_.set_told(index, false);
    plan();
}

void key_watch::node_down(std::uint32_t index) {
    sight_.set_told(index, false);
    sight_.set_absent(index, true);
    plan();
}

bool key_watch::sent(errc refusal) noexcept {
    outstanding_ += refusal == errc{};
    return refusal == errc{};
}

addressee key_watch::back(std::uint32_t index, kind k) noexcept {
    return {.receiver = this, .tag = k << 8 | index, .deadline = quorum_.deadline()};
}

void key_watch::on_reply(std::uint32_t tag, const resp::reply& reply) noexcept {
    const std::uint32_t index = tag & 0xff;
    --outstanding_;
    switch (static_cast<kind>(tag >> 8)) {
    case counting:
        count(reply);
        break;
    case arming:
        if (reply.is(resp::kind::error)) sight_.set_told(index, false);
        break;
    case subscribing:
        if (reply.is(resp::kind::error) || !is_for_this(reply)) sight_.set_told(index, false);
        if (quorum_.session_of(index).listens_apart() && listener_) look(index);
        break;
    case looking:
        looked(index, reply);
        break;
    }
    plan();
    end_if_settled();
}

bool key_watch::is_for_this(const resp::reply& confirmation) const noexcept {
    return confirmation.first().next().text().ends_with(claim_->full_key);
}

void key_watch::count(const resp::reply& reply) {
    const auto counted = count_in(reply);
    if (!counted) return;
    const unsigned listening = std::min(*counted, 1000u);
    // Asked again, this contender is one of them, and others may have come behind it.
    ahead_ = ahead_ ? std::min(*ahead_, std::max(listening, 1u) - 1) : listening;
}

// Some may have gone meanwhile; and a holder who went on working without a pause took the key long before it
// could say that it stops listening.
void key_watch::count_those_ahead() {
    if (std::exchange(counted_again_, true) || crowd_ || ahead_.value_or(0) == 0 || !arbiter_) return;
    session& s = quorum_.session_of(*arbiter_);
    encoding bytes(quorum_.batch());
    if (subscribed_.has(*arbiter_) && !s.listens_apart())
        sent(s.count_listeners(claim_->full_key, back(*arbiter_, counting), bytes));
}

void key_watch::looked(std::uint32_t index, const resp::reply& reply) {
    looking_.remove(index);
    if (!reply.is(resp::kind::integer)) return;
    if (changed_since_.has(index) && quorum_.session_of(index).listens_apart() && listener_)
        return look(index);
    const milliseconds left = life_in(reply);
    if (left == milliseconds(-2)) return sight_.free(index);
    is_held(index, left);
    if (sight_.is_ours(index)) return;
    if (left < milliseconds::zero()) return sight_.taken(index);
    // Redis rounds down, and a key still exists in its last millisecond.
    const core::nanoseconds at_latest = core::saturating_nanoseconds(left + milliseconds(2));
    sight_.taken_until(index, core::saturating_add(quorum_.now(), at_latest));
}

void key_watch::on_failure(std::uint32_t tag, errc) noexcept {
    const std::uint32_t index = tag & 0xff;
    --outstanding_;
    if (tag >> 8 == looking) looking_.remove(index);
    // Where looking is what makes the server tell.
    if (tag >> 8 == subscribing || quorum_.session_of(index).wakeup() == wakeup::client_tracking)
        sight_.set_told(index, false);
    plan();
    end_if_settled();
}

void key_watch::close() noexcept {
    quorum_.key_watches().remove(*this);
    forget_listener();
    encoding bytes(quorum_.batch());
    for (const std::uint32_t index : subscribed_)
        unsubscribe(index, bytes);
    end_if_settled();
}

void key_watch::unsubscribe(std::uint32_t index, encoding& bytes) noexcept {
    subscribed_.remove(index);
    quorum_.session_of(index).unsubscribe(
        claim_->full_key, {.receiver = nullptr, .tag = 0, .deadline = quorum_.deadline(), .cleanup = true},
        bytes);
}

void key_watch::forget_listener() noexcept {
    listener_ = nullptr;
    wanted_ = false;
    disarm();
}

void key_watch::end_if_settled() noexcept {
    if (!listener_ && outstanding_ == 0) delete this;
}

} // namespace redlock::redis
