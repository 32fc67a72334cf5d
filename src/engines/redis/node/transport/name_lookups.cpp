#include "engines/redis/node/transport/name_lookups.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/execution/context.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/query.hpp>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <netdb.h>
#include <sys/socket.h>
#include <system_error>
#include <tuple>
#include <utility>

namespace redlock::node {

namespace asio = boost::asio;

asio::execution_context::id name_lookups::id;

/// One who waits for one answer. Whoever is the first, the resolver's thread, the one who waits or the end of
/// the context, has the handler. There is no lock in it, which might be held in a forked child by a thread
/// that the child does not have.
class name_lookups::waiter {
public:
    waiter(const io_source::strand& on, handler told)
        : work_(on.get_inner_executor()), strand_(on), told_(std::move(told)) {}

    /// False when the wait has ended before.
    bool settle(error_code ec, const addresses& found) {
        if (settled_.exchange(true)) return false;
        asio::post(strand_, [told = std::move(told_), ec, found] { told(ec, found); });
        work_.reset();
        return true;
    }
    void drop() noexcept {
        if (settled_.exchange(true)) return;
        told_ = nullptr;
        work_.reset();
    }

private:
    std::atomic<bool> settled_{false};
    asio::executor_work_guard<asio::any_io_executor> work_;
    io_source::strand strand_;
    handler told_;
};

namespace {

// How long an answer is good that nobody has waited for.
constexpr std::chrono::seconds kept_for{10};

boost::system::error_code error_of(int code) noexcept {
    switch (code) {
    case 0:
        return {};
    case EAI_AGAIN:
        return asio::error::host_not_found_try_again;
    case EAI_FAIL:
        return asio::error::no_recovery;
    case EAI_MEMORY:
        return asio::error::no_memory;
    case EAI_SYSTEM:
        return {errno, boost::system::system_category()};
    default:
        return asio::error::host_not_found;
    }
}

/// Signals are for the threads of the program.
class without_signals {
public:
    without_signals() noexcept {
        ::sigset_t all;
        ::sigfillset(&all);
        ::pthread_sigmask(SIG_BLOCK, &all, &before_);
    }
    without_signals(const without_signals&) = delete;
    without_signals& operator=(const without_signals&) = delete;
    ~without_signals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

private:
    ::sigset_t before_{};
};

} // namespace

name_lookups& name_lookups::of(const io_source::strand& strand) {
    return asio::use_service<name_lookups>(
        asio::query(strand.get_inner_executor(), asio::execution::context));
}

std::shared_ptr<name_lookups::waiter> name_lookups::look_up(const std::string& host,
                                                            const io_source::strand& on, handler told) {
    auto waiting = std::make_shared<waiter>(on, std::move(told));
    const std::lock_guard guard(mutex_);
    drop_spent();
    std::unique_ptr<lookup>& asked = lookups_[host];
    if (asked && asked->done) {
        asked->told = true;
        waiting->settle(asked->error, asked->found);
        return waiting;
    }
    if (!asked) asked = std::make_unique<lookup>();
    asked->waiters.push_back(waiting);
    if (asked->thread.joinable()) return waiting;
    try {
        const without_signals blocked;
        asked->thread = std::thread([this, host, of = asked.get()] { run(host, *of); });
    } catch (const std::system_error& e) {
        waiting->settle({e.code().value(), boost::system::system_category()}, {});
        lookups_.erase(host);
    }
    return waiting;
}

void name_lookups::cancel(waiter& w) noexcept { w.settle(asio::error::operation_aborted, {}); }

// Also of other hosts: their names may never be asked for again. The thread of what is done is at its end.
void name_lookups::drop_spent() {
    const auto now = std::chrono::steady_clock::now();
    std::erase_if(lookups_, [now](const auto& entry) {
        lookup& one = *entry.second;
        if (!one.done || (!one.told && now - one.ended < kept_for)) return false;
        one.thread.join();
        return true;
    });
}

void name_lookups::run(const std::string& host, lookup& asked) {
    ::addrinfo wanted{};
    wanted.ai_family = AF_UNSPEC;
    wanted.ai_socktype = SOCK_STREAM; // each address once
    ::addrinfo* all = nullptr;
    error_code ec = error_of(::getaddrinfo(host.c_str(), nullptr, &wanted, &all));
    const std::unique_ptr<::addrinfo, decltype(&::freeaddrinfo)> owner(all, &::freeaddrinfo);
    addresses found;
    for (const ::addrinfo* each = all; each != nullptr; each = each->ai_next) {
        asio::ip::tcp::endpoint at;
        if (each->ai_addrlen > at.capacity()) continue;
        std::memcpy(at.data(), each->ai_addr, each->ai_addrlen);
        found.push_back(at.address());
    }
    if (!ec && found.empty()) ec = asio::error::host_not_found;
    const std::lock_guard guard(mutex_);
    asked.done = true;
    asked.ended = std::chrono::steady_clock::now();
    for (const auto& waiting : std::exchange(asked.waiters, {}))
        asked.told = waiting->settle(ec, found) || asked.told;
    asked.error = ec;
    asked.found = std::move(found);
}

// The context waits for its threads, as it does for a thread of Asio's own.
void name_lookups::shutdown() {
    if (made_in_.is_of_parent()) {
        // The threads are the parent's, and there is nothing to wait for: what is known of them must not even
        // be destroyed.
        for (auto& entry : lookups_)
            std::ignore = entry.second.release();
        return;
    }
    std::unique_lock guard(mutex_);
    const auto lookups = std::exchange(lookups_, {});
    for (const auto& entry : lookups)
        for (const auto& waiting : entry.second->waiters)
            waiting->drop();
    guard.unlock();
    for (const auto& entry : lookups)
        entry.second->thread.join();
}

} // namespace redlock::node
