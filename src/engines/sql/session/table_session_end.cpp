// The session of the table has lost its connection, or comes to its end.

#include "engines/sql/session/table_session.hpp"

#include <utility>

namespace redlock::sql {

void table_session::lost(errc why, const std::string& text) {
    why_ = why;
    timeouts_ += why == errc::node_timeout;
    disarm();
    handshake_.reset();
    awaited_.clear();
    locks_under_way_ = asks_rest_ = false;
    if (ledger_) ledger_->session_ended();
    tell(under_way_.lose(why, sent_at_));
    for (auto& [of, keys_end] : unconfirmed_.take())
        told_.release_in_doubt(std::move(of), keys_end);
    for (inquiry* q : std::exchange(asked_, {}))
        q->failed(why);
    fail_waiting(why, false);
    told_.table_lost(why, text);
}

void table_session::fail_waiting(errc why, bool all) noexcept {
    for (requests& each : waiting_) {
        requests taken;
        taken.swap(each);
        while (!taken.empty()) {
            request& r = taken.front();
            taken.pop_front();
            if (!all && r.outlasts_connection())
                each.push_back(r);
            else
                answer(r, {.what = reply::kind::failed, .why = why});
        }
    }
    turn::live_list<inquiry> unasked;
    unasked.swap(inquiries_);
    while (!unasked.empty()) {
        inquiry& q = unasked.front();
        unasked.pop_front();
        q.failed(why);
    }
}

void table_session::fail_all(errc why) {
    line_.stop();
    lost(why, "was left to the process before");
    fail_waiting(why, true);
}

void table_session::abandon() noexcept {
    stop();
    awaited_.clear();
    for (const auto& [asked, r] : under_way_.lose(errc::closed, sent_at_))
        delete asked;
    for (inquiry* q : std::exchange(asked_, {}))
        delete q;
    for (requests& each : waiting_)
        while (!each.empty())
            delete &each.front();
    while (!unsent_.empty())
        delete &unsent_.front();
    while (!inquiries_.empty())
        delete &inquiries_.front();
}

} // namespace redlock::sql
