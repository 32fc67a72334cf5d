#include "engines/redis/node/session.hpp"

#include <boost/asio/post.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace redlock::node {
namespace {

health_limits limits_from(const node_settings& settings) noexcept {
    using std::chrono::nanoseconds;
    const nanoseconds second = std::chrono::seconds(1);
    return {.connect = std::max(second, settings.node_timeout),
            .idle_ping = settings.idle_ping,
            .silence = std::max(second, 10 * settings.node_timeout),
            .backoff_floor = settings.backoff_floor,
            .backoff_ceiling = settings.backoff_ceiling};
}

std::int64_t milliseconds_of(std::chrono::nanoseconds d) noexcept {
    return std::chrono::ceil<std::chrono::milliseconds>(d).count();
}

} // namespace

void connection::on_connected(error_code ec) { user->go_on(*this, &session::on_connected, ec); }
void connection::on_read(error_code ec, std::size_t n) { user->go_on(*this, &session::on_read, ec, n); }
void connection::on_writable(error_code ec) { user->go_on(*this, &session::on_writable, ec); }

session::session(redis_node::strand on, address to, std::uint32_t index, node_settings settings,
                 node_listener& listener, const time::time_source& time, std::uint64_t seed,
                 network::io_source& over)
    : strand_(std::move(on)),
      address_(std::move(to)),
      name_(address_.name()),
      index_(index),
      group_(std::move(settings.group)),
      settings_(std::move(settings)),
      listener_(listener),
      time_(time),
      io_(over),
      jitter_(seed),
      health_(limits_from(settings_)),
      guard_(settings_.restart_guard, settings_.drift),
      held_(settings_.request_limit, settings_.output_limit),
      pending_(settings_.request_limit),
      timer_(io_.make_timer(strand_)),
      fast_(health_, pending_, timer_->armed_for(), settings_.output_limit) {
    server_.database = address_.database;
}

void session::start() {
    if (stopped_) return;
    if (group_) group_->add(*this);
    connect();
    arm();
}

void session::begin_service() {
    const auto now = time_.now();
    timeouts_ += held_.expire(now);
    if (stopped_) return;
    if (is_refused(link_->greeting.server())) return;
    const std::string before = std::exchange(server_, link_->greeting.server()).replication_id;
    guard_.connected(server_, now);
    if (group_) came_to_master(before, now);
    if (is_of_cluster())
        guard_.serves_slots(server_.replication_id, server_.promoted, now, settings_.belief_in_owner);
    if (server_.clock) guard_.read_clock(*server_.clock, link_->greeting_began, now);
    clock_due_ = guard_.on() ? now + settings_.idle_ping : time::instant::max();
    health_.connected(now, guard_.votes_from());
    link_->greeted = true;
    least_round_trip_ = link_->wire->least_round_trip().value_or(std::chrono::nanoseconds(0));
    ++connects_;
    if (moved_) listener_.on_node_moved(index_);
    if (stopped_) return;
    if (health_.state() == health::quarantined)
        keep_out();
    else
        serve();
}

// A replica that was promoted has all that its master had told it, and not what that had granted last.
void session::came_to_master(const std::string& replication_id_before, time::instant now) {
    const auto& place = group_->master();
    guard_.leads_group(server_.replication_id, place ? place->since : now, group_->belief());
    moved_ = moved_ || (!replication_id_before.empty() && replication_id_before != server_.replication_id);
}

// Whatever it is, it cannot vote.
bool session::is_refused(const server_info& server) {
    if (settings_.only_listens || settings_.refuses_nobody) return false;
    if (server.role == "replica" && !is_of_cluster()) {
        lose(errc::read_only, group_ ? "is a replica still, though its Sentinels name it the master"
                                     : "is a replica, which can hold no locks of its own");
        return true;
    }
    const std::string_view other = listener_.same_server(index_, server);
    if (other.empty()) return false;
    lose(errc::duplicate_node, fmt::format("is the same server as {}", other));
    return true;
}

void session::keep_out() {
    ++quarantines_;
    last_error_ = errc::node_quarantined;
    last_detail_ = guard_.reason();
    held_.fail_all(errc::node_quarantined);
    if (!stopped_) listener_.on_node_down(index_);
}

void session::serve() {
    // First what is to be undone of earlier connections: what was held may do the same anew.
    const auto link = link_;
    if (std::exchange(moved_, false)) listener_.on_node_moved(index_);
    if (stopped_ || link_ != link) return;
    listener_.on_node_ready(index_, true);
    if (stopped_ || link_ != link) return;
    fast_.settle();
    while (const auto held = held_.take()) {
        pending_.reserve_one();
        link_->output.append(held->command);
        pending_.push(held->receiver, held->tag, held->deadline, held->subscription);
        ++commands_;
    }
    flush();
}

void session::lose(errc why, std::string detail) {
    const bool took = takes_requests();
    fast_.settle();
    if (link_) {
        if (link_->greeted) ++disconnects_;
        // What was written is told anew on the next connection, or taken back there, and must not come after
        // that.
        link_->wire->drop_unsent();
    }
    close();
    health_.lost(time_.now(), jitter_);
    refusal_ = last_error_ = why;
    last_detail_ = std::move(detail);
    held_.fail_all(why);
    pending_.fail_all(why);
    if (took && !stopped_) listener_.on_node_down(index_);
}

// Where no more is known than what the system says.
void session::lose(std::string_view what, error_code ec) {
    if (const network::obstacle* const met = link_->wire->met()) return lose(met->why, met->text);
    lose(errc::node_unavailable, fmt::format("{}: {}", what, ec.message()));
}

void session::close() noexcept {
    fast_.close();
    if (link_) link_->wire->close();
    link_.reset();
    sampling_ = false;
    grace_ = false;
    clock_due_ = time::instant::max();
}

bool session::takes_requests() const noexcept {
    return health_.state() == health::ready || health_.state() == health::connecting;
}

bool session::quiet() const noexcept {
    return health_.state() == health::suspect ? pending_.empty() : !pending_.awaited();
}

node_health::progress session::progress_since(std::uint64_t answered_before) const noexcept {
    using progress = node_health::progress;
    if (pending_.overdue() == 0) return progress::caught_up;
    return pending_.removed() > answered_before ? progress::answers : progress::none;
}

void session::wake() {
    const auto now = time_.now();
    expire(now);
    if (stopped_) return;
    if (clock_due_ <= now) ask_for_clock(now);
    switch (health_.due(now, quiet())) {
    case node_health::action::nothing:
        return;
    case node_health::action::connect:
        return connect();
    case node_health::action::ask:
        return ask(now);
    case node_health::action::admit:
        health_.admitted();
        return serve();
    case node_health::action::give_up: {
        if (!link_) return lose(group_->failure(), group_->problem());
        const network::obstacle* const met = link_->wire->met();
        return lose(errc::node_unavailable, fmt::format("did not complete the handshake within {} ms{}{}",
                                                        milliseconds_of(health_.limits().connect),
                                                        met ? " and " : "", met ? met->text : ""));
    }
    case node_health::action::drop:
        return lose(errc::node_unavailable, fmt::format("stayed silent for {} ms after a missed deadline",
                                                        milliseconds_of(health_.limits().silence)));
    }
}

void session::arm() {
    // Replies that are about to be read may save what is overdue, but not for ever.
    const auto grace = grace_ ? settings_.node_timeout : std::chrono::nanoseconds(0);
    const auto overdue = pending_.awaited() ? pending_.next_deadline() + grace : time::instant::max();
    const auto at = std::min({overdue, held_.next_deadline(), health_.next_look(quiet()), clock_due_});
    const auto now = time_.now();
    // A timer that is overdue stood still while the machine was suspended, and may have long to wait yet.
    if (at >= timer_->armed_for() && timer_->armed_for() > now) return;
    ++running_;
    timer_->arm(at, now, [self = shared_from_this()](error_code ec) {
        --self->running_;
        if (!ec && !self->stopped_) {
            self->timer_->fired();
            self->listener_.on_turn_begin();
            self->wake();
            self->end_turn();
        }
        self->tell_ended();
    });
}

void session::end_turn() {
    if (!stopped_) listener_.on_turn_end();
    if (stopped_) return;
    pending_.release_if_idle();
    arm();
}

void session::stop(std::function<void()> ended) {
    if (!stopped_) {
        stopped_ = true;
        fast_.settle();
        close();
        timer_->cancel();
        leave_group();
        health_.lost(time_.now(), jitter_);
        refusal_ = errc::closed;
        held_.fail_all(errc::closed);
        pending_.fail_all(errc::closed);
    }
    if (!ended) return;
    ended_.push_back(std::move(ended));
    ++running_;
    boost::asio::post(strand_, [self = shared_from_this()] {
        --self->running_;
        self->tell_ended();
    });
}

void session::tell_ended() {
    if (!stopped_ || running_ > 0) return;
    for (const auto& ended : std::exchange(ended_, {}))
        ended();
}

void session::abandon() noexcept {
    stopped_ = true;
    fast_.settle();
    held_.clear();
    pending_.clear();
    close();
    timer_->cancel();
    leave_group();
}

status session::report() const {
    status s{.state = health_.state(),
             .last_error = last_error_,
             .last_error_text = {},
             .master = {},
             .commands = commands_ + fast_.submitted(),
             .timeouts = timeouts_,
             .connects = connects_,
             .disconnects = disconnects_,
             .quarantines = quarantines_,
             .round_trip = round_trip_,
             .round_trips = round_trips_};
    if (last_error_ != errc{}) s.last_error_text = fmt::format("{} {}", name_, last_detail_);
    if (group_ && !address_.host.empty()) s.master = endpoint{address_.host, address_.port}.name();
    return s;
}

} // namespace redlock::node
