#include "lock/call.hpp"

#include "lock/client_core.hpp"

#include <boost/asio/post.hpp>

namespace redlock::lock {

void call::send(const std::shared_ptr<call>& c, const boost::asio::cancellation_slot& slot) {
    c->keep_ = c;
    if (slot.is_connected()) {
        boost::asio::cancellation_slot cancels(slot);
        cancels.assign([weak = std::weak_ptr(c)](boost::asio::cancellation_type type) {
            const auto cancelled = weak.lock();
            if (!cancelled || type == boost::asio::cancellation_type::none) return;
            // Behind the call itself, which was sent before anybody could cancel it.
            boost::asio::post(cancelled->core_->on_strand(),
                              [cancelled] { cancelled->core_->turn([&] { cancelled->cancel(); }); });
        });
    }
    c->core_->calls().push(*c);
}

runtime& call::runtime() noexcept { return core_->runtime(); }

void call::arrive() noexcept {
    core_->active().push_back(*this);
    begin();
}

void call::discard() noexcept {
    const auto alive = std::move(keep_);
    unlink();
    drop_handler();
}

} // namespace redlock::lock
