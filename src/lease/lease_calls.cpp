// lease::async_unlock, async_extend and async_wait_lost.

#include "lease/call.hpp"
#include "lease/held_lease.hpp"

#include <redlock/detail/operations.hpp>

#include <boost/asio/post.hpp>

namespace redlock {
namespace lock {

namespace {

/// A call that waits for something to happen to a lease: `Start` is the member that it waits with.
template <void (held_lease::*Start)(lease_waiter&)>
class lease_call final : public completing_call<>, private lease_waiter {
public:
    lease_call(const detail::lease_pointer& held, handler&& h, std::chrono::milliseconds ttl)
        : completing_call(held->owner(), std::move(h)), held_(held) {
        wanted_ttl = ttl;
    }

private:
    void begin() override {
        do_alive([this] { (held_.get()->*Start)(*this); }); // an answer may end this call
    }

    void cancel() noexcept override {
        if (completed()) return;
        lease_waiter::unlink();
        answered(boost::asio::error::operation_aborted);
    }

    void answered(const boost::system::error_code& outcome) noexcept override {
        held_->fetch_ahead();
        complete(outcome);
        end();
    }

    const detail::lease_pointer held_;
};

template <void (held_lease::*Start)(lease_waiter&)>
void send(const detail::lease_pointer& held, detail::error_handler&& handler,
          const boost::asio::cancellation_slot& slot,
          std::chrono::milliseconds ttl = std::chrono::milliseconds(0)) {
    if (!held) {
        handler->set(make_error_code(errc::lease_lost));
        handler.release()->post(); // nobody's executor is never a client's loop
        return;
    }
    call::send(std::allocate_shared<lease_call<Start>>(detail::pool_allocator<lease_call<Start>>(), held,
                                                       std::move(handler), ttl),
               slot);
}

} // namespace

} // namespace lock

void detail::start_unlock(const lease_pointer& held, error_handler handler, asio::cancellation_slot slot) {
    if (held) held->disown();
    lock::send<&lock::held_lease::unlock>(held, std::move(handler), slot);
}

void detail::start_extend(const lease_pointer& held, std::chrono::milliseconds ttl, error_handler handler,
                          asio::cancellation_slot slot) {
    lock::send<&lock::held_lease::extend>(held, std::move(handler), slot, ttl);
}

void detail::start_wait_lost(const lease_pointer& held, error_handler handler, asio::cancellation_slot slot) {
    lock::send<&lock::held_lease::wait_lost>(held, std::move(handler), slot);
}

} // namespace redlock
