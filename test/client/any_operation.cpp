#include "any_operation.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>

#include <tuple>
#include <utility>

namespace redlock::test {

std::ostream& operator<<(std::ostream& out, operation what) {
    constexpr const char* names[] = {"lock",  "try_lock", "with_lock", "inspect",   "break_lock", "examine",
                                     "check", "unlock",   "extend",    "wait_lost", "close"};
    return out << names[static_cast<std::size_t>(what)];
}

asio::awaitable<void> wait_for_cancellation(lease&) {
    asio::steady_timer timer(co_await asio::this_coro::executor, asio::steady_timer::time_point::max());
    co_await timer.async_wait(asio::use_awaitable);
}

namespace {

auto note_exception(const std::shared_ptr<ending>& end) {
    return [end](std::exception_ptr failure) {
        ++end->completions;
        try {
            if (failure) std::rethrow_exception(failure);
        } catch (const boost::system::system_error& error) {
            end->error = error.code();
        }
    };
}

// Of key "wanted", held by somebody who does not have it.
key_report report_of_nobody(const client& locks) {
    key_report shown;
    shown.key = "wanted";
    for (const node_metrics& node : locks.metrics().nodes) {
        shown.nodes.emplace_back().node = node.node;
        shown.nodes.back().value = "nobody";
    }
    return shown;
}

} // namespace

void start(operation what, client& locks, lease& held, const std::shared_ptr<ending>& end,
           asio::cancellation_slot slot) {
    const auto note = [end](error_code failure) {
        ++end->completions;
        end->error = failure;
    };
    const auto keep = [end, note](error_code failure, lease granted) {
        note(failure);
        end->granted = std::move(granted);
    };
    const auto look = [note](error_code failure, const key_report&) { note(failure); };
    const auto look_back = [note](error_code failure, const break_report&) { note(failure); };
    const auto look_at_all = [note](error_code failure, const std::vector<node_examination>&) {
        note(failure);
    };
    const auto bound = [slot](auto handler) {
        return asio::bind_cancellation_slot(slot, std::move(handler));
    };
    switch (what) {
    case operation::lock:
        return locks.async_lock("wanted", patiently(), bound(keep));
    case operation::try_lock:
        return locks.async_try_lock("wanted", patiently(), bound(keep));
    case operation::with_lock:
        return locks.async_with_lock("wanted", patiently(), wait_for_cancellation,
                                     bound(note_exception(end)));
    case operation::inspect:
        return locks.async_inspect("wanted", bound(look));
    case operation::break_lock:
        return locks.async_break(report_of_nobody(locks), bound(look_back));
    case operation::examine:
        return locks.async_examine(bound(look_at_all));
    case operation::check:
        return locks.async_check("held", 1, bound(note));
    case operation::unlock:
        return held.async_unlock(bound(note));
    case operation::extend:
        return held.async_extend(2 * long_ttl, bound(note));
    case operation::wait_lost:
        return held.async_wait_lost(bound(note));
    case operation::close:
        return locks.async_close(bound(note));
    }
}

asio::awaitable<void> perform(operation what, client& locks, lease& held) {
    switch (what) {
    case operation::lock:
        std::ignore = co_await locks.async_lock("wanted", patiently());
        co_return;
    case operation::try_lock:
        std::ignore = co_await locks.async_try_lock("wanted", patiently());
        co_return;
    case operation::with_lock:
        co_await locks.async_with_lock("wanted", patiently(), wait_for_cancellation);
        co_return;
    case operation::inspect:
        co_await locks.async_inspect("wanted");
        co_return;
    case operation::break_lock: {
        const key_report shown = report_of_nobody(locks);
        co_await locks.async_break(shown);
        co_return;
    }
    case operation::examine:
        co_await locks.async_examine();
        co_return;
    case operation::check:
        co_return co_await locks.async_check("held", 1);
    case operation::unlock:
        co_return co_await held.async_unlock();
    case operation::extend:
        co_return co_await held.async_extend(2 * long_ttl);
    case operation::wait_lost:
        co_return co_await held.async_wait_lost();
    case operation::close:
        co_return co_await locks.async_close();
    }
}

} // namespace redlock::test
