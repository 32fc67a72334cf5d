#include "engines/zookeeper/departure.hpp"

#include "engines/zookeeper/admission.hpp"
#include "engines/zookeeper/errands.hpp"
#include "engines/zookeeper/zookeeper_engine.hpp"

#include <chrono>
#include <utility>

namespace redlock::zookeeper {

farewell farewell_to(std::string_view token, const holding& has, const sight& seen) noexcept {
    if (seen.holder && seen.holder->token == token) {
        const bool may_lead_yet = has.says && has.says->may_come_late() && !seen.has_leader;
        return may_lead_yet && seen.node_of(token) ? farewell::remove_node_first : farewell::free_record;
    }
    if (has.doubt && *has.doubt == seen.version && seen.exists) return farewell::void_record;
    if (seen.node_of(token) || seen.mark_of(token)) return farewell::remove_node;
    return has.says && seen.has_stale_leader() ? farewell::remove_leader : farewell::nothing;
}

departure::departure(zookeeper_engine& by, claim_pointer of, bool lost, turn::outcome_waiters&& told)
    : admission_place(by.departing()),
      engine_(by),
      of_(std::move(of)),
      lost_(lost),
      waits_(std::chrono::milliseconds(50), std::chrono::milliseconds(1'000)) {
    told_.swap(told);
}

void departure::go_on() {
    if (enter()) ask();
}

void departure::ask() { is_certain() ? release_at_once() : look(); }

bool departure::is_certain() const noexcept {
    const holding& has = of_->has();
    return has.granted && !has.node.empty() && !was_in_doubt_ && (!has.says || has.says->is_at_rest());
}

std::string_view departure::left_record() const noexcept {
    return of_->has().left_to_readers ? shared_record : std::string_view();
}

void departure::release_at_once() {
    const holding& has = of_->has();
    multi m;
    if (of_->reads())
        m.remove(has.mark);
    else
        m.set_data(engine_.path_of(*of_), left_record(), has.version);
    m.remove(has.node);
    if (has.says) m.remove(leader_path(engine_.path_of(*of_)));
    send(std::move(m));
}

void departure::send(multi&& m) {
    call_.wait_for(
        engine_.joint().submit(engine_.path_of(*of_), std::move(m), [this](const reply& r) { done(r); }));
}

void departure::done(const reply& r) {
    call_.is_over();
    learn(window(), r.what, r.sent_at, engine_.turns().now());
    if (!r.is_done() && r.what != reply::kind::refused) return retry(r.why);
    const auto all = r.is_done() ? read_multi(r.body) : std::nullopt;
    const fault failed = all ? fault_in(*all) : r.said;
    if (all && failed == fault::none) {
        // A mark may have come between the look and the end of the node, and none comes behind that.
        if (looks_again_ || (of_->reads() && !of_->has().granted)) return look();
        tell(lost_ || was_taken_over_ ? errc::lease_lost : errc{});
        return end();
    }
    const bool has_changed =
        failed == fault::bad_version || failed == fault::no_node || failed == fault::node_exists;
    if (!has_changed) return retry(meaning_of({.what = reply::kind::refused, .said = failed}));
    was_taken_over_ = true;
    look();
}

void departure::look() {
    look_.begin(engine_.servers(), engine_.path_of(*of_), true,
                [this](const folder_look::outcome& o) { looked(o); });
}

void departure::looked(const folder_look::outcome& o) {
    learn(window(), o.last, o.sent_at, engine_.turns().now());
    if (o.why != errc{} && !o.is_foreign) return retry(o.why);
    const sight& seen = o.seen;
    const std::string folder = engine_.path_of(*of_);
    const place_node* const own = seen.node_of(of_->token());
    multi m;
    looks_again_ = false;
    if (own) m.remove(folder + "/" + own->name);
    const reader_mark* const mark = seen.mark_of(of_->token());
    if (mark) m.remove(folder + "/" + mark->name);
    switch (o.is_foreign ? farewell::nothing : farewell_to(of_->token(), of_->has(), seen)) {
    case farewell::free_record:
        was_taken_over_ = was_taken_over_ && !own;
        m.set_data(folder, left_record(), seen.version);
        if (seen.has_leader) m.remove(leader_path(folder));
        return send(std::move(m));
    case farewell::remove_node_first:
        was_taken_over_ = false;
        looks_again_ = true;
        return send(std::move(m));
    case farewell::remove_leader:
        was_taken_over_ = true;
        m.check(folder, seen.version).remove(leader_path(folder));
        return send(std::move(m));
    case farewell::void_record: {
        lock_record same;
        if (seen.holder) {
            same = *seen.holder;
            same.fence = same.current_fence(seen.written_by);
        }
        const std::string nobodys(seen.is_shared ? shared_record : std::string_view());
        m.set_data(folder, seen.holder ? same.text() : nobodys, seen.version);
        return send(std::move(m));
    }
    case farewell::remove_node:
        was_taken_over_ = !own || !mark;
        return send(std::move(m));
    case farewell::nothing:
        tell(errc::lease_lost);
        end();
    }
}

// Those who wait for it are told now; the rest goes on without them.
void departure::retry(errc why) {
    tell(errc::no_quorum, why);
    was_in_doubt_ = true;
    leave();
    if (engine_.has_left()) return end();
    engine_.turns().timers().arm(*this, engine_.turns().now() + waits_.next(engine_.turns().random()));
}

void departure::try_again() noexcept {
    if (!armed()) return;
    disarm();
    go_on();
}

void departure::end() {
    leave();
    delete this;
}

void departure::tell(errc how, errc why) {
    if (told_.empty()) return;
    if (why != errc{})
        turn::answer_all(told_, turn::code_of(how), *engine_.failure_of(why));
    else
        turn::answer(told_, turn::code_of(how));
}

} // namespace redlock::zookeeper
