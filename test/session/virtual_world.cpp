#include "session/virtual_world.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/execution/context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/query.hpp>

#include <algorithm>
#include <utility>

namespace redlock::test {

namespace asio = boost::asio;

asio::execution_context::id virtual_world::id;

virtual_world& virtual_world::of(const virtual_strand& strand) {
    return asio::use_service<virtual_world>(
        asio::query(strand.get_inner_executor(), asio::execution::context));
}

void virtual_world::suspend(std::chrono::nanoseconds time) noexcept {
    now_ += time;
    asleep_ += time;
}

time::instant virtual_world::next_timer() const noexcept {
    auto next = time::instant::max();
    for (const auto* timer : timers_)
        if (timer->woken_) next = std::min(next, timer->due_ + asleep_);
    return next;
}

bool virtual_world::ring() {
    bool any = false;
    for (auto* timer : timers_) {
        if (!timer->woken_ || timer->due_ > awake()) continue;
        any = true;
        timer->complete({});
    }
    return any;
}

std::shared_ptr<network::stream> virtual_world::make_stream(const virtual_strand& on) {
    ++wires_;
    return wire_ = std::make_shared<virtual_wire>(on, fault);
}

std::unique_ptr<network::wake_timer> virtual_world::make_timer(const virtual_strand& on) {
    return std::make_unique<virtual_timer>(on, *this);
}

void virtual_world::shutdown() { wire_.reset(); }

virtual_timer::virtual_timer(const virtual_strand& on, virtual_world& world) : strand_(on), world_(world) {
    world_.timers_.push_back(this);
}

virtual_timer::~virtual_timer() { std::erase(world_.timers_, this); }

void virtual_timer::wait(time::instant at, time::instant now, handler woken) {
    constexpr std::chrono::nanoseconds at_once{0};
    constexpr std::chrono::nanoseconds longest = std::chrono::hours(1);
    abort();
    due_ = world_.awake() + std::clamp(at - now, at_once, longest);
    woken_ = std::move(woken);
}

void virtual_timer::abort() { complete(asio::error::operation_aborted); }

void virtual_timer::complete(boost::system::error_code ec) {
    if (!woken_) return;
    asio::post(strand_, [woken = std::exchange(woken_, nullptr), ec] { woken(ec); });
}

} // namespace redlock::test
