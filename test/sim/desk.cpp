#include "sim/desk.hpp"

#include <boost/asio/post.hpp>

namespace redlock::sim {

void desk::begin_closing() {
    for (auto next = active_.begin(); next != active_.end();) {
        lock::call& c = *next++; // it may end
        c.client_closes();
    }
}

void desk::abandon() noexcept {
    is_gone_ = true;
    while (!active_.empty())
        active_.front().discard();
    gates_.abandon();
    do_in_turn_ = {};
}

void desk::do_later(std::function<void()> what) {
    if (is_gone_) return;
    boost::asio::post(executor_, [this, what = std::move(what)] { do_in_turn_(what); });
}

// No handler is on the loop of a client here: each is posted.
void desk::deliver(detail::completion_pointer<detail::completion> c) { c.release()->post(); }

} // namespace redlock::sim
