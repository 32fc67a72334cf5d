#include "lease/call.hpp"

#include "turn/only_thread.hpp"

namespace redlock::lock {

void call::send(call& c, const boost::asio::cancellation_slot& slot) {
    if (c.desk().is_gone()) {
        const auto alive = std::move(c.keep_);
        return c.client_is_gone();
    }
    try {
        if (slot.is_connected()) c.heed(slot);
    } catch (...) {
        c.drop();
        throw;
    }
    turn::inbox& calls = c.lessee().turns().calls();
    // On another thread the call may complete, and whatever kept the client be gone, before this returns.
    const std::shared_ptr<lock::lessee> client = turn::is_only_thread() ? nullptr : c.lessee_;
    calls.push(c);
}

void call::heed(boost::asio::cancellation_slot slot) {
    slot.assign([weak = std::weak_ptr(keep_)](boost::asio::cancellation_type type) {
        const auto cancelled = weak.lock();
        if (!cancelled || type == boost::asio::cancellation_type::none) return;
        // Behind the call itself, which was sent before anybody could cancel it.
        cancelled->desk().do_later([cancelled] { cancelled->cancel(); });
    });
}

void call::arrive() noexcept {
    desk().active().push_back(*this);
    begin();
}

void call::discard() noexcept {
    const auto alive = std::move(keep_);
    unlink();
    drop_handler();
}

} // namespace redlock::lock
