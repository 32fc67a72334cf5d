#include "engines/redis/node/server/node_health.hpp"

#include <algorithm>

namespace redlock::node {

void node_health::attempt_started(time::instant now) noexcept {
    phase_ = phase::attempting;
    mark_ = now + limits_.connect;
}

void node_health::connected(time::instant now, time::instant votes_from) noexcept {
    phase_ = phase::connected;
    state_ = health::ready;
    heard_at_ = now;
    votes_from_ = votes_from;
    quarantined_ = votes_from > now;
}

bool node_health::quarantine(time::instant votes_from) noexcept {
    const bool took_requests = state() == health::ready;
    votes_from_ = votes_from;
    quarantined_ = true;
    return took_requests;
}

bool node_health::heard(time::instant now, progress made) noexcept {
    heard_at_ = now;
    backoff_.reset();
    if (state_ != health::suspect) return false;
    if (made != progress::none) mark_ = now + limits_.silence;
    if (made != progress::caught_up) return false;
    state_ = health::ready;
    return !quarantined_;
}

bool node_health::missed_deadline(time::instant now) noexcept {
    if (state_ != health::ready) return false;
    state_ = health::suspect;
    mark_ = now + limits_.silence;
    return true;
}

void node_health::lost(time::instant now, core::random& jitter) noexcept {
    phase_ = phase::backing_off;
    quarantined_ = false;
    state_ = health::unavailable;
    mark_ = now + backoff_.next(jitter);
}

time::instant node_health::next_look(bool quiet) const noexcept {
    switch (phase_) {
    case phase::idle:
        return time::instant::max();
    case phase::attempting:
    case phase::backing_off:
        return mark_;
    case phase::connected:
        break;
    }
    const auto ask_at = quiet ? heard_at_ + limits_.idle_ping : time::instant::max();
    if (state_ == health::suspect) return std::min(mark_, ask_at);
    return quarantined_ ? std::min(votes_from_, ask_at) : ask_at;
}

node_health::action node_health::due(time::instant now, bool quiet) const noexcept {
    if (now < next_look(quiet)) return action::nothing;
    switch (phase_) {
    case phase::idle:
        return action::nothing;
    case phase::attempting:
        return action::give_up;
    case phase::backing_off:
        return action::connect;
    case phase::connected:
        break;
    }
    if (state_ == health::suspect && now >= mark_) return action::drop;
    return state_ == health::ready && quarantined_ && now >= votes_from_ ? action::admit : action::ask;
}

} // namespace redlock::node
