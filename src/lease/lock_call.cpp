// client::async_lock and async_try_lock.

#include "lease/acquire.hpp"
#include "lease/call.hpp"
#include "lease/held_lease.hpp"
#include "lease/refusal_text.hpp"
#include "lease/request_text.hpp"
#include "turn/outcome.hpp"

#include <redlock/detail/key_text.hpp>
#include <redlock/detail/operations.hpp>
#include <redlock/lease.hpp>

#include <variant>

namespace redlock {
namespace lock {

namespace {

/// What one call asks for, copied at the call.
struct lock_request {
    lock_request(std::string_view lock_key, const lock_options& lock_with)
        : options(lock_with),
          key(lock_key),
          stop(lock_with.stop ? *lock_with.stop : std::stop_source(std::nostopstate)) {
        options.stop = nullptr;
    }

    lock_options options;
    detail::key_text key;
    std::stop_source stop;
};

} // namespace

class lock_call final : public completing_call<lease>, private acquire_listener {
public:
    lock_call(std::shared_ptr<lock::lessee> r, std::string_view key, const lock_options& options)
        : completing_call(std::move(r)), state_(std::in_place_type<lock_request>, key, options) {}

    /// Another that asks for the same. Not once it was sent.
    lock_call(const lock_call& other)
        : completing_call(other.shared_lessee()), state_(*std::get_if<lock_request>(&other.state_)) {}

    /// Belongs to whoever sends or drops it.
    template <class... Arguments>
    static lock_call* make(const Arguments&... arguments) {
        auto made = std::allocate_shared<lock_call>(detail::pool_allocator<lock_call>(), arguments...);
        lock_call* const itself = made.get();
        itself->keep(std::move(made));
        return itself;
    }
    using call::drop;
    using completing_call::set_handler;
    const boost::asio::any_io_executor& clients_executor() noexcept { return desk().executor(); }

private:
    void begin() override {
        lock_request& asked = *std::get_if<lock_request>(&state_);
        if (const errc refusal = check(asked); refusal != errc{}) return refuse(refusal, asked);
        acquire_listener& listener = *this;
        auto wanted = lessee().engine().claim_key(lessee().settings().key_prefix, std::move(asked.key),
                                                  asked.options.fencing);
        // What was asked for is gone before the acquire is there.
        const lock_options options = asked.options;
        std::stop_source stop = std::move(asked.stop);
        state_.emplace<acquire>(shared_lessee(), std::move(wanted), options, std::move(stop), listener)
            .start();
    }

    errc check(const lock_request& asked) {
        const lock::settings& settings = lessee().settings();
        if (const errc e = check_key(asked.key, settings.key_prefix.size()); e != errc{}) return e;
        if (const errc e = check_options(asked.options, settings.drift); e != errc{}) return e;
        return lessee().closing() ? errc::closed : errc{};
    }

    void refuse(errc why, const lock_request& asked) {
        lessee().counts().call_refused(why);
        explain(why, [&] {
            const lock::settings& settings = lessee().settings();
            if (why == errc::invalid_key) return fault_text_of_key(asked.key, settings.key_prefix.size());
            if (why == errc::invalid_option) return fault_text_of(asked.options, settings.drift);
            return "the client is closed and grants no lock " + quoted_key(asked.key);
        });
        complete(make_error_code(why), lease());
        end();
    }

    void cancel() noexcept override {
        if (auto* under_way = std::get_if<acquire>(&state_); under_way && !completed()) under_way->cancel();
    }

    void granted(detail::lease_pointer held) noexcept override {
        complete(turn::success, lease(std::move(held)));
    }
    void not_granted(errc why, const engine::failure* more) noexcept override {
        if (why == errc{}) return complete(boost::asio::error::operation_aborted, lease());
        acquire& failed = *std::get_if<acquire>(&state_);
        explain(why, [&] { return refusal_text(failed.told(), why, more); });
        complete(make_error_code(why), lease());
    }
    void acquire_over() noexcept override { end(); }

    std::variant<lock_request, acquire> state_; ///< one in the place of the other
};

} // namespace lock

namespace detail {

prepared_lock::prepared_lock(const core_pointer& core, std::string_view key, const lock_options& options)
    : call_(core ? lock::lock_call::make(lock::lessee_of(core), key, options) : nullptr) {}

prepared_lock::prepared_lock(const prepared_lock& other) {
    if (other.call_) call_.reset(lock::lock_call::make(*other.call_));
}

void prepared_lock::dropper::operator()(lock::lock_call* c) const noexcept { c->drop(); }

const asio::any_io_executor& prepared_lock::clients_executor() const noexcept {
    return call_ ? call_->clients_executor() : executor_of_nobody();
}

void prepared_lock::start(lock_handler&& handler, asio::cancellation_slot slot) && {
    if (!call_) return lock::complete_for_nobody<lease>(std::move(handler), make_error_code(errc::closed));
    call_->set_handler(std::move(handler));
    lock::call::send(*call_.release(), slot);
}

} // namespace detail

} // namespace redlock
