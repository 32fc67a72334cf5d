#include "engines/redis/queue/queue_stand.hpp"

#include "core/mistake.hpp"
#include "core/validity.hpp"
#include "engines/redis/queue/hand_overs.hpp"
#include "engines/redis/rounds/release.hpp"
#include "engines/redis/watch/watches.hpp"

#include <redlock/detail/pool.hpp>

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

namespace redlock::redis {

using queue_action = core::queued_contender::action;

namespace {

constexpr unsigned many_ahead = 1000; // as long as nothing is known

} // namespace

std::uint64_t queue_stand::name_of(std::string_view token) noexcept {
    return std::hash<std::string_view>()(token);
}

queue_stand::queue_stand(quorum& q, claim_pointer c, std::chrono::milliseconds life, core::nanoseconds ttl,
                         stand_listener& listener)
    : quorum_(q),
      claim_(std::move(c)),
      listener_(&listener),
      life_(life),
      rule_(q.nodes(), claim_->ticket(),
            {.life = ttl, .drift = q.settings().drift, .node_timeout = q.node_timeout()}),
      ahead_(many_ahead) {}

queue_stand& queue_stand::make(quorum& q, claim_pointer c, std::chrono::milliseconds life,
                               core::nanoseconds ttl, stand_listener& listener) {
    auto* const self = new queue_stand(q, std::move(c), life, ttl, listener);
    q.stands().push_back(*self);
    return *self;
}

void queue_stand::start() {
    begin_with_token();
    quorum_.hands().listen_everywhere();
    go_on();
}

void queue_stand::begin_with_token() {
    claim_->waited_for = true;
    rule_.start(name_of(claim_->token()));
    quorum_.hands().add(*this);
}

core::queued_contender::view queue_stand::view() const {
    core::queued_contender::view v{
        .now = quorum_.now(), .ready{}, .hopeless{}, .round_trip = quorum_.round_trip()};
    for (const std::uint32_t index : quorum_.every_node()) {
        const session& s = quorum_.session_of(index);
        const bool untold = quorum_.hands().is_untold(index);
        v.ready.set(index, s.is_ready() && quorum_.hands().may_enter(index));
        v.untold.set(index, untold);
        v.silent.set(index, untold && !(watched_ && s.wakeup() == wakeup::keyspace_events));
        v.hopeless.set(index, s.hears() == session::hearing::refused || refused_.has(index));
    }
    return v;
}

void queue_stand::go_on() {
    while (listener_ && !has_key_ && !has_failed_) {
        const core::queued_contender::step next = rule_.next(view());
        switch (next.what) {
        case queue_action::enter:
            enter(next.nodes);
            break;
        case queue_action::yield:
            yield();
            break;
        case queue_action::sleep:
            return quorum_.timers().arm(*this, next.until);
        case queue_action::take:
            has_key_ = true;
            lives_from_ = rule_.lives_from();
            note_untold_row();
            return decided();
        case queue_action::fail:
            has_failed_ = true;
            return decided();
        }
    }
}

void queue_stand::decided() noexcept {
    disarm();
    listener_->stand_decided();
}

void queue_stand::enter(core::node_set nodes) {
    quorum_.before(claim_->full_key);
    for (const std::uint32_t index : nodes)
        send(index);
}

void queue_stand::send(std::uint32_t index) {
    using std::chrono::duration_cast;
    using std::chrono::milliseconds;
    const time::instant now = quorum_.now();
    const bool untold = quorum_.hands().is_untold(index);
    const core::nanoseconds belief =
        untold ? rule_.belief_untold() : core::shows_until_dead * core::pause_in_queue(ahead_);
    const queue_entry entry{.life = life_,
                            .entered_at = now.time_since_epoch(),
                            .believed = duration_cast<milliseconds>(std::min(belief, core::longest_belief)),
                            .again = entered_.has(index),
                            .untold = untold};
    enter_queue_command command(quorum_.encoder(), *claim_, entry);
    const addressee back{
        .receiver = this, .tag = reply_tag::of(index, token_number_), .deadline = quorum_.deadline()};
    rule_.entered(index, now);
    if (quorum_.session_of(index).send(command, back) != errc{}) return rule_.failed(index, now);
    ++outstanding_;
    entered_.add(index);
    last_entered_ = now;
}

// Whoever came before is next in the queues that this one leaves.
void queue_stand::yield() {
    ++quorum_.counts().yields;
    leave_queues();
    claim_ = make_claim(claim_->leads(), *claim_, quorum_.new_token(claim_->ticket()), claim_->proposal());
    ++token_number_;
    begin_with_token();
}

void queue_stand::leave_queues() noexcept {
    quorum_.hands().remove(*this);
    core::node_set nodes = std::exchange(entered_, {});
    if (planted(core::mistake::untold_entry_left))
        for (const std::uint32_t index : nodes - rule_.votes())
            if (quorum_.hands().is_untold(index)) nodes.remove(index);
    if (nodes.empty()) return;
    const time::instant heard = last_entered_ + quorum_.node_timeout();
    release::start(quorum_, claim_, nodes, core::saturating_add(heard, core::saturating_nanoseconds(life_)));
}

void queue_stand::close() noexcept {
    forget_key();
    quorum_.hands().remove(*this);
    forget_listener();
    end_if_settled();
}

void queue_stand::give_up() noexcept {
    forget_key();
    leave_queues();
    forget_listener();
    end_if_settled();
}

void queue_stand::is_watched() {
    if (watched_) return;
    watched_ = claim_;
    quorum_.key_watches().add(watched_->full_key, *this);
}

void queue_stand::forget_key() noexcept {
    if (watched_) quorum_.key_watches().remove(watched_->full_key, *this);
}

void queue_stand::forget_listener() noexcept {
    listener_ = nullptr;
    disarm();
}

void queue_stand::handed(std::uint32_t index, const token_news& news) {
    const time::instant entered{news.entered_at};
    const std::uint64_t released = news.released.empty() ? 0 : name_of(news.released);
    rule_.handed(index, entered, core::saturating_nanoseconds(news.age), released, quorum_.now());
    if (news.first_waiting) claim_->note_waiting(news.first_waiting->ticket);
    claim_->row.handed(news.row, quorum_.settings().handoff_limit, quorum_.now());
    note_strangers(news);
    go_on();
}

void queue_stand::note_strangers(const token_news& news) {
    const bool was_free = news.released.empty();
    if (news.strangers) {
        core::open_door& door = quorum_.doors().at(claim_->full_key);
        was_free ? door.shut(*news.strangers, quorum_.now()) : door.handed(*news.strangers, quorum_.now());
    } else if (core::open_door* const door = quorum_.doors().find(claim_->full_key); door && was_free) {
        door->found_free(quorum_.now());
    }
}

void queue_stand::set_free(std::uint32_t index) {
    rule_.set_free(index, view());
    go_on();
}

void queue_stand::node_changed(std::uint32_t index, bool is_new) {
    if (is_new) rule_.lost_sight_of(index);
    go_on();
}

void queue_stand::look_again() {
    // Where all who wait hear of it, those behind leave it to the first.
    if (ahead_ > 1 && quorum_.hands().are_untold()) return;
    rule_.look_again();
    go_on();
}

void queue_stand::changed(std::uint32_t index, key_change::kind) {
    if (!listener_ || !quorum_.hands().is_untold(index)) return;
    rule_.changed(index, quorum_.session_of(index).listens_apart());
    go_on();
}

void queue_stand::on_reply(reply_tag tag, const resp::reply& reply) noexcept {
    --outstanding_;
    const std::uint32_t index = tag.node();
    const queue_answer said = quorum_.session_of(index).answer_to_queue(tag, reply);
    if (listener_ && tag.kind() == token_number_) answered(index, said);
    go_on();
    end_if_settled();
}

void queue_stand::on_failure(reply_tag tag, errc) noexcept {
    --outstanding_;
    if (listener_ && tag.kind() == token_number_) rule_.failed(tag.node(), quorum_.now());
    go_on();
    end_if_settled();
}

void queue_stand::end_if_settled() noexcept {
    if (!listener_ && outstanding_ == 0) delete this;
}

} // namespace redlock::redis
