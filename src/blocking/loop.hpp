#pragma once

#include "time/process_mark.hpp"

#include <redlock/client.hpp>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include <memory>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <utility>

namespace redlock::blocking::detail {

/// A client with the thread that it runs on. Leases share it with the client of threads; it works until that
/// one closes it.
class loop {
public:
    /// Throws what the client throws, and std::system_error.
    static std::shared_ptr<loop> start(config settings);
    loop(const loop&) = delete;
    loop& operator=(const loop&) = delete;

    /// Calls `begin(client&)`, which starts an operation. Throws boost::system::system_error where the caller
    /// must not wait for its end: when this is closed, on the own thread, and in a child that was forked.
    template <class Begin>
    void begin(Begin begin) {
        expect_waiting_is_possible();
        const std::shared_lock open(gate_);
        if (is_closed_) throw boost::system::system_error(make_error_code(errc::closed));
        begin(locks_);
    }

    /// Closes the client and waits for the end of the thread.
    void close() noexcept;

private:
    explicit loop(config settings);
    void expect_waiting_is_possible() const;
    bool is_own_thread() const noexcept { return context_.get_executor().running_in_this_thread(); }

    const time::process_mark origin_;
    mutable asio::io_context context_{1};
    redlock::client locks_;
    asio::executor_work_guard<asio::io_context::executor_type> work_;
    std::thread thread_;
    // What begins before the client closes is completed by the thread; behind that there is nobody to do it.
    std::shared_mutex gate_;
    bool is_closed_ = false;
};

/// What a lease of a thread has.
struct held_lease {
    std::shared_ptr<loop> where; ///< outlives the lease
    redlock::lease what;
};

} // namespace redlock::blocking::detail
