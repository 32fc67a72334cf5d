// lease::async_unlock, async_extend, async_downgrade and async_wait_lost.

#include "lease/call.hpp"
#include "lease/held_lease.hpp"
#include "lease/request_text.hpp"

#include <redlock/detail/operations.hpp>

#include <boost/asio/post.hpp>

#include <string>
#include <string_view>
#include <type_traits>

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

    void hears_of(const boost::system::error_code& outcome, const engine::failure& more) noexcept override {
        explain(outcome, [&] { return more.describe(std::string(deed) + quoted_key(held_->key())); });
    }

    void hears_of_wrong_ttl(std::chrono::milliseconds lock_delay,
                            std::chrono::milliseconds stop_margin) noexcept override {
        explain(errc::invalid_option, [&] {
            return fault_text_of_extension(wanted_ttl, lock_delay, stop_margin, lessee().settings().drift);
        });
    }

    void answered(const boost::system::error_code& outcome) noexcept override {
        if (outcome == errc::lease_lost)
            explain(outcome, [&] { return "the lease of the lock " + quoted_key(held_->key()) + is_over; });
        else if (outcome == errc::closed)
            explain(outcome, [&] {
                return "the client was closed, and the lease of the lock " + quoted_key(held_->key()) +
                       " has ended with it";
            });
        else if (downgrades && outcome == errc::invalid_option)
            explain(outcome, [&] {
                return "the lease of the lock " + quoted_key(held_->key()) +
                       " cannot be downgraded: it is not one for writing, or is an owner's";
            });
        else if (downgrades && outcome == errc::unsupported)
            explain(outcome, [&] {
                return "the engine cannot downgrade the lease of the lock " + quoted_key(held_->key());
            });
        complete(outcome);
        end();
    }

    // As types: under UndefinedBehaviorSanitizer g++ compares no members at compile time.
    static constexpr bool extends = std::is_same_v<lease_call, lease_call<&held_lease::extend>>;
    static constexpr bool downgrades = std::is_same_v<lease_call, lease_call<&held_lease::downgrade>>;
    static constexpr std::string_view deed = extends      ? "extended the lock "
                                             : downgrades ? "downgraded the lock "
                                                          : "confirmed the release of the lock ";
    static constexpr const char* is_over =
        extends      ? " is over and cannot be extended: it was lost, or unlocked"
        : downgrades ? " is over and cannot be downgraded: it was lost, or unlocked"
                     : " had been lost, or unlocked before";

    const detail::lease_pointer held_;
};

template <void (held_lease::*Start)(lease_waiter&)>
void send(const detail::lease_pointer& held, detail::error_handler&& handler,
          const boost::asio::cancellation_slot& slot,
          std::chrono::milliseconds ttl = std::chrono::milliseconds(0)) {
    if (!held) {
        explain_to(*handler, make_error_code(errc::lease_lost),
                   [] { return std::string("the lease is empty: it was never granted, or was moved from"); });
        return complete_for_nobody<>(std::move(handler), make_error_code(errc::lease_lost));
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

void detail::start_downgrade(const lease_pointer& held, error_handler handler, asio::cancellation_slot slot) {
    lock::send<&lock::held_lease::downgrade>(held, std::move(handler), slot);
}

void detail::start_wait_lost(const lease_pointer& held, error_handler handler, asio::cancellation_slot slot) {
    lock::send<&lock::held_lease::wait_lost>(held, std::move(handler), slot);
}

} // namespace redlock
