#include "engines/redis/watch/key_watch.hpp"

#include "core/validity.hpp"
#include "engines/redis/watch/watches.hpp"

#include <optional>
#include <utility>

namespace redlock::redis {

using watch_action = core::lookout::action;

key_watch::key_watch(quorum& r, std::shared_ptr<const claim> c, watch_listener& listener)
    : quorum_(r),
      claim_(std::move(c)),
      listener_(&listener),
      rule_(r.nodes(), r.node_timeout(), r.random()) {}

key_watch& key_watch::start(quorum& r, std::shared_ptr<const claim> c, watch_listener& listener,
                            core::node_set ours) {
    auto* self = new key_watch(r, std::move(c), listener);
    r.watched().push_back(*self);
    r.key_watches().add(*self);
    const core::lookout::view v = self->view();
    const core::lookout::rivals others = self->others(v);
    self->rule_.start(v, others, others.arbiter && r.session_of(*others.arbiter).tells(), ours);
    self->go_ahead();
    return *self;
}

void key_watch::go_on(bool needs_the_others) {
    const core::lookout::view v = view();
    rule_.go_on(v, others(v), needs_the_others);
    go_ahead();
}

core::lookout::view key_watch::view() const {
    core::node_set ready;
    for (const std::uint32_t index : quorum_.every_node())
        ready.set(index, quorum_.session_of(index).is_ready());
    return {.now = quorum_.now(), .ready = ready, .round_trip = quorum_.round_trip()};
}

core::lookout::rivals key_watch::others(const core::lookout::view& v) const noexcept {
    return {.crowded = quorum_.contests().is_crowded(claim_->full_key, v.now),
            .arbiter = quorum_.arbiter_of(claim_->full_key, v.ready)};
}

void key_watch::act(core::lookout::step next) {
    for (; next.what == watch_action::ask; next = rule_.next(view()))
        ask(next);
    if (!listener_) return;
    if (next.what == watch_action::attempt) {
        disarm();
        return listener_->key_may_be_free();
    }
    if (rule_.waits()) quorum_.timers().arm(*this, next.until);
    if (next.count) count_listeners();
}

void key_watch::ask(const core::lookout::step& whom) {
    unsubscribe_command command(quorum_.encoder(), claim_->full_key);
    for (const std::uint32_t index : whom.leave)
        unsubscribe(index, command);
    for (const std::uint32_t index : whom.listen | whom.look)
        whom.listen.has(index) ? listen(index) : look(index);
}

void key_watch::listen(std::uint32_t index) {
    session& s = quorum_.session_of(index);
    // Here already: where the subscription goes over another connection, the look comes later or never.
    rule_.sight().set_absent(index, !s.is_ready());
    if (s.wakeup() == wakeup::automatic) quorum_.key_watches().find_out(index);
    if (s.wakeup() == wakeup::keyspace_events) {
        encoder& by = quorum_.encoder();
        if (rule_.counts_at(index) && !s.listens_apart())
            sent(s.send(listeners_command(by, claim_->full_key), back(index, counting)));
        const bool on_its_way =
            sent(s.send(subscribe_command(by, claim_->full_key), back(index, subscribing)));
        rule_.listens(index, on_its_way);
        // Over two connections nothing is certain before the subscription stands.
        if (on_its_way && s.listens_apart()) return;
    }
    // Behind it on the same connection: what happens after this look is told.
    look(index);
}

void key_watch::look(std::uint32_t index) {
    session& s = quorum_.session_of(index);
    rule_.sight().set_absent(index, !s.is_ready());
    if (s.listens_apart() && looking_.has(index)) {
        changed_since_.add(index); // again, when the answer is there
        return;
    }
    quorum_.before(claim_->full_key);
    encoder& by = quorum_.encoder();
    if (s.wakeup() == wakeup::client_tracking) sent(s.send(caching_command(by), back(index, arming)));
    const bool on_its_way = sent(s.send(life_command(by, claim_->full_key), back(index, looking)));
    if (on_its_way) looking_.add(index);
    changed_since_.remove(index);
    if (s.wakeup() == wakeup::client_tracking) rule_.sight().set_told(index, on_its_way);
}

void key_watch::count_listeners() {
    const std::uint32_t arbiter = *rule_.arbiter();
    session& s = quorum_.session_of(arbiter);
    if (!s.listens_apart())
        sent(s.send(listeners_command(quorum_.encoder(), claim_->full_key), back(arbiter, counting)));
}

void key_watch::changed(std::uint32_t index, key_change::kind what) {
    if (looking_.has(index)) changed_since_.add(index);
    const core::lookout::view v = view();
    switch (what) {
    case key_change::kind::gone:
        rule_.gone(index, v.now);
        break;
    case key_change::kind::written:
        rule_.written(index, v.now);
        break;
    case key_change::kind::dated:
        rule_.dated(index, v.now);
        break;
    case key_change::kind::changed:
        rule_.changed(index);
        break;
    }
    act(rule_.next(v));
}

void key_watch::deafened(std::uint32_t index) {
    rule_.is_deaf(index);
    go_ahead();
}

void key_watch::node_down(std::uint32_t index) {
    rule_.down(index);
    go_ahead();
}

bool key_watch::sent(errc refusal) noexcept {
    outstanding_ += refusal == errc{};
    return refusal == errc{};
}

addressee key_watch::back(std::uint32_t index, kind k) noexcept {
    return {.receiver = this, .tag = reply_tag::of(index, k), .deadline = quorum_.deadline()};
}

void key_watch::on_reply(reply_tag tag, const resp::reply& reply) noexcept {
    const std::uint32_t index = tag.node();
    --outstanding_;
    switch (tag.kind<kind>()) {
    case counting:
        if (const auto listening = read_listeners(reply)) rule_.counted(*listening);
        break;
    case arming:
        if (reply.is(resp::kind::error)) rule_.is_deaf(index);
        break;
    case subscribing:
        if (reply.is(resp::kind::error) || !is_for_this(reply)) rule_.is_deaf(index);
        if (quorum_.session_of(index).listens_apart() && listener_) look(index);
        break;
    case looking:
        looked(index, reply);
        break;
    }
    go_ahead();
    end_if_settled();
}

bool key_watch::is_for_this(const resp::reply& confirmation) const noexcept {
    return confirmation.first().next().text().ends_with(claim_->full_key);
}

void key_watch::looked(std::uint32_t index, const resp::reply& reply) {
    looking_.remove(index);
    const life_answer said = read_life(reply);
    if (said.what == life_answer::kind::error) return;
    if (changed_since_.has(index) && quorum_.session_of(index).listens_apart() && listener_)
        return look(index);
    if (said.what == life_answer::kind::no_key) return rule_.seen_free(index);
    const bool is_endless = said.what == life_answer::kind::endless;
    rule_.seen_held(index, is_endless ? std::nullopt : std::optional(core::saturating_nanoseconds(said.left)),
                    quorum_.now());
}

void key_watch::on_failure(reply_tag tag, errc) noexcept {
    const std::uint32_t index = tag.node();
    --outstanding_;
    if (tag.kind() == looking) looking_.remove(index);
    // Where looking is what makes the server tell.
    if (tag.kind() == subscribing || quorum_.session_of(index).wakeup() == wakeup::client_tracking)
        rule_.is_deaf(index);
    go_ahead();
    end_if_settled();
}

void key_watch::close() noexcept {
    quorum_.key_watches().remove(*this);
    forget_listener();
    unsubscribe_command command(quorum_.encoder(), claim_->full_key);
    for (const std::uint32_t index : rule_.listening())
        unsubscribe(index, command);
    end_if_settled();
}

void key_watch::unsubscribe(std::uint32_t index, unsubscribe_command& command) noexcept {
    if (quorum_.key_watches().is_heard_by_another(claim_->full_key, *this, index)) return;
    quorum_.session_of(index).send(
        command, {.receiver = nullptr, .tag = {}, .deadline = quorum_.deadline(), .cleanup = true});
}

void key_watch::forget_listener() noexcept {
    listener_ = nullptr;
    rule_.end();
    disarm();
}

void key_watch::end_if_settled() noexcept {
    if (!listener_ && outstanding_ == 0) delete this;
}

} // namespace redlock::redis
