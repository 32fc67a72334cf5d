#include "lease/call.hpp"

#include "client/client_core.hpp"
#include "turn/only_thread.hpp"

#include <boost/asio/post.hpp>

namespace redlock::lock {

void call::send(call& c, const boost::asio::cancellation_slot& slot) {
    try {
        if (slot.is_connected()) c.heed(slot);
    } catch (...) {
        c.drop();
        throw;
    }
    inbox& calls = c.runtime().calls();
    // On another thread the call may complete, and whatever kept the client be gone, before this returns.
    const std::shared_ptr<lock::runtime> client = is_only_thread() ? nullptr : c.runtime_;
    calls.push(c);
}

void call::heed(boost::asio::cancellation_slot slot) {
    slot.assign([weak = std::weak_ptr(keep_)](boost::asio::cancellation_type type) {
        const auto cancelled = weak.lock();
        if (!cancelled || type == boost::asio::cancellation_type::none) return;
        // Behind the call itself, which was sent before anybody could cancel it.
        boost::asio::post(cancelled->core().on_strand(),
                          [cancelled] { cancelled->core().turn([&] { cancelled->cancel(); }); });
    });
}

client_core& call::core() noexcept { return client_core::of(*runtime_); }

void call::deliver(detail::completion_pointer<detail::completion> c) { core().deliver(std::move(c)); }

void call::arrive() noexcept {
    core().active().push_back(*this);
    begin();
}

void call::discard() noexcept {
    const auto alive = std::move(keep_);
    unlink();
    drop_handler();
}

} // namespace redlock::lock
