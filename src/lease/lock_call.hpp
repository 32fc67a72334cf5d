#pragma once

#include "lease/call.hpp"

#include <redlock/detail/operations.hpp>
#include <redlock/lease.hpp>

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string_view>
#include <utility>

namespace redlock::lock {

/// What one call for a lock asks for, copied at the call.
struct lock_request {
    lock_request(std::string_view lock_key, const lock_options& lock_with)
        : options(lock_with),
          key(lock_key),
          stop(lock_with.stop ? *lock_with.stop : std::stop_source(std::nostopstate)),
          has_owner(lock_with.owner != nullptr),
          owner(has_owner ? lock_with.owner->identity() : 0) {
        options.stop = nullptr;
        options.owner = nullptr;
    }

    lock_options options;
    detail::key_text key;
    std::stop_source stop;
    bool has_owner;
    std::uint64_t owner; ///< 0 for nobody
};

/// A call that completes with a lease, of whatever kind. Belongs to whoever sends or drops it.
class lock_call : public completing_call<lease> {
public:
    /// Made with memory of the pool.
    template <class Kind, class... Arguments>
    static lock_call* make(const Arguments&... arguments) {
        auto made = std::allocate_shared<Kind>(detail::pool_allocator<Kind>(), arguments...);
        lock_call* const itself = made.get();
        itself->keep(std::move(made));
        return itself;
    }
    /// Another that asks for the same. Not once it was sent.
    virtual lock_call* another() const = 0;

    using call::drop;
    using completing_call::set_handler;
    const boost::asio::any_io_executor& clients_executor() noexcept { return desk().executor(); }

protected:
    using completing_call::completing_call;

    /// 0, or why it cannot even be tried.
    errc fault_of_request(const lock_request& asked);
    /// Completes with that, and ends.
    void refuse(errc why, const lock_request& asked);
    void complete_with(detail::lease_pointer held);
};

/// client::async_lock and async_try_lock of a key that one may hold.
lock_call* make_single_call(const std::shared_ptr<lessee>& l, std::string_view key,
                            const lock_options& options);

/// Likewise for an owner.
lock_call* make_owned_call(const std::shared_ptr<lessee>& l, std::string_view key,
                           const lock_options& options);

} // namespace redlock::lock
