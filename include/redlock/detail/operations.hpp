#pragma once

#include <redlock/break_report.hpp>
#include <redlock/config.hpp>
#include <redlock/detail/completion.hpp>
#include <redlock/detail/key_text.hpp>
#include <redlock/error.hpp>
#include <redlock/key_report.hpp>
#include <redlock/lock_options.hpp>
#include <redlock/metrics.hpp>
#include <redlock/node_examination.hpp>

#include <chrono>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace redlock {

class lease;

namespace lock {
class client_core;
class held_lease;
} // namespace lock

/// The compiled side of the public templates. Nothing here is for use outside this library.
namespace detail {

using boost::system::error_code;

using core_pointer = std::shared_ptr<lock::client_core>;
using lease_pointer = std::shared_ptr<lock::held_lease>;

/// What one call to lock asks for, copied at the call.
struct lock_request {
    lock_request(std::string_view lock_key, const lock_options& lock_with)
        : options(lock_with),
          key(lock_key),
          stop(lock_with.stop ? *lock_with.stop : std::stop_source(std::nostopstate)) {
        options.stop = nullptr;
    }

    // A coroutine that awaits the lock destroys what is left of this when it goes on, long after the request
    // was taken out: what that looks at stands together.
    lock_options options;
    key_text key;
    std::stop_source stop;
};

using error_handler = completion_pointer<open_completion<error_code>>;
using lock_handler = completion_pointer<open_completion<error_code, lease>>;
using inspect_handler = completion_pointer<open_completion<error_code, key_report>>;
using examine_handler = completion_pointer<open_completion<error_code, std::vector<node_examination>>>;
using break_handler = completion_pointer<open_completion<error_code, break_report>>;

core_pointer open_client(asio::any_io_executor executor, config settings);
void close_client(const core_pointer& core) noexcept;
const asio::any_io_executor& executor_of(const core_pointer& core);
const asio::any_io_executor& executor_of(const lease_pointer& held);
metrics_snapshot metrics_of(const core_pointer& core);

void start_lock(const core_pointer& core, lock_request&& request, lock_handler&& handler,
                asio::cancellation_slot slot);
void start_inspect(const core_pointer& core, std::string key, inspect_handler handler,
                   asio::cancellation_slot slot);
void start_break(const core_pointer& core, key_report shown, break_handler handler,
                 asio::cancellation_slot slot);
void start_examine(const core_pointer& core, examine_handler handler, asio::cancellation_slot slot);
void start_check(const core_pointer& core, std::string key, std::uint64_t fencing_token,
                 error_handler handler, asio::cancellation_slot slot);
void start_close(const core_pointer& core, error_handler handler);

void start_unlock(const lease_pointer& held, error_handler handler, asio::cancellation_slot slot);
void start_extend(const lease_pointer& held, std::chrono::milliseconds ttl, error_handler handler,
                  asio::cancellation_slot slot);
void start_wait_lost(const lease_pointer& held, error_handler handler, asio::cancellation_slot slot);

} // namespace detail
} // namespace redlock
