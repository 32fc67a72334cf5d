#include "engines/etcd/line/outcome.hpp"
#include "engines/etcd/line/traffic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace redlock::etcd {

namespace {

constexpr unsigned most_refusals = 3;

std::string late(std::string_view what, core::nanoseconds patience) {
    const auto limit = std::chrono::duration_cast<std::chrono::milliseconds>(patience);
    return fmt::format("{} within {} ms", what, limit.count());
}

} // namespace

core::nanoseconds traffic::patience_of(const call& c) const noexcept {
    return c.patience_.count() > 0 ? c.patience_ : patience_;
}

void traffic::arm(call& c) noexcept {
    c.asked_at_ = turns_.now();
    turns_.timers().arm(c, c.asked_at_ + patience_of(c));
}

void traffic::submit(call& c) noexcept {
    c.over_ = this;
    waiting_.push_back(c);
    if (!c.outlasts_connection()) arm(c);
}

void traffic::begin(call& c) noexcept {
    c.over_ = this;
    c.renewed_ = true; // it is what gets the token
    arm(c);
    if (!begins(c, {})) waiting_.push_front(c);
}

bool traffic::begins(call& c, std::string_view token) noexcept {
    if (!link_ || !link_->http2().begin(c, token)) return false;
    under_way_.push_back(c);
    c.token_ = tokens_;
    if (!c.armed()) arm(c);
    ++calls_;
    return true;
}

bool traffic::begin_waiting() noexcept {
    while (!opening_.empty()) {
        stream& s = opening_.front();
        if (!link_ || !link_->http2().begin(s, token_)) return false;
        s.unlink();
        streams_.push_back(s);
    }
    while (has_room()) {
        call& c = waiting_.front();
        waiting_.pop_front();
        if (begins(c, token_)) continue;
        waiting_.push_front(c);
        return false;
    }
    return true;
}

bool traffic::has_room() const noexcept {
    return !waiting_.empty() && (!link_ || link_->http2().has_room_for(waiting_.front()));
}

void traffic::cancel(call& c) noexcept {
    if (link_) link_->http2().cancel(c);
}

void traffic::take_end(call& c) noexcept {
    c.unlink();
    if (asks_again(c)) return;
    c.disarm();
    const std::optional<failure> wrong = outcome_of(c.ending_, c.head_);
    if (!wrong) return answer(c);
    const bool leaderless = c.head_.lacks_leader();
    if (!wrong->in_doubt && !leaderless) note_answer();
    c.failed(*wrong);
    if (leaderless) told_.leader_is_missing();
}

bool traffic::asks_again(call& c) noexcept {
    if (c.ending_ == ending::refused && c.refusals_ < most_refusals) {
        ++c.refusals_;
        wait_again(c);
        return true;
    }
    if (c.ending_ != ending::in_order || token_.empty() || c.renewed_ || !c.head_.wants_other_token())
        return false;
    c.renewed_ = true;
    wait_again(c);
    // Another call may have had it renewed by now.
    if (c.token_ == tokens_) told_.token_is_spent();
    return true;
}

void traffic::wait_again(call& c) noexcept {
    c.begin_anew();
    c.outgoing_.rewind();
    waiting_.push_front(c);
}

void traffic::answer(call& c) noexcept {
    std::string_view message;
    if (!c.incoming_.next(message))
        return c.failed(
            {.why = errc::protocol_error, .in_doubt = true, .text = "answered a call without a message"});
    const core::nanoseconds took = turns_.now() - c.left_at_;
    round_trip_ = round_trip_.count() == 0 ? took : round_trip_ + (took - round_trip_) / 8;
    note_answer();
    c.answered(message, c.left_at_);
}

void traffic::note_answer() noexcept {
    answered_at_ = turns_.now();
    told_.member_works();
}

void traffic::out_of_time(call& c) noexcept {
    if (c.is_under_way() && reads_first(c.graced_))
        return turns_.timers().arm(c, turns_.now() + time_to_read);
    ++timeouts_;
    const bool quiet = is_quiet_since(c.asked_at_);
    const failure why{.why = errc::node_timeout,
                      .in_doubt = c.was_sent(),
                      .text = late(link_ ? "did not answer" : "was not connected", patience_of(c))};
    cancel(c);
    c.unlink();
    c.failed(why);
    if (quiet && link_) told_.nothing_is_answered(late("answered nothing", patience_));
}

// What has arrived is late through no fault of the member.
bool traffic::reads_first(bool& graced) noexcept {
    if (graced || !link_ || !link_->has_unread()) return false;
    graced = true;
    link_->read_now();
    return true;
}

bool traffic::is_quiet_since(core::instant asked) const noexcept {
    return turns_.now() - std::max(answered_at_, asked) >= patience_;
}

void traffic::lose(const failure& why) noexcept {
    disconnect();
    turn::live_list<call> lost;
    lost.swap(under_way_);
    while (!lost.empty()) {
        call& c = lost.back();
        lost.pop_back();
        c.begin_anew();
        if (!c.was_sent()) {
            c.outgoing_.rewind();
            waiting_.push_front(c);
            continue;
        }
        c.disarm();
        failure own = why;
        own.in_doubt = true;
        c.failed(own);
    }
    end_streams(why);
}

void traffic::fail_waiting(const failure& why, bool all) noexcept {
    turn::live_list<call> taken;
    taken.swap(waiting_);
    while (!taken.empty()) {
        call& c = taken.front();
        taken.pop_front();
        if (!all && c.outlasts_connection()) {
            c.disarm();
            waiting_.push_back(c);
            continue;
        }
        c.disarm();
        c.failed(why);
    }
}

void traffic::abandon() noexcept {
    disconnect();
    for (auto* const all : {&waiting_, &under_way_})
        while (!all->empty())
            delete &all->front();
    for (auto* const all : {&opening_, &streams_})
        while (!all->empty())
            close(all->front());
}

} // namespace redlock::etcd
