#include "engines/sql/session/table_session.hpp"

#include "engines/sql/dialect.hpp"
#include "engines/sql/holder_label.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace redlock::sql {

namespace {

constexpr std::chrono::milliseconds handshake_pause{10};
constexpr std::chrono::seconds between_purges{10};
// Of clients that live too briefly for one between locks.
constexpr double purges_at_first = 1.0 / 8;

} // namespace

table_session::table_session(const strand& on, turn::turns& t, const dialect& to, const session_settings& s,
                             core::nanoseconds restart_guard, std::string holder_label, table_listener& told)
    : turns_(t),
      speaks_(to),
      told_(told),
      patience_(s.patience),
      holder_label_(std::move(holder_label)),
      line_(on, t, to, s, static_cast<session_listener&>(*this)),
      guard_(restart_guard) {
    if (to.where().locks_are_sessions) ledger_.emplace();
}

table_session::~table_session() { abandon(); }

void table_session::stop() noexcept {
    disarm();
    line_.stop();
}

// Also behind `send_what_waits`, in the same turn, nothing gets past the gate. Whoever asks for a renewal or
// a token has yet to be given what it asks with.
void table_session::submit(request& r) noexcept {
    const bool is_errand = r.what == request::kind::renew || r.what == request::kind::advance;
    if (!may_be_sent(r)) return is_errand ? unsent_.push_back(r) : r.answered(unsent_reply(r));
    waiting(r.what).push_back(r);
    if (serves() && r.what == request::kind::acquire) close_gate();
}

bool table_session::may_be_sent(const request& r) {
    using verdict = session_ledger::verdict;
    if (!ledger_) return true;
    const std::string_view key = r.of->full_key, token = r.of->token();
    if (r.what == request::kind::acquire) return ledger_->acquire(key, token) == verdict::send;
    if (r.what == request::kind::release) return ledger_->release(key, token) == verdict::send;
    return ledger_->keep(key, token) == verdict::send;
}

reply table_session::unsent_reply(const request& r) noexcept {
    return {.what = r.what == request::kind::acquire ? reply::kind::busy : reply::kind::refused};
}

void table_session::answer(request& r, const reply& told) noexcept {
    if (ledger_ && r.what == request::kind::acquire)
        ledger_->answered(r.of->full_key, r.of->token(), told.what == reply::kind::done);
    if (r.what == request::kind::release && told.what == reply::kind::done) left_.given_back(r.of->full_key);
    r.answered(told);
}

void table_session::submit(inquiry& q) noexcept { inquiries_.push_back(q); }

bool table_session::has_requests() const noexcept {
    return std::ranges::any_of(waiting_, [](const auto& each) { return !each.empty(); });
}

bool table_session::is_busy() const noexcept {
    return locks_under_way_ || !asked_.empty() || !inquiries_.empty() || has_requests() ||
           std::ranges::count(awaited_, awaited::wake) > 0;
}

bool table_session::has_unwritten() const noexcept {
    return serves() && ((!locks_under_way_ && has_requests()) || !inquiries_.empty() || purge_is_due_);
}

bool table_session::has_several() const noexcept {
    std::size_t count = 0;
    for (const requests& each : waiting_)
        count += each.empty() ? 0u : turn::has_several(each) ? 2u : 1u;
    return count > 1;
}

void table_session::connected() {
    handshake_ = speaks_.greet(before_);
    take(handshake_->begin(patience_));
}

void table_session::take(const handshake::step& s) {
    using kind = handshake::step::kind;
    switch (s.what) {
    case kind::send:
        return send(awaited::handshake, s.next);
    case kind::send_later:
        next_ = s.next;
        return turns_.timers().arm(*this, turns_.now() + handshake_pause);
    case kind::done:
        return begin_service();
    case kind::refuse:
        missing_rights_ = s.missing_rights;
        return line_.refuse(s.why, s.text);
    }
}

void table_session::begin_service() {
    missing_rights_.clear();
    server_ = handshake_->found();
    handshake_.reset();
    before_ = server_;
    label_.reset();
    if (server_.keeps_labels) label_ = storable_label(holder_label_, server_.speaks_utf8);
    const core::instant now = turns_.now();
    const bool in_doubt = guard_.connected(server_.facts, now);
    quarantines_ += guard_.is_closed(now);
    purge_is_due_ = !ledger_ && turns_.random().fraction() < purges_at_first;
    line_.is_ready();
    // The end of the quarantine is to be seen, and told.
    was_closed_ = guard_.is_closed(now);
    if (was_closed_) turns_.timers().arm(*this, guard_.closed_until());
    told_.table_serves(server_, in_doubt);
}

void table_session::expired(time::instant) noexcept {
    if (handshake_) return send(awaited::handshake, std::exchange(next_, {}));
    if (std::exchange(was_closed_, false)) told_.table_serves(server_, false);
    purge_is_due_ = purges_to_come_ > 0;
}

void table_session::send(awaited what, const statements& all) noexcept {
    commands_ += all.size();
    awaited_.push_back(what);
    line_.send(all);
}

// While it is closed no key is taken; what is held is renewed and given back.
void table_session::close_gate() noexcept {
    if (!guard_.is_closed(turns_.now())) return;
    requests taken;
    taken.swap(waiting(request::kind::acquire));
    while (!taken.empty()) {
        request& r = taken.front();
        taken.pop_front();
        answer(r, {.what = reply::kind::failed, .why = errc::node_quarantined});
    }
}

bool table_session::send_what_waits() noexcept {
    const bool any = !unsent_.empty();
    while (!unsent_.empty()) {
        request& r = unsent_.front();
        unsent_.pop_front();
        r.answered(unsent_reply(r));
    }
    if (serves())
        close_gate();
    else if (!line_.may_soon_serve())
        fail_waiting(why_, false);
    return any;
}

void table_session::after_routines() noexcept {
    if (line_.awaits_answer() || has_unwritten()) line_.expect_answer();
    if (serves() && purges_to_come_ > 0 && !armed())
        turns_.timers().arm(*this, turns_.now() + between_purges);
}

void table_session::flush() noexcept {
    if (!serves()) return;
    if (!locks_under_way_ && has_requests()) send_locks();
    send_inquiries();
    if (std::exchange(purge_is_due_, false)) send_purge();
}

void table_session::send_inquiries() noexcept {
    while (!inquiries_.empty()) {
        inquiry& q = inquiries_.front();
        inquiries_.pop_front();
        q.sent = true;
        asked_.push_back(&q);
        send(awaited::inquiry, {q.asks});
    }
}

void table_session::send_purge() noexcept {
    purges_to_come_ -= purges_to_come_ > 0;
    send(awaited::purge, speaks_.purge(server_));
}

void table_session::answered(std::vector<sql::answer>&& all) {
    if (awaited_.empty()) return;
    const awaited what = awaited_.front();
    awaited_.pop_front();
    switch (what) {
    case awaited::handshake:
        return take(handshake_->answered(all));
    case awaited::locks:
        locks_under_way_ = false;
        round_trip_ = round_trip_.count() == 0 ? turns_.now() - sent_at_
                                               : round_trip_ + (turns_.now() - sent_at_ - round_trip_) / 8;
        if (ask_rest(all)) return;
        read_locks(all);
        break;
    case awaited::inquiry: {
        inquiry& q = *asked_.front();
        asked_.pop_front();
        take(q, all);
        break;
    }
    case awaited::purge:
    case awaited::wake:
        break;
    }
    if (what != awaited::inquiry) look_at(what, all);
}

void table_session::take(inquiry& asked, const std::vector<sql::answer>& all) noexcept {
    if (all.empty()) return asked.failed(errc::protocol_error);
    const auto failed = std::ranges::find_if(all, &sql::answer::failed);
    failed == all.end() ? asked.answered(all.front()) : asked.failed(failure_of(*failed));
}

// To one who asks nothing of them, rows in somebody's hands are a server that takes its time.
errc table_session::failure_of(const sql::answer& failed) const noexcept {
    const errc why = speaks_.meaning_of(failed);
    return why == errc::held ? errc::node_timeout : why;
}

// What a session has locked it keeps though the transaction failed, and nobody knows what that is. A table
// that was dropped is made anew, a server that takes no more writes is left.
void table_session::look_at(awaited what, const std::vector<sql::answer>& all) {
    const auto failed = std::ranges::find_if(all, &sql::answer::failed);
    if (failed == all.end() || !line_.is_connected()) return;
    const errc why = failure_of(*failed);
    const bool is_in_doubt = ledger_ && what == awaited::locks;
    if (is_in_doubt || why == errc::server_error || why == errc::read_only)
        line_.refuse(why, words_of(*failed));
}

} // namespace redlock::sql
