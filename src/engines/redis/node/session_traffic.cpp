#include "engines/redis/node/server/foreign_protocol.hpp"
#include "engines/redis/node/session.hpp"
#include "engines/redis/resp/command.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <fmt/format.h>

#include <new>
#include <utility>

namespace redlock::node {
namespace {

/// Whether it came by itself, or confirms a subscription.
bool is_told(const resp::reply& reply, const connection& link) noexcept {
    if (reply.is(resp::kind::push)) return true;
    return link.only_listens && link.greeted && reply.is(resp::kind::array) && reply.size() == 3;
}

bool confirms_subscription(const resp::reply& reply) noexcept {
    const std::string_view what = reply.first().text();
    return what == "subscribe" || what == "unsubscribe";
}

/// Whether a reply that comes where a confirmation is due shows that there will be none, and belongs to the
/// command behind. Otherwise it is what the server has to say of the subscription: an error, or whatever a
/// server that is not Redis makes of it. One that has confirmed before does not do that, nor one that has
/// answered what stood behind the first; of the others it is known that that was a `PTTL`.
bool comes_instead(const connection& link, const resp::reply& reply) noexcept {
    return !reply.is(resp::kind::error) && (link.confirmed || reply.is(resp::kind::integer));
}

} // namespace

errc session::submit(const request& r) noexcept {
    const health state = health_.state();
    if (state != health::ready && !(r.cleanup && takes_cleanup(state))) return turn_away(r, state);
    fast_.settle();
    auto& output = link_->output;
    if (pending_.full() || output.size() + r.command.size() > settings_.output_limit)
        return errc::node_timeout;
    const bool needs_no_memory =
        r.stays && pending_.has_room() && output.extend(r.command, settings_.output_limit);
    if (!needs_no_memory && !take_in(r.command)) return errc::node_unavailable;
    pending_.push(r.receiver, r.tag, r.deadline, r.subscription);
    ++commands_;
    if (r.deadline < timer_->armed_for()) arm();
    return {};
}

errc session::turn_away(const request& r, health state) noexcept try {
    switch (state) {
    case health::connecting:
        return hold(r);
    case health::suspect:
        return errc::node_timeout;
    case health::quarantined:
        return errc::node_quarantined;
    default:
        return refusal_;
    }
} catch (const std::bad_alloc&) {
    return errc::node_unavailable;
}

// Apart from `submit`, which nearly always gets by without.
bool session::take_in(std::string_view command) noexcept try {
    pending_.reserve_one();
    link_->output.append(command);
    return true;
} catch (const std::bad_alloc&) {
    return false;
}

errc session::hold(const request& r) {
    if (!held_.push(r)) return errc::node_timeout;
    if (r.deadline < timer_->armed_for()) arm();
    return {};
}

void session::flush() noexcept {
    fast_.settle();
    if (!link_ || link_->output.empty()) return;
    error_code ec;
    if (!link_->blocked) write(ec);
    try {
        link_->output.keep();
    } catch (const std::bad_alloc&) {
        link_->output.forget_staying();
        ec = boost::asio::error::no_memory;
    }
    if (!ec) return;
    link_->blocked = true;
    if (ec == boost::asio::error::would_block || ec == boost::asio::error::try_again) {
        link_->wire->async_wait_writable(begin_operation());
    } else {
        // Receivers are never called from inside flush.
        boost::asio::post(strand_, [link = begin_operation(), ec] {
            link->user->go_on(*link, &session::on_write_failed, ec);
        });
    }
}

void session::write(error_code& ec) noexcept {
    start_sample();
    auto& output = link_->output;
    while (!ec && !output.empty())
        output.sent(link_->wire->write_some(output.unsent(), ec));
}

void session::on_writable(error_code ec) {
    if (ec && ec != boost::asio::error::operation_aborted) return on_write_failed(ec);
    link_->blocked = false;
    flush();
}

void session::on_write_failed(error_code ec) { lose("takes no more commands", ec); }

void session::read() {
    link_->space = link_->input.prepare();
    // Only for what is awaited, and so has a deadline that ends the wait.
    if (!grace_) link_->mark.adjust(*link_->wire, pending_.replies_awaited(), round_trip_);
    link_->wire->async_read_some(link_->space, begin_operation());
}

void session::on_read(error_code ec, std::size_t n) {
    if (ec == boost::asio::error::operation_aborted) return read(); // interrupted
    if (ec) return on_end(ec);
    connection& link = *link_; // held by the handler that runs
    const auto now = time_.now();
    if (!link.heard) link.foreign = foreign_protocol({link.space.data(), n});
    link.heard = true;
    link.input.commit(n);
    const bool greeted = link.greeted;
    const auto answered_before = pending_.removed();
    if (!take_replies(link)) return;
    if (greeted && health_.heard(now, progress_since(answered_before)))
        listener_.on_node_ready(index_, false);
    if (stopped_ || link_.get() != &link) return;
    // While there is time, not when somebody waits for what is read next.
    if (std::exchange(link.listens, false)) link.wire->acknowledge();
    end_sample(now);
    expire(now);
    if (!stopped_) read();
}

void session::on_end(error_code ec) {
    const bool plain = address_.via != address::transport::tls;
    const bool orderly = ec == boost::asio::error::eof;
    // All that a server says which waits for TLS, and hears a command.
    if (plain && !link_->heard && (orderly || ec == boost::asio::error::connection_reset))
        return lose(errc::node_unavailable,
                    "closed the connection without a word: it may expect TLS (rediss://)");
    if (orderly) return lose(errc::node_unavailable, "closed the connection");
    lose("broke the connection", ec);
}

bool session::take_replies(connection& link) {
    for (resp::reply reply;;) {
        const bool serves = link.greeted && !link.only_listens && !pending_.awaits_confirmation();
        if (const resp::reply* const brief = serves ? link.input.next_brief() : nullptr) {
            take_answer(*brief);
            if (link_.get() != &link) return false;
            continue;
        }
        switch (link.input.next(reply)) {
        case resp::read_status::incomplete:
            return true;
        case resp::read_status::malformed:
            lose(errc::protocol_error, link.foreign
                                           ? std::string(link.foreign)
                                           : fmt::format("sent no valid RESP: {}", link.input.problem()));
            return false;
        case resp::read_status::complete:
            break;
        }
        take(link, reply);
        if (link_.get() != &link) return false; // lost, or stopped from inside a callback
    }
}

void session::take(connection& link, const resp::reply& reply) {
    const bool told = is_told(reply, link);
    if (!link.greeted) {
        if (!told) greet(reply);
    } else if (pending_.awaits_confirmation()) {
        take_for_subscription(link, reply, told);
    } else if (told) {
        link.confirmed = link.confirmed || confirms_subscription(reply); // late
        listener_.on_push(index_, reply);
    } else {
        take_answer(reply);
    }
}

// A confirmation, or what comes although one is due.
void session::take_for_subscription(connection& link, const resp::reply& reply, bool told) {
    if (told && !confirms_subscription(reply)) return listener_.on_push(index_, reply);
    link.confirmed = link.confirmed || told;
    link.listens = link.listens || (told && reply.first().text() == "subscribe");
    while (!told && pending_.awaits_confirmation() && comes_instead(link, reply)) {
        link.confirmed = true; // or it would have said something else before this
        pending_.pass_over(errc::protocol_error);
        if (link_.get() != &link) return;
    }
    if (!stopped_) take_answer(reply); // not by the receiver of what was passed over
}

void session::take_answer(const resp::reply& reply) {
    if (!pending_.answer(reply)) lose(errc::protocol_error, "sent a reply to no command");
}

void session::expire(time::instant now) {
    timeouts_ += held_.expire(now);
    const auto oldest = pending_.next_deadline();
    grace_ = oldest <= now && reads_first(oldest, now);
    if (oldest > now || grace_) return;
    // A confirmation says less of a node than a reply: the server may well answer, and keep silent on
    // channels.
    pending_.expire_subscriptions(now);
    if (stopped_ || pending_.next_deadline() > now) return;
    fast_.settle();
    const bool turned_suspect = health_.missed_deadline(now);
    if (turned_suspect) {
        last_error_ = errc::node_timeout;
        const auto usual = std::chrono::ceil<std::chrono::milliseconds>(settings_.node_timeout);
        last_detail_ =
            fmt::format("let the deadline of a command pass (node_timeout is {} ms)", usual.count());
    }
    timeouts_ += pending_.expire(now);
    if (turned_suspect && !stopped_) listener_.on_node_down(index_);
}

// Replies that wait unread in the socket are late through no fault of the node; nor are those that were left
// there for the sake of the mark, however late it is by now.
bool session::reads_first(time::instant oldest, time::instant now) noexcept {
    const bool unread = link_->wire->unread();
    const bool was_left = link_->mark.lift(*link_->wire);
    if (unread && !was_left) link_->wire->interrupt();
    return unread && (was_left || now < oldest + settings_.node_timeout);
}

void session::ask(time::instant now) {
    static const std::string ping = [] {
        std::string encoded;
        resp::append_command(encoded, {"PING"});
        return encoded;
    }();
    fast_.settle();
    pending_.reserve_one();
    link_->output.append(ping);
    pending_.push(nullptr, {}, now + settings_.node_timeout);
    flush();
}

// With every look at the clock the node proves that it lives, too.
void session::ask_for_clock(time::instant now) {
    clock_due_ = now + settings_.idle_ping;
    if (std::exchange(clock_asked_, true)) return;
    clock_asked_at_ = now;
    fast_.settle();
    pending_.reserve_one();
    resp::append_command(link_->output.tail(), {"TIME"});
    pending_.push(&clock_reader_, {}, now + settings_.node_timeout);
    flush();
}

// A user may be forbidden to ask: then there is nothing to compare.
void session::take_clock(const resp::reply& reply) {
    clock_asked_ = false;
    const auto read = read_time(reply);
    if (!read || !guard_.read_clock(*read, clock_asked_at_, time_.now())) return;
    fast_.settle();
    health_.quarantine(guard_.votes_from());
    keep_out();
}

void session::start_sample() noexcept {
    if (sampling_ || pending_.empty()) return;
    sampling_ = true;
    sampled_request_ = pending_.pushed();
    sample_began_ = time_.now();
}

void session::end_sample(time::instant now) noexcept {
    if (!sampling_ || pending_.removed() < sampled_request_) return;
    sampling_ = false;
    const auto sample = now - sample_began_;
    round_trips_.record(sample);
    round_trip_ = round_trip_ == round_trip_.zero() ? sample : round_trip_ + (sample - round_trip_) / 8;
    usual_.add(sample);
}

} // namespace redlock::node
