#pragma once

#include <redlock/break_report.hpp>
#include <redlock/config.hpp>
#include <redlock/detail/handler_completion.hpp>
#include <redlock/error.hpp>
#include <redlock/key_list.hpp>
#include <redlock/key_report.hpp>
#include <redlock/leader_info.hpp>
#include <redlock/lock_options.hpp>
#include <redlock/metrics.hpp>
#include <redlock/node_examination.hpp>

#include <boost/smart_ptr/intrusive_ptr.hpp>

#include <chrono>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace redlock {

class leadership;
class lease;
class lease_set;

namespace primitive {
class campaign_call;
class set_call;
} // namespace primitive

namespace lock {
class client_core;
class held_lease;
class lock_call;

// For any thread.
void intrusive_ptr_add_ref(held_lease* held) noexcept;
void intrusive_ptr_release(held_lease* held) noexcept;
} // namespace lock

/// The compiled side of the public templates. Nothing here is for use outside this library.
namespace detail {

using boost::system::error_code;

using core_pointer = std::shared_ptr<lock::client_core>;
/// One word, for it goes through completions and the frames of coroutines.
using lease_pointer = boost::intrusive_ptr<lock::held_lease>;
using lease_pointers = std::vector<lease_pointer>;

using error_handler = completion_pointer<open_completion<>>;
using lock_handler = completion_pointer<open_completion<lease>>;
using lease_set_handler = completion_pointer<open_completion<lease_set>>;
using leadership_handler = completion_pointer<open_completion<leadership>>;
using leader_handler = completion_pointer<open_completion<leader_info>>;
using inspect_handler = completion_pointer<open_completion<key_report>>;
using list_handler = completion_pointer<open_completion<key_list>>;
using examine_handler = completion_pointer<open_completion<std::vector<node_examination>>>;
using break_handler = completion_pointer<open_completion<break_report>>;

/// A call to lock with a copy of what it asks for, until it is started. A coroutine that awaits the lock
/// keeps this in its frame: no more than a pointer.
class prepared_lock {
public:
    using granted = lease;
    prepared_lock(const core_pointer& core, std::string_view key, const lock_options& options);
    prepared_lock(prepared_lock&&) noexcept = default;
    /// Another call that asks for the same; none when the other was started. Throws std::bad_alloc.
    prepared_lock(const prepared_lock& other);
    prepared_lock& operator=(prepared_lock other) noexcept {
        call_.swap(other.call_);
        return *this;
    }
    ~prepared_lock() = default;

    const asio::any_io_executor& clients_executor() const noexcept;
    /// Once.
    void start(lock_handler&& handler, asio::cancellation_slot slot);

private:
    struct dropper {
        void operator()(lock::lock_call* c) const noexcept;
    };
    std::unique_ptr<lock::lock_call, dropper> call_;
};

/// Likewise for several keys.
class prepared_set {
public:
    using granted = lease_set;

    prepared_set(const core_pointer& core, std::vector<std::string> keys, const lock_options& options);

    const asio::any_io_executor& clients_executor() const noexcept;
    void start(lease_set_handler&& handler, asio::cancellation_slot slot);

private:
    core_pointer core_;
    std::vector<std::string> keys_;
    lock_options options_;
    std::stop_source stop_;
};

/// Likewise for the right to lead.
class prepared_campaign {
public:
    using granted = leadership;

    prepared_campaign(const core_pointer& core, std::string_view name, std::string_view value,
                      const lock_options& options);

    const asio::any_io_executor& clients_executor() const noexcept;
    void start(leadership_handler&& handler, asio::cancellation_slot slot);

private:
    core_pointer core_;
    std::string name_;
    std::string value_;
    lock_options options_;
    std::stop_source stop_;
    bool has_owner_;
};

core_pointer open_client(asio::any_io_executor executor, config settings);
void close_client(const core_pointer& core) noexcept;
/// Of an empty client or lease: nothing else could stand in for a handler's.
const asio::any_io_executor& executor_of_nobody();
const asio::any_io_executor& executor_of(const core_pointer& core);
const asio::any_io_executor& executor_of(const lease_pointer& held);
/// Of the first of them.
const asio::any_io_executor& executor_of(const lease_pointers& held);
metrics_snapshot metrics_of(const core_pointer& core);

void start_inspect(const core_pointer& core, std::string key, inspect_handler handler,
                   asio::cancellation_slot slot);
void start_list(const core_pointer& core, std::string beginning, list_handler handler,
                asio::cancellation_slot slot);
void start_break(const core_pointer& core, key_report shown, break_handler handler,
                 asio::cancellation_slot slot);
void start_examine(const core_pointer& core, examine_handler handler, asio::cancellation_slot slot);
void start_check(const core_pointer& core, std::string key, std::uint64_t fencing_token,
                 error_handler handler, asio::cancellation_slot slot);
void start_observe(const core_pointer& core, std::string name, leader_mark known, leader_handler handler,
                   asio::cancellation_slot slot);
void start_close(const core_pointer& core, error_handler handler);

void start_unlock(const lease_pointer& held, error_handler handler, asio::cancellation_slot slot);
void start_extend(const lease_pointer& held, std::chrono::milliseconds ttl, error_handler handler,
                  asio::cancellation_slot slot);
void start_downgrade(const lease_pointer& held, error_handler handler, asio::cancellation_slot slot);
void start_proclaim(const lease_pointer& held, std::string value, error_handler handler,
                    asio::cancellation_slot slot);
void start_wait_lost(const lease_pointer& held, error_handler handler, asio::cancellation_slot slot);
void start_unlock(lease_pointers held, error_handler handler, asio::cancellation_slot slot);
void start_wait_lost(lease_pointers held, error_handler handler, asio::cancellation_slot slot);

/// Starts a call on a client: with the one of these functions that takes what the user gave, a handler of the
/// results and its cancellation slot.
template <auto Start, class... Results>
struct initiation {
    template <class Handler, class... Arguments>
    void operator()(Handler&& handler, const core_pointer& core, Arguments... arguments) const {
        auto slot = cancellation_slot_of(handler);
        Start(core, std::move(arguments)...,
              erase_handler<Results...>(std::forward<Handler>(handler), executor_of(core)), slot);
    }
};

} // namespace detail
} // namespace redlock
