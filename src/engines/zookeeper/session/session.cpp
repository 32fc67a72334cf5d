#include "engines/zookeeper/session/session.hpp"

#include "engines/zookeeper/wire/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <limits>
#include <utility>

namespace redlock::zookeeper {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds first_wait{20};
constexpr milliseconds longest_wait{2'000};
constexpr milliseconds least_to_connect{1'000};
// For what has arrived in time.
constexpr milliseconds time_to_read{10};
// So often a client whose servers are all away tries to reach them, in the time that its session has.
constexpr int tries_in_session = 8;

auto whole_milliseconds(core::nanoseconds t) { return std::chrono::duration_cast<milliseconds>(t).count(); }

} // namespace

// Clients begin with different servers.
session::session(const strand& on, turn::turns& t, const address& to, const session_settings& s,
                 session_listener& told)
    : strand_(on),
      turns_(t),
      to_(to),
      settings_(s),
      told_(told),
      waits_(first_wait, longest_wait),
      place_(static_cast<std::size_t>(t.random()() % to.servers.size())) {}

session::~session() { abandon(); }

void session::start() {
    if (phase_ == phase::stopped && strand_) begin_attempt();
}

bool session::may_soon_serve() const noexcept {
    return phase_ != phase::stopped && failures_ < to_.servers.size();
}

void session::begin_attempt() {
    const network::destination& at = to_.servers[place_];
    server_ = name_of(at);
    phase_ = phase::connecting;
    turns_.timers().arm(*this,
                        turns_.now() + std::max<core::nanoseconds>(settings_.patience, least_to_connect));
    connection_listener& told = *this;
    link_ = std::make_shared<connection>(turns_, network::real_io().make_stream(*strand_), told);
    link_->connect(at, attempts_++);
}

void session::connected() {
    phase_ = phase::greeting;
    link_->output() += connect_packet({.last_seen = last_seen_,
                                       .timeout = static_cast<std::int32_t>(settings_.timeout.count()),
                                       .session = number_,
                                       .password = password_});
    link_->flush();
}

void session::arrived(std::string_view packet) {
    if (phase_ == phase::greeting) return greet(packet);
    std::string_view body;
    const auto head = read_head(packet, body);
    if (!head) return lose(errc::protocol_error, "sent a packet that is none of ZooKeeper's");
    if (head->transaction > 0) last_seen_ = std::max(last_seen_, head->transaction);
    switch (head->number) {
    case watch_number:
        return take_event(body);
    case ping_number:
        pinged_at_.reset();
        graced_ = false;
        return;
    case login_number:
        if (head->failed != fault::none)
            lose(errc::authentication_failed, "refused the user or the password");
        return;
    default:
        take_reply(*head, body);
    }
}

void session::greet(std::string_view packet) {
    const auto granted = read_session_grant(packet);
    if (!granted) return lose(errc::protocol_error, "did not answer like a ZooKeeper");
    if (granted->only_reads) return lose(errc::read_only, "takes no writes: it has lost the others");
    if (granted->timeout > 0 && granted->session != 0) return begin_service(*granted);
    const bool had_one = std::exchange(number_, 0) != 0;
    password_.clear();
    lose(errc::node_unavailable, had_one ? "has ended the session" : "granted no session", had_one);
    if (had_one) told_.session_expired();
}

void session::begin_service(const session_grant& g) {
    std::optional<std::string> who;
    try {
        who = login();
    } catch (const std::exception&) {
        return lose(errc::authentication_failed, "was not logged in to, for config::credentials threw");
    }
    number_ = g.session;
    password_ = g.password;
    timeout_ = milliseconds(g.timeout);
    phase_ = phase::serving;
    ++connects_;
    failures_ = 0;
    waits_.reset();
    pinged_at_.reset();
    graced_ = false;
    written_at_ = turns_.now();
    disarm();
    if (who) append_packet(link_->output(), login_number, log_in(*who));
    told_.session_serves();
}

bool session::is_logged_in() const noexcept { return settings_.log_in_as || !to_.user.empty(); }

std::optional<std::string> session::login() const {
    if (settings_.log_in_as) {
        const redlock::credentials who = settings_.log_in_as(to_.name());
        return who.user + ":" + who.password;
    }
    if (to_.user.empty()) return std::nullopt;
    return to_.user + ":" + to_.password;
}

void session::take_event(std::string_view body) {
    const auto event = read_watch_event(body);
    if (!event) return lose(errc::protocol_error, "told of a change in a way that is none of ZooKeeper's");
    if (!event->path.empty()) told_.node_changed(event->path);
}

void session::take_reply(const reply_head& head, std::string_view body) {
    if (pending_.empty() || pending_.front().number != head.number)
        return lose(errc::protocol_error, "answered what it was not asked");
    const pending answered = pending_.front();
    pending_.pop_front();
    graced_ = false;
    const core::nanoseconds took = turns_.now() - answered.sent_at;
    round_trip_ = round_trip_.count() == 0 ? took : round_trip_ + (took - round_trip_) / 8;
    const bool refused = head.failed != fault::none;
    // The next server has the session, or none has it any more: the next connection shows it.
    const bool is_over = head.failed == fault::session_expired || head.failed == fault::session_moved;
    answered.asked->answered({.what = refused ? reply::kind::refused : reply::kind::done,
                              .said = head.failed,
                              .sent_at = answered.sent_at,
                              .body = body});
    if (is_over && link_) lose(errc::node_unavailable, "does not have the session any more");
}

call& session::submit(request_body asks, call::handler told) {
    call* const c = new call(std::move(asks), std::move(told));
    waiting_.push_back(*c);
    return *c;
}

std::shared_ptr<server_word> session::ask_word(server_word::handler told) {
    if (!serves()) return nullptr;
    auto asks =
        std::make_shared<server_word>(turns_, network::real_io().make_stream(*strand_), std::move(told));
    asks->ask(to_.servers[place_], settings_.patience);
    return asks;
}

std::int32_t session::next_number() noexcept {
    last_number_ = last_number_ == std::numeric_limits<std::int32_t>::max() ? 1 : last_number_ + 1;
    return last_number_;
}

bool session::has_unwritten() const noexcept {
    return link_ && (link_->has_unwritten() || (serves() && !waiting_.empty()));
}

void session::flush() noexcept {
    if (!link_) return;
    while (serves() && !waiting_.empty()) {
        call& c = waiting_.front();
        waiting_.pop_front();
        const std::int32_t number = next_number();
        append_packet(link_->output(), number, c.asks());
        pending_.push_back({number, turns_.now(), &c});
        written_at_ = turns_.now();
        ++commands_;
    }
    link_->flush();
}

void session::send_what_waits() noexcept {
    if (!serves() && !may_soon_serve()) fail_waiting(why_);
}

core::instant session::next_deadline() const noexcept {
    core::instant next = written_at_ + timeout_ / 3;
    if (!pending_.empty()) next = std::min(next, pending_.front().sent_at + settings_.patience);
    if (pinged_at_) next = std::min(next, *pinged_at_ + timeout_ / 3);
    return next;
}

void session::after_routines() noexcept {
    if (!serves() || ended_) return;
    const core::instant next = next_deadline();
    if (!armed() || next < armed_for_) {
        armed_for_ = next;
        turns_.timers().arm(*this, next);
    }
}

void session::expired(time::instant now) noexcept {
    if (phase_ == phase::resting) return begin_attempt();
    if (phase_ != phase::serving)
        return lose(errc::node_timeout, fmt::format("was not connected within {} ms",
                                                    whole_milliseconds(std::max<core::nanoseconds>(
                                                        settings_.patience, least_to_connect))));
    const bool answers_late = !pending_.empty() && pending_.front().sent_at + settings_.patience <= now;
    const bool is_silent = pinged_at_ && *pinged_at_ + timeout_ / 3 <= now;
    if ((answers_late || is_silent) && reads_first()) return turns_.timers().arm(*this, now + time_to_read);
    if (answers_late || is_silent) {
        ++timeouts_;
        const auto limit = answers_late ? settings_.patience : core::nanoseconds(timeout_ / 3);
        return lose(errc::node_timeout,
                    fmt::format("did not answer within {} ms", whole_milliseconds(limit)));
    }
    if (written_at_ + timeout_ / 3 > now || pinged_at_) return;
    append_packet(link_->output(), ping_number, ping());
    pinged_at_ = written_at_ = now;
    link_->flush();
}

// What has arrived is late through no fault of the server.
bool session::reads_first() noexcept {
    if (graced_ || !link_->has_unread()) return false;
    graced_ = true;
    link_->read_now();
    return true;
}

// A server that comes back counts the session's time anew: it is met long before that is over.
core::nanoseconds session::rest_of_all_tried() noexcept {
    const core::nanoseconds drawn = waits_.next(turns_.random());
    return number_ == 0 ? drawn : std::min<core::nanoseconds>(drawn, timeout_ / tries_in_session);
}

// The next server at once, unless all were tried.
void session::lose(errc why, const std::string& text, bool at_once) {
    if (ended_) return has_ended();
    drop();
    why_ = why;
    ++failures_;
    place_ = (place_ + 1) % to_.servers.size();
    const bool tried_all = !at_once && failures_ % to_.servers.size() == 0;
    phase_ = phase::resting;
    turns_.timers().arm(*this, turns_.now() + (tried_all ? rest_of_all_tried() : first_wait));
    if (at_once) failures_ = 0;
    told_.connection_lost(why, text);
    fail_pending(why);
}

void session::fail_pending(errc why) {
    for (const pending& p : std::exchange(pending_, {}))
        p.asked->answered({.what = reply::kind::unknown, .why = why, .sent_at = p.sent_at});
}

void session::fail_waiting(errc why) {
    // What was held back until these are done has nothing to wait for any more, either.
    while (!waiting_.empty()) {
        call& c = waiting_.front();
        waiting_.pop_front();
        c.answered({.what = reply::kind::failed, .why = why});
    }
}

void session::drop() noexcept {
    disarm();
    if (link_) std::exchange(link_, nullptr)->drop();
}

} // namespace redlock::zookeeper
