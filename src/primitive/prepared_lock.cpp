// Which kind of call a lock is.

#include "lease/lock_call.hpp"
#include "primitive/permits/permit_call.hpp"

#include <redlock/detail/operations.hpp>

#include <utility>

namespace redlock::detail {

namespace {

lock::lock_call* make_call(const core_pointer& core, std::string_view key, const lock_options& options) {
    if (!core) return nullptr;
    const std::shared_ptr<lock::lessee> lessee = lock::lessee_of(core);
    if (options.owner) return lock::make_owned_call(lessee, key, options);
    return options.permits > 1 || options.mode == mode::read
               ? primitive::make_permit_call(lessee, key, options)
               : lock::make_single_call(lessee, key, options);
}

} // namespace

prepared_lock::prepared_lock(const core_pointer& core, std::string_view key, const lock_options& options)
    : call_(make_call(core, key, options)) {}

prepared_lock::prepared_lock(const prepared_lock& other) {
    if (other.call_) call_.reset(other.call_->another());
}

void prepared_lock::dropper::operator()(lock::lock_call* c) const noexcept { c->drop(); }

const asio::any_io_executor& prepared_lock::clients_executor() const noexcept {
    return call_ ? call_->clients_executor() : executor_of_nobody();
}

void prepared_lock::start(lock_handler&& handler, asio::cancellation_slot slot) {
    if (!call_) return lock::complete_for_nobody<lease>(std::move(handler), make_error_code(errc::closed));
    call_->set_handler(std::move(handler));
    lock::call::send(*call_.release(), slot);
}

} // namespace redlock::detail
