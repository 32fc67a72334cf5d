#include "network/name_lookups.hpp"

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
#if defined(__GLIBC__)
#include <netinet/in.h>
#include <resolv.h>
#endif
#include <sys/socket.h>
#include <system_error>
#include <tuple>
#include <utility>

namespace redlock::network {

namespace asio = boost::asio;

asio::execution_context::id name_lookups::id;

/// One who waits for one answer. Whoever is the first, the resolver's thread, the one who waits or the end of
/// the context, has the handler. There is no lock in it, which might be held in a forked child by a thread
/// that the child does not have.
class name_lookups::waiter {
public:
    waiter(const strand& on, handler told)
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
    strand strand_;
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

/// In a forked child, glibc gives a new thread the stack of one that the parent has, and with it the socket
/// on which that one waits for its name server: each would take the answers of the other. A thread begins
/// with nothing. What is left behind is not closed: its number may be that of something else by now.
void forget_resolver_of_parent() noexcept {
#if defined(__GLIBC__)
    _res = {};
#endif
}

} // namespace

name_lookups::name_lookups(asio::execution_context& context)
    : service(context), questions_(std::make_unique<questions>()) {}

name_lookups::~name_lookups() = default;

name_lookups& name_lookups::of(const strand& on) {
    return asio::use_service<name_lookups>(asio::query(on.get_inner_executor(), asio::execution::context));
}

std::shared_ptr<name_lookups::waiter> name_lookups::look_up(const std::string& host, const strand& on,
                                                            handler told) {
    auto waiting = std::make_shared<waiter>(on, std::move(told));
    questions& all = *questions_;
    const std::lock_guard guard(all.mutex);
    all.drop_spent();
    std::unique_ptr<lookup>& asked = all.by_host[host];
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
        asked->thread = std::thread([&all, host, of = asked.get()] { run(all, host, *of); });
    } catch (const std::system_error& e) {
        waiting->settle({e.code().value(), boost::system::system_category()}, {});
        all.by_host.erase(host);
    }
    return waiting;
}

void name_lookups::cancel(waiter& w) noexcept { w.settle(asio::error::operation_aborted, {}); }

// Also of other hosts: their names may never be asked for again. The thread of what is done is at its end.
void name_lookups::questions::drop_spent() {
    const auto now = std::chrono::steady_clock::now();
    std::erase_if(by_host, [now](const auto& entry) {
        lookup& one = *entry.second;
        if (!one.done || (!one.told && now - one.ended < kept_for)) return false;
        one.thread.join();
        return true;
    });
}

void name_lookups::run(questions& of, const std::string& host, lookup& asked) {
    forget_resolver_of_parent();
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
    const std::lock_guard guard(of.mutex);
    asked.done = true;
    asked.ended = std::chrono::steady_clock::now();
    for (const auto& waiting : std::exchange(asked.waiters, {}))
        asked.told = waiting->settle(ec, found) || asked.told;
    asked.error = ec;
    asked.found = std::move(found);
}

// The context waits for its threads, as it does for a thread of Asio's own.
void name_lookups::shutdown() {
    if (questions_->asked_in.is_of_parent()) {
        std::ignore = questions_.release();
        return;
    }
    std::unique_lock guard(questions_->mutex);
    const auto lookups = std::exchange(questions_->by_host, {});
    for (const auto& entry : lookups)
        for (const auto& waiting : entry.second->waiters)
            waiting->drop();
    guard.unlock();
    for (const auto& entry : lookups)
        entry.second->thread.join();
}

// The threads are the parent's, and one of them may have had the mutex: what is known of them must not even
// be destroyed. Who waits leaves by itself, with its client.
void name_lookups::notify_fork(asio::execution_context::fork_event event) {
    if (event != asio::execution_context::fork_child || !questions_->asked_in.is_of_parent()) return;
    auto none = std::make_unique<questions>();
    std::ignore = questions_.release();
    questions_ = std::move(none);
}

} // namespace redlock::network
