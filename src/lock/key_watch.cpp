#include "lock/key_watch.hpp"

#include "lock/watches.hpp"

#include <algorithm>
#include <utility>

namespace redlock::lock {

namespace {

using std::chrono::milliseconds;

// Between two tries while changes may go untold: short enough to be soon there, long enough not to be a
// flood.
constexpr milliseconds first_pause{1};
constexpr core::nanoseconds longest_pause = milliseconds(100);

constexpr std::uint64_t bit(std::uint32_t index) noexcept { return std::uint64_t{1} << index; }

} // namespace

key_watch::key_watch(runtime& r, std::shared_ptr<const claim> c, watch_listener& listener)
    : runtime_(r),
      claim_(std::move(c)),
      listener_(&listener),
      sight_(r.nodes()),
      // A key that became free untold is noticed within a node timeout.
      backoff_(first_pause,
               std::clamp<core::nanoseconds>(r.settings().node_timeout, first_pause, longest_pause)) {}

key_watch& key_watch::start(runtime& r, std::shared_ptr<const claim> c, watch_listener& listener,
                            std::uint64_t ours) {
    auto* self = new key_watch(r, std::move(c), listener);
    r.watched().push_back(*self);
    r.key_watches().add(*self);
    for (std::uint32_t index = 0; index < r.nodes(); ++index)
        if (ours & bit(index)) self->sight_.ours(index);
    const time::instant now = r.now();
    self->wanted_ = true;
    self->probe_at_ = now + self->backoff_.next(r.random());
    self->choose_arbiter();
    if (self->crowd_ && self->arbiter_ && ours == 0 && r.session_of(*self->arbiter_).tells()) {
        self->look_at_ = now + r.random().between(r.settings().node_timeout / 2, r.settings().node_timeout);
        self->listen(*self->arbiter_);
    } else {
        self->listen_and_look_everywhere();
    }
    self->plan();
    return *self;
}

void key_watch::listen_and_look_everywhere() {
    look_at_ = time::instant::max();
    for (std::uint32_t index = 0; index < runtime_.nodes(); ++index) {
        sight_.set_absent(index, !runtime_.session_of(index).is_ready());
        if (listens_everywhere_ || subscribed_ & bit(index))
            look(index);
        else
            listen(index);
    }
    listens_everywhere_ = true;
}

void key_watch::listen(std::uint32_t index) {
    session& s = runtime_.session_of(index);
    if (s.wakeup() == wakeup::keyspace_events) {
        encoding bytes;
        if (arbiter_ == index && !ahead_)
            sent(s.count_listeners(claim_->full_key, back(index, counting), bytes));
        bytes.begin();
        const bool on_its_way = sent(s.subscribe(claim_->full_key, back(index, subscribing), bytes));
        sight_.set_told(index, on_its_way);
        if (on_its_way) subscribed_ |= bit(index);
    }
    // Behind it on the same connection: what happens after this look is told.
    look(index);
}

void key_watch::look(std::uint32_t index) {
    session& s = runtime_.session_of(index);
    sight_.set_absent(index, !s.is_ready());
    encoding bytes;
    if (s.wakeup() == wakeup::client_tracking) sent(s.track_next(back(index, arming), bytes));
    bytes.begin();
    const bool on_its_way = sent(s.remaining_life(claim_->full_key, back(index, looking), bytes));
    if (s.wakeup() == wakeup::client_tracking) sight_.set_told(index, on_its_way);
}

void key_watch::go_on(bool keeps_votes) {
    const time::instant now = runtime_.now();
    const core::nanoseconds patience = runtime_.settings().node_timeout;
    wanted_ = true;
    losses_ += chance_at_ != time::instant::max();
    chance_at_ = time::instant::max();
    probe_at_ = now + backoff_.next(runtime_.random());
    look_at_ = time::instant::max();
    choose_arbiter();
    if (has_chance()) return plan();
    // Who has it now, and for how long? Where changes are told that can wait: most often it is over before.
    if (is_narrow() ? !keeps_votes : sight_.change_will_be_told())
        look_at_ = now + runtime_.random().between(patience / 2, patience);
    else
        listen_and_look_everywhere();
    plan();
}

void key_watch::choose_arbiter() {
    crowd_ = runtime_.contests().is_crowded(claim_->full_key, runtime_.now());
    if (arbiter_ && runtime_.session_of(*arbiter_).is_ready()) return;
    arbiter_.reset();
    std::uint64_t highest = 0;
    for (std::uint32_t index = 0; index < runtime_.nodes(); ++index) {
        const session& s = runtime_.session_of(index);
        const std::uint64_t rank = core::arbitration_rank(claim_->full_key, s.identity());
        if (!s.is_ready() || (arbiter_ && rank < highest)) continue;
        arbiter_ = index;
        highest = rank;
    }
}

// Not for the one whose turn it is: it gets all nodes at once. The others come later, and only in case.
std::optional<std::uint32_t> key_watch::first_to_ask() const noexcept {
    return (crowd_ || ahead_.value_or(0) > 0) && arbiter_ && sight_.is_free(*arbiter_) ? arbiter_
                                                                                       : std::nullopt;
}

bool key_watch::waits_for_arbiter() const noexcept {
    return crowd_ && arbiter_ && !sight_.is_free(*arbiter_) && !sight_.is_ours(*arbiter_) &&
           runtime_.session_of(*arbiter_).is_ready();
}

bool key_watch::has_chance() const noexcept {
    return (crowd_ && arbiter_ && sight_.is_free(*arbiter_)) || sight_.free_on_majority();
}

// Known to be free: at once, unless it is polite, or wiser, to wait a moment.
time::instant key_watch::next_try() const {
    const core::nanoseconds longest = runtime_.settings().node_timeout / 8;
    // The news of the arbiter are on their way, unless it was left alone with the key of a contender that
    // died.
    if (waits_for_arbiter()) return chance_at_ + longest;
    // Time for each of those that came before to take the key. All of them may be gone, so this is no queue.
    return chance_at_ + std::min(ahead_.value_or(0) * (4 * runtime_.round_trip()), longest);
}

time::instant key_watch::next_look() const {
    if (is_narrow()) return std::min(sight_.until(*arbiter_), look_at_);
    return std::min(sight_.free_by(), sight_.change_will_be_told() ? look_at_ : probe_at_);
}

void key_watch::plan() {
    if (!wanted_) return;
    if (is_narrow() && !sight_.told(*arbiter_)) listen_and_look_everywhere();
    if (!has_chance()) {
        chance_at_ = time::instant::max();
        return runtime_.timers().arm(*this, next_look());
    }
    const time::instant now = runtime_.now();
    if (chance_at_ == time::instant::max()) chance_at_ = now;
    if (const time::instant at = next_try(); at > now)
        runtime_.timers().arm(*this, at);
    else
        tell();
}

void key_watch::expired(time::instant now) noexcept {
    if (has_chance()) return plan();
    if (is_narrow() && sight_.until(*arbiter_) <= now) {
        sight_.free(*arbiter_); // asking for it makes it run out
    } else if (look_at_ <= now && (is_narrow() || sight_.free_by() > now)) {
        listen_and_look_everywhere();
    } else {
        return tell();
    }
    plan();
}

void key_watch::tell() noexcept {
    disarm();
    if (std::exchange(wanted_, false) && listener_) listener_->key_may_be_free();
}

// Each time one of those goes that came before.
void key_watch::arbiter_came_free() noexcept {
    if (std::exchange(had_chance_, true) && ahead_.value_or(0) > 0) --*ahead_;
}

void key_watch::changed(std::uint32_t index, key_change::kind what) {
    switch (what) {
    case key_change::kind::gone:
        if (arbiter_ == index) arbiter_came_free();
        sight_.free(index);
        break;
    case key_change::kind::written:
        sight_.taken(index);
        if (look_at_ == time::instant::max()) look_at_ = runtime_.now() + runtime_.settings().node_timeout;
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
    return {.receiver = this, .tag = k << 8 | index, .deadline = runtime_.deadline()};
}

void key_watch::on_reply(std::uint32_t tag, const resp::reply& reply) noexcept {
    const std::uint32_t index = tag & 0xff;
    --outstanding_;
    switch (static_cast<kind>(tag >> 8)) {
    case counting:
        count(reply);
        break;
    case subscribing:
    case arming:
        if (reply.is(resp::kind::error)) sight_.set_told(index, false);
        break;
    case looking:
        looked(index, reply);
        break;
    }
    plan();
    end_if_settled();
}

void key_watch::count(const resp::reply& reply) {
    const resp::reply number = reply.first().next();
    if (number.is(resp::kind::integer))
        ahead_ = static_cast<unsigned>(std::clamp<std::int64_t>(number.integer(), 0, 1000));
}

void key_watch::looked(std::uint32_t index, const resp::reply& reply) {
    if (!reply.is(resp::kind::integer)) return;
    const std::int64_t left = reply.integer();
    if (left == -2) return sight_.free(index);
    if (sight_.is_ours(index)) return;
    if (left < 0) return sight_.taken(index);
    // Redis rounds down, and a key still exists in its last millisecond.
    sight_.taken_until(
        index, core::saturating_add(runtime_.now(), core::saturating_nanoseconds(milliseconds(left + 2))));
}

void key_watch::on_failure(std::uint32_t tag, errc) noexcept {
    const std::uint32_t index = tag & 0xff;
    --outstanding_;
    // Where looking is what makes the server tell.
    if (tag >> 8 == subscribing || runtime_.session_of(index).wakeup() == wakeup::client_tracking)
        sight_.set_told(index, false);
    plan();
    end_if_settled();
}

void key_watch::close() noexcept {
    runtime_.key_watches().remove(*this);
    forget_listener();
    encoding bytes;
    for (std::uint32_t index = 0; index < runtime_.nodes(); ++index)
        if (subscribed_ & bit(index))
            runtime_.session_of(index).unsubscribe(
                claim_->full_key,
                {.receiver = nullptr, .tag = 0, .deadline = runtime_.deadline(), .cleanup = true}, bytes);
    end_if_settled();
}

void key_watch::forget_listener() noexcept {
    listener_ = nullptr;
    wanted_ = false;
    disarm();
}

void key_watch::end_if_settled() noexcept {
    if (!listener_ && outstanding_ == 0) delete this;
}

} // namespace redlock::lock
