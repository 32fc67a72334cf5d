// What the session of the table asks of the rows of locks, and what came of it.

#include "engines/sql/dialect.hpp"
#include "engines/sql/session/table_session.hpp"

#include <algorithm>
#include <utility>

namespace redlock::sql {

namespace {

// Behind the last lock: until its row has been free for long enough.
constexpr unsigned purges_after_a_lock = 8;

} // namespace

void table_session::fill() noexcept {
    for (requests& each : waiting_)
        while (!each.empty() && under_way_.takes(each.front().what)) {
            request& r = each.front();
            each.pop_front();
            if (r.what == request::kind::acquire) r.row_was_left = left_.asked_for(r.of->full_key);
            under_way_.add(r);
        }
}

void table_session::send_locks() noexcept {
    fill();
    under_way_.must_wait(!unconfirmed_.has_room_for(under_way_.of(request::kind::release).size()));
    sent_at_ = turns_.now();
    locks_under_way_ = true;
    purges_to_come_ = ledger_ ? 0 : purges_after_a_lock;
    send(awaited::locks, speaks_.transaction(under_way_, server_, label_));
    frees_ = !under_way_.of(request::kind::release).empty();
    if (frees_ && somebody_waits_) send(awaited::wake, {speaks_.wake(under_way_.freed(), server_)});
}

// The answers to the first do not say all: both are for the same requests.
bool table_session::ask_rest(std::vector<sql::answer>& told) noexcept {
    if (std::exchange(asks_rest_, false)) return false;
    const statements more = speaks_.rest(under_way_, told, server_, label_);
    if (more.empty()) return false;
    sent_at_ = turns_.now();
    asks_rest_ = locks_under_way_ = true;
    send(awaited::locks, more);
    return true;
}

void table_session::read_locks(const std::vector<sql::answer>& all) {
    const bool has_waited = !speaks_.leaves_unwaited() || !under_way_.is_unwaited();
    std::vector<batch::outcome> ended =
        under_way_.read(all, sent_at_, [this](const sql::answer& a) { return speaks_.meaning_of(a); });
    note_commit(has_waited, ended);
    tell_of_freed();
    tell(std::move(ended));
}

// What has changed nothing has not waited either. One that is repeated and finds nothing to do was carried
// out before, and may not be on the disk yet.
void table_session::note_commit(bool has_waited, const std::vector<batch::outcome>& all) {
    const auto is_done = [](const batch::outcome& o) { return o.second.what == reply::kind::done; };
    if (has_waited && std::ranges::any_of(all, is_done)) return unconfirmed_.confirmed();
    if (!speaks_.leaves_unwaited()) return;
    for (const batch::outcome& o : all) {
        const request& r = *o.first;
        const bool was_done = o.second.what == reply::kind::refused && r.outlasts_connection();
        if (r.what != request::kind::release || !(is_done(o) || was_done)) continue;
        if (unconfirmed_.has_room_for(1)) unconfirmed_.add(r.of, r.keys_end);
    }
}

// Who waits now may wait for the next key, too, which those who wait are then told of without asking first.
void table_session::tell_of_freed() noexcept {
    if (!frees_) return;
    const bool were_told = somebody_waits_;
    somebody_waits_ = !under_way_.awaited().empty();
    if (somebody_waits_ && !were_told) send(awaited::wake, {speaks_.wake(under_way_.awaited(), server_)});
}

void table_session::tell(std::vector<batch::outcome> all) noexcept {
    for (const auto& [asked, r] : all)
        answer(*asked, r);
}

} // namespace redlock::sql
