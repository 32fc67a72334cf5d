// client::async_lock and async_try_lock.

#include "lock/acquire.hpp"
#include "lock/call.hpp"
#include "lock/client_core.hpp"
#include "lock/entropy.hpp"
#include "lock/held_lease.hpp"
#include "lock/server_error.hpp"

#include <redlock/detail/operations.hpp>
#include <redlock/lease.hpp>

#include <variant>

namespace redlock {
namespace lock {

namespace {

class lock_call final : public completing_call<lease>, private acquire_listener {
public:
    lock_call(std::shared_ptr<lock::runtime> r, detail::lock_request&& request, handler&& h)
        : completing_call(std::move(r), std::move(h)), state_(std::move(request)) {}

private:
    void begin() override {
        detail::lock_request& asked = *std::get_if<detail::lock_request>(&state_);
        if (const errc refusal = check(asked); refusal != errc{}) return refuse(refusal);
        const lock::settings& settings = runtime().settings();
        acquire_listener& listener = *this;
        auto wanted = std::allocate_shared<claim>(detail::pool_allocator<claim>(), settings.key_prefix,
                                                  std::move(asked.key), new_token(),
                                                  asked.options.fencing ? runtime().propose_fence() : 0);
        const lock_terms terms = terms_of(asked.options, settings.drift);
        // What was asked for is gone before the acquire is there.
        std::stop_source stop = std::move(asked.stop);
        state_.emplace<acquire>(shared_runtime(), std::move(wanted), terms, std::move(stop), listener)
            .start();
    }

    errc check(const detail::lock_request& asked) {
        const lock::settings& settings = runtime().settings();
        if (const errc e = check_key(asked.key, settings.key_prefix.size()); e != errc{}) return e;
        if (const errc e = check_options(asked.options, settings.drift); e != errc{}) return e;
        return runtime().closing() ? errc::closed : errc{};
    }

    void refuse(errc why) {
        runtime().counts().call_refused(why);
        complete(make_error_code(why), lease());
        end();
    }

    void cancel() noexcept override {
        if (auto* under_way = std::get_if<acquire>(&state_); under_way && !completed()) under_way->cancel();
    }

    void granted(std::shared_ptr<held_lease> held) noexcept override {
        complete(success, client_core::lease_of(std::move(held)));
    }
    void not_granted(errc why) noexcept override {
        if (why == errc{})
            complete(boost::asio::error::operation_aborted, lease());
        else
            complete(make_error_code(why), lease());
    }
    void acquire_over() noexcept override { end(); }

    std::variant<detail::lock_request, acquire> state_; ///< one in the place of the other
};

} // namespace

} // namespace lock

void detail::start_lock(const core_pointer& core, lock_request&& request, lock_handler&& handler,
                        asio::cancellation_slot slot) {
    lock::call::send(std::allocate_shared<lock::lock_call>(pool_allocator<lock::lock_call>(),
                                                           lock::client_core::runtime_of(core),
                                                           std::move(request), std::move(handler)),
                     slot);
}

} // namespace redlock
