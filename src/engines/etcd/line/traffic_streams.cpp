#include "engines/etcd/line/outcome.hpp"
#include "engines/etcd/line/traffic.hpp"

#include <fmt/format.h>

#include <chrono>
#include <utility>

namespace redlock::etcd {

namespace {

constexpr std::size_t most_unsent = std::size_t(1) << 20;

} // namespace

void traffic::take_news() {
    const std::shared_ptr<connection> over = link_;
    while (over && over == link_) {
        exchange* const e = over->http2().next_news();
        if (!e) return;
        e->has_news();
    }
}

void traffic::open(stream& s) noexcept {
    s.open_ = true;
    s.graced_ = false;
    opening_.push_back(s);
}

void traffic::send(stream& s, bool answered) {
    if (link_) link_->http2().go_on(s);
    if (s.outgoing_.left() > most_unsent) return turns_.timers().arm(s, turns_.now());
    if (!answered) return;
    if (s.awaited_++ > 0 || s.armed()) return;
    s.asked_at_ = turns_.now();
    turns_.timers().arm(s, s.asked_at_ + patience_);
}

void traffic::close(stream& s) noexcept {
    if (link_) link_->http2().cancel(s);
    s.begin_anew();
    s.disarm();
    s.unlink();
    s.open_ = false;
    s.awaited_ = 0;
    s.outgoing_.clear();
}

void traffic::take_news(stream& s) noexcept {
    std::string_view message;
    while (s.open_ && s.incoming_.next(message)) {
        note_answer();
        s.graced_ = false;
        if (s.awaited_ > 0) {
            s.asked_at_ = turns_.now();
            turns_.timers().arm(s, --s.awaited_ > 0 ? s.asked_at_ + patience_ : core::instant::max());
        }
        s.received(message);
    }
    if (!s.open_ || s.ending_ == ending::not_yet) return;
    const std::optional<failure> wrong = outcome_of(s.ending_, s.head_);
    const bool leaderless = s.head_.lacks_leader();
    const bool wants_token = !token_.empty() && s.head_.wants_other_token();
    end(s, wrong.value_or(failure{.in_doubt = true, .text = "ended a stream"}));
    if (wants_token) told_.token_is_spent();
    if (leaderless) told_.leader_is_missing();
}

void traffic::end(stream& s, const failure& why) noexcept {
    close(s);
    s.ended(why);
}

void traffic::end_streams(const failure& why) noexcept {
    turn::live_list<stream> all;
    all.swap(streams_);
    all.splice(all.end(), opening_);
    while (!all.empty())
        end(all.front(), why);
}

void traffic::out_of_time(stream& s) noexcept {
    const bool begun = s.is_under_way();
    const bool overfull = s.outgoing_.left() > most_unsent;
    if (begun && !overfull && reads_first(s.graced_))
        return turns_.timers().arm(s, turns_.now() + time_to_read);
    ++timeouts_;
    const bool quiet = begun && is_quiet_since(s.asked_at_);
    const auto limit = std::chrono::duration_cast<std::chrono::milliseconds>(patience_);
    const std::string text = overfull ? std::string("does not take what it is sent")
                             : begun  ? fmt::format("did not answer on a stream within {} ms", limit.count())
                                      : std::string("takes no more streams");
    end(s, {.why = begun ? errc::node_timeout : errc::node_unavailable, .in_doubt = begun, .text = text});
    if (quiet && link_)
        told_.nothing_is_answered(fmt::format("answered nothing within {} ms", limit.count()));
}

} // namespace redlock::etcd
