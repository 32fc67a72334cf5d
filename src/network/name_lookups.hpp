#pragma once

#include "time/process_mark.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/strand.hpp>
#include <boost/system/error_code.hpp>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace redlock::network {

/// Asks the system's resolver for the addresses of hosts, for the clients of one execution context. The
/// resolver blocks, for as long as its configuration lets it (resolv.conf(5): 5 s for each server and try,
/// by default). So each name has a thread, and none waits for another name; not more than one, however often
/// it is asked for meanwhile. Nobody else waits for the thread but the context, when it is destroyed.
///
/// An answer that nobody waits for any more is kept for a moment: who has given up in the meantime asks
/// again, and would never get one from a resolver that takes longer than an attempt to connect may.
///
/// A forked child has none of the threads. Once its context is told of the fork it begins with no questions:
/// those of its parent are answered there.
///
/// Thread-safe.
class name_lookups final : public boost::asio::execution_context::service {
public:
    using strand = boost::asio::strand<boost::asio::any_io_executor>;
    using error_code = boost::system::error_code;
    using addresses = std::vector<boost::asio::ip::address>;
    /// Runs on the strand, once.
    using handler = std::function<void(error_code, const addresses&)>;
    class waiter;

    using key_type = name_lookups;
    static boost::asio::execution_context::id id;

    explicit name_lookups(boost::asio::execution_context& context);
    ~name_lookups() override;
    static name_lookups& of(const strand& on);

    /// Never empty without an error. Throws std::bad_alloc.
    std::shared_ptr<waiter> look_up(const std::string& host, const strand& on, handler told);
    /// Ends the wait with `operation_aborted`, unless it has ended. In a forked child, too.
    static void cancel(waiter& w) noexcept;

private:
    struct lookup {
        std::thread thread{};
        bool done = false;
        bool told = false; ///< to somebody
        std::chrono::steady_clock::time_point ended{};
        error_code error{};
        addresses found{};
        std::vector<std::shared_ptr<waiter>> waiters{};
    };
    /// Of the threads that this process has.
    struct questions {
        const time::process_mark asked_in{};
        std::mutex mutex{};
        std::map<std::string, std::unique_ptr<lookup>> by_host{};

        void drop_spent();
    };

    void shutdown() override;
    void notify_fork(boost::asio::execution_context::fork_event event) override;
    static void run(questions& of, const std::string& host, lookup& asked);

    std::unique_ptr<questions> questions_;
};

} // namespace redlock::network
