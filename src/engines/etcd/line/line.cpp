#include "engines/etcd/line/line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <chrono>
#include <utility>

namespace redlock::etcd {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr milliseconds first_wait{20};
constexpr milliseconds longest_wait{2'000};
constexpr milliseconds least_to_connect{1'000};
// A connection that lived for so long was a good one.
constexpr seconds long_service{2};
// A server of etcd ends connections that ask for signs of life more often than every 5 s.
constexpr seconds longest_silence{6};

std::string name_of(const network::destination& d) {
    const bool bracketed = d.host.find(':') != d.host.npos;
    return bracketed ? fmt::format("[{}]:{}", d.host, d.port) : fmt::format("{}:{}", d.host, d.port);
}

auto in_milliseconds(core::nanoseconds t) { return std::chrono::duration_cast<milliseconds>(t).count(); }

} // namespace

line::line(const strand& on, turn::turns& t, line_settings s, line_listener& told, network::io_source& io)
    : strand_(on),
      turns_(t),
      settings_(std::move(s)),
      told_(told),
      io_(io),
      waits_(first_wait, longest_wait),
      traffic_(t, settings_.patience, *this) {
    assert(!settings_.endpoints.empty() && settings_.patience.count() > 0);
    endpoint_ = name_of(settings_.endpoints.front());
}

line::~line() { abandon(); }

void line::start() {
    if (phase_ == phase::stopped && strand_) begin_attempt();
}

bool line::may_soon_serve() const noexcept {
    return phase_ != phase::stopped && failures_ < settings_.endpoints.size();
}

void line::begin_attempt() {
    const network::destination& to = settings_.endpoints[place_];
    endpoint_ = name_of(to);
    phase_ = phase::connecting;
    turns_.timers().arm(*this,
                        turns_.now() + std::max<core::nanoseconds>(settings_.patience, least_to_connect));
    std::shared_ptr<network::stream> wire = io_.make_stream(*strand_);
    if (settings_.tls) wire = settings_.tls->cover(*strand_, std::move(wire), to);
    connection_listener& told = *this;
    link_ = std::make_shared<connection>(*strand_, turns_, std::move(wire), endpoint_,
                                         settings_.tls != nullptr, told);
    link_->connect(to, attempts_++);
}

void line::heard() {
    quiet_since_ = turns_.now();
    pinged_ = false;
    if (phase_ == phase::connecting && link_->http2().is_settled()) {
        disarm();
        traffic_.use(link_);
        log_in();
    }
    woken();
}

void line::woken() {
    traffic_.take_news();
    if (link_ && (used_up_ || link_->http2().is_leaving())) begin_draining();
}

void line::begin_service() {
    phase_ = phase::serving;
    ++connects_;
    served_since_ = turns_.now();
    told_.line_serves();
}

// What is under way has its answers over this connection yet, the rest goes over the next.
void line::begin_draining() {
    if (phase_ != phase::serving) return;
    phase_ = phase::draining;
    disarm();
    traffic_.end_streams({.in_doubt = true, .text = "closes the connection"});
}

void line::member_works() noexcept {
    failures_ = 0;
    waits_.reset();
}

void line::leader_is_missing() { lose(errc::node_unavailable, "has no leader"); }

void line::broken(errc why, const std::string& text) { lose(why, text); }

bool line::has_unwritten() const noexcept {
    if (!link_) return false;
    return link_->has_unwritten() || (serves() && !renewing_ && !used_up_ && traffic_.can_begin());
}

void line::flush() noexcept {
    if (!link_) return;
    if (serves() && !renewing_ && !used_up_) used_up_ = !traffic_.begin_waiting();
    if (used_up_ && serves()) link_->wake_later();
    link_->flush();
}

void line::send_what_waits() {
    if (phase_ == phase::draining && !traffic_.has_under_way())
        lose(errc::node_unavailable, "closes the connection");
    if (!link_ && !may_soon_serve()) traffic_.fail_waiting(last_, false);
    if (serves() && !armed() && traffic_.awaits_anything()) {
        quiet_since_ = turns_.now();
        turns_.timers().arm(*this, quiet_since_ + longest_silence);
    }
}

void line::expired(time::instant now) noexcept {
    switch (phase_) {
    case phase::resting:
        return begin_attempt();
    case phase::connecting: {
        ++timeouts_;
        const network::obstacle* const met = link_->met();
        const auto limit = std::max<core::nanoseconds>(settings_.patience, least_to_connect);
        return lose(
            errc::node_timeout,
            met ? fmt::format("was not connected within {} ms: it {}", in_milliseconds(limit), met->text)
                : fmt::format("did not answer within {} ms", in_milliseconds(limit)));
    }
    case phase::serving:
        return watch_silence(now);
    default:
        return;
    }
}

void line::watch_silence(time::instant now) {
    if (!traffic_.awaits_anything()) return;
    if (now - quiet_since_ < longest_silence)
        return turns_.timers().arm(*this, quiet_since_ + longest_silence);
    if (!std::exchange(pinged_, true)) {
        link_->http2().ping();
        return turns_.timers().arm(*this, now + settings_.patience);
    }
    if (link_->has_unread()) {
        link_->read_now();
        return turns_.timers().arm(*this, now + settings_.patience);
    }
    ++timeouts_;
    lose(errc::node_timeout,
         fmt::format("gave no sign of life for {} ms", in_milliseconds(now - quiet_since_)));
}

// The next member at once, unless all were tried.
void line::lose(errc why, const std::string& text) {
    if (!link_) return;
    std::exchange(link_, nullptr)->drop();
    const bool was_good = phase_ == phase::draining ||
                          (phase_ == phase::serving && turns_.now() - served_since_ >= long_service);
    if (was_good) member_works();
    if (phase_ != phase::draining) ++failures_;
    renewing_ = pinged_ = used_up_ = false;
    place_ = (place_ + 1) % settings_.endpoints.size();
    phase_ = phase::resting;
    const bool at_once = failures_ < settings_.endpoints.size();
    turns_.timers().arm(*this, turns_.now() + (at_once ? core::nanoseconds{} : waits_.next(turns_.random())));
    last_ = {.why = why, .text = text};
    traffic_.lose(last_);
    if (!at_once) traffic_.fail_waiting(last_, false);
    told_.line_lost(why, text);
}

void line::stop() noexcept {
    phase_ = phase::stopped;
    disarm();
    traffic_.disconnect();
    if (link_) std::exchange(link_, nullptr)->close();
    strand_.reset();
}

void line::leave() noexcept {
    phase_ = phase::stopped;
    traffic_.disconnect();
    if (link_) std::exchange(link_, nullptr)->leave();
}

void line::fail_all(errc why) {
    stop();
    const failure given_up{.why = why, .text = "was left to the process before"};
    traffic_.lose(given_up);
    traffic_.fail_waiting(given_up, true);
}

void line::abandon() noexcept {
    stop();
    traffic_.abandon();
}

} // namespace redlock::etcd
