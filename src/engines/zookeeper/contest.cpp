#include "engines/zookeeper/contest.hpp"

#include "engines/zookeeper/admission.hpp"
#include "engines/zookeeper/errands.hpp"
#include "engines/zookeeper/zookeeper_engine.hpp"

#include <redlock/observer.hpp>

#include <utility>

namespace redlock::zookeeper {

using action = place::action;

contest::contest(zookeeper_engine& by, engine::wish&& w, engine::contest_listener& listener)
    : operation(by.turns().ready()),
      admission_place(by.grants()),
      engine_(by),
      listener_(listener),
      wish_(std::move(w)),
      place_(wish_.waits, wish_.wait_until, wish_.claim->reads()),
      claim_(own(wish_.claim)) {
    by.contests().push_back(*this);
}

contest::~contest() { stop_watching(); }

void contest::start() { perform(place_.start(engine_.turns().now(), wish_.not_before)); }

void contest::cancel(errc why) noexcept {
    why_ended_ = why;
    raise(ends);
}

void contest::watched_changed() noexcept {
    stop_watching();
    go_on_with(place_.woken());
}

void contest::session_expired() noexcept {
    if (claim_->has().node.empty()) return;
    raise(lost_session);
}

void contest::go_on_with(step s) noexcept {
    next_ = std::move(s);
    raise(goes_on);
}

void contest::events_came() {
    const unsigned events = operation::take(all);
    if (events & ends) {
        // What has just come is not told to anybody any more.
        start_anew(true);
        return refuse(why_ended_);
    }
    if (events & was_granted) return pass_on_grant();
    if (events & lost_session) {
        next_.reset();
        start_anew(true);
        return perform({.what = action::look});
    }
    if (next_) return perform(*std::exchange(next_, std::nullopt));
    if (events & may_ask) return perform(held_back_);
    if (events & time_has_passed)
        return perform(is_queued() ? place_.not_let_in() : place_.time_passed(engine_.turns().now()));
    await(all);
}

void contest::perform(const step& s) {
    disarm();
    stop_watching();
    if (has_to_queue(s)) return await(all);
    switch (s.what) {
    case action::end:
        return refuse(s.why);
    case action::look:
        look();
        break;
    case action::sleep:
        engine_.turns().timers().arm(*this, s.until);
        break;
    case action::take_at_once:
        take_at_once();
        break;
    case action::queue:
        queue();
        break;
    case action::take:
        take();
        break;
    case action::watch:
        watch(s.watched);
        engine_.turns().timers().arm(*this, s.until);
        break;
    case action::anew:
        start_anew(true);
        look();
        break;
    }
    await(all);
}

/// Whoever has a node has been let in before, and those who wait behind it wait for what it does.
bool contest::has_to_queue(const step& s) {
    if (s.what == action::sleep || s.what == action::end) {
        leave();
        return false;
    }
    if (is_inside()) return false;
    if (!is_queued() && enter(place_.has_node())) return false;
    held_back_ = s;
    if (wish_.waits) engine_.turns().timers().arm(*this, wish_.wait_until);
    return true;
}

/// Under another name. `gives_up`: what may have been done under the one before is to be undone.
void contest::start_anew(bool gives_up) {
    const holding& has = claim_->has();
    if (gives_up && (!has.node.empty() || has.doubt || call_)) engine_.give_back(claim_);
    call_.let_go();
    place_.lose_node();
    claim_ = engine_.claim_anew(*claim_);
}

void contest::fail(errc why) {
    failure_ = why;
    engine_.count_refusal(false);
    if (observer* o = engine_.observer()) o->refused(claim_->key(), make_error_code(told_as(why)));
    const core::instant now = engine_.turns().now();
    step s = place_.failed(told_as(why), now, engine_.turns().random());
    go_on_with(std::move(s));
}

void contest::look() {
    auto told = [this](const folder_look::outcome& o) { looked(o); };
    const std::string folder = engine_.path_of(*claim_);
    if (place_.has_node()) return look_.begin(engine_.servers(), folder, false, std::move(told));
    look_.begin_arrival(engine_.servers(), folder, claim_->reads(), std::move(told));
}

void contest::looked(const folder_look::outcome& o) {
    learn(window(), o.last, o.sent_at, engine_.turns().now());
    if (o.why != errc{}) {
        if (o.is_foreign) engine_.note(o.why, "keeps something else in the place of the key");
        return fail(o.why);
    }
    seen_ = o.seen;
    if (!seen_.exists) return make_folder();
    const core::instant now = engine_.turns().now();
    missing_ = missing_in(seen_, engine_.absent(), claim_->folder(), now);
    const bool has_waited = place_.has_waited();
    step s = place_.seen(seen_, claim_->token(), missing_, now);
    const bool begins_to_wait = place_.has_waited() && (!has_waited || s.what == action::queue);
    const bool is_refused = begins_to_wait || (s.what == action::end && s.why == errc::held);
    if (is_refused) {
        engine_.count_refusal(true);
        if (observer* ob = engine_.observer()) ob->refused(claim_->key(), make_error_code(errc::held));
    }
    if (place_.has_waited() && !has_waited) listener_.others_have_it(*claim_);
    go_on_with(std::move(s));
}

void contest::make_folder() {
    const bool relied_on_root = engine_.root_is_there();
    call_.wait_for(engine_.make_folder(engine_.path_of(*claim_), [this, relied_on_root](const reply& r) {
        call_.is_over();
        learn(window(), r.what, r.sent_at, engine_.turns().now());
        const bool exists = r.is_done() || r.said == fault::node_exists;
        if (exists || r.said == fault::no_node) engine_.set_root_is_there(exists);
        if (exists) return go_on_with({.what = action::look});
        if (r.said == fault::no_node && relied_on_root) return make_folder();
        fail(meaning_of(r));
    }));
}

void contest::queue() {
    const std::string path = engine_.path_of(*claim_) + "/" + place_name(claim_->token(), claim_->reads());
    call_.wait_for(engine_.servers().submit(
        create(path, {}, life_of_node::ephemeral_in_sequence, engine_.access_of_nodes()),
        [this](const reply& r) { queued(r); }));
}

void contest::queued(const reply& r) {
    call_.is_over();
    learn(window(), r.what, r.sent_at, engine_.turns().now());
    const auto path = r.is_done() ? read_created_path(r.body) : std::nullopt;
    if (path) {
        claim_->has().node = *path;
        claim_->has().session = engine_.servers().number();
        return go_on_with(place_.queued());
    }
    if (r.what == reply::kind::refused && r.said == fault::no_node) return make_folder();
    if (r.is_in_doubt() || r.is_done()) {
        engine_.give_back(claim_);
        start_anew(false);
    }
    fail(r.is_done() ? errc::protocol_error : meaning_of(r));
}

void contest::watch(const std::string& name) {
    watched_ = engine_.path_of(*claim_) + "/" + name;
    engine_.watched_nodes().add(watched_, *this);
    call_.wait_for(engine_.servers().submit(exists(watched_, true), [this](const reply& r) {
        call_.is_over();
        learn(window(), r.what, r.sent_at, engine_.turns().now());
        if (r.is_done()) return leave(); // it has only to wait
        if (r.what == reply::kind::refused && r.said == fault::no_node) return go_on_with(place_.woken());
        fail(meaning_of(r));
    }));
}

void contest::stop_watching() noexcept {
    if (watched_.empty()) return;
    engine_.watched_nodes().remove(watched_, *this);
    watched_.clear();
    call_.let_go(); // the watch may not have been confirmed
}

void contest::refuse(errc why) {
    const holding& has = claim_->has();
    if (!has.node.empty() || has.doubt) engine_.give_back(claim_);
    const bool by_servers = failure_ != errc{} && told_as(failure_) == why;
    const auto more = by_servers ? engine_.failure_of(failure_) : nullptr;
    listener_.not_granted(why, more.get());
    over();
}

void contest::over() noexcept {
    leave();
    engine::contest_listener& listener = listener_;
    delete this;
    listener.contest_over();
}

} // namespace redlock::zookeeper
