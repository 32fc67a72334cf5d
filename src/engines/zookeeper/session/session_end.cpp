// How a session comes to its end.

#include "engines/zookeeper/session/session.hpp"

#include <boost/asio/post.hpp>

#include <utility>

namespace redlock::zookeeper {

// The client's timers have stopped by then.
void session::end(std::function<void()> ended) {
    ended_ = std::move(ended);
    if (!serves()) return has_ended();
    disarm();
    closing_timer_ = network::real_io().make_timer(*strand_);
    const core::instant now = turns_.now();
    closing_timer_->arm(now + settings_.patience, now, [this](boost::system::error_code ec) {
        if (!ec && ended_) has_ended();
    });
    submit(close_session(), [this](const reply&) { has_ended(); });
    flush();
}

void session::has_ended() noexcept {
    auto ended = std::exchange(ended_, nullptr);
    if (!ended) return;
    const strand on = *strand_;
    stop();
    boost::asio::post(on, std::move(ended));
}

void session::stop() noexcept {
    phase_ = phase::stopped;
    drop();
    if (const auto last = std::move(closing_timer_)) last->cancel();
    strand_.reset();
}

void session::leave() noexcept {
    if (link_) std::exchange(link_, nullptr)->leave();
    number_ = 0;
    password_.clear();
    phase_ = phase::stopped;
}

void session::fail_all(errc why) {
    stop();
    why_ = why;
    fail_pending(why);
    fail_waiting(why);
}

void session::abandon() noexcept {
    stop();
    ended_ = nullptr; // it keeps the client alive that this is a part of
    for (const pending& p : std::exchange(pending_, {}))
        delete p.asked;
    while (!waiting_.empty())
        delete &waiting_.front();
}

} // namespace redlock::zookeeper
