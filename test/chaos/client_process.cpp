#include "chaos/client_process.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <algorithm>
#include <unistd.h>
#include <utility>

namespace redlock::chaos {
namespace {

using boost::system::error_code;
using std::chrono::milliseconds;

constexpr int callers = 3;

} // namespace

client_process::client_process(history& log, std::size_t number, unsigned seed, const client_terms& terms,
                               std::vector<std::string> nodes)
    : log_(log),
      number_(number),
      random_(seed),
      news_(std::make_shared<news>(loop_)),
      terms_(terms),
      locks_(loop_.get_executor(), settings(std::move(nodes))),
      input_(loop_, ::dup(0)) {}

void client_process::run() {
    asio::co_spawn(loop_, wait_for_the_end(), asio::detached);
    if (terms_.leads) asio::co_spawn(loop_, follow(), asio::detached);
    for (int i = 0; i < callers; ++i) {
        const bool long_ones = i == 0 && !mortal(number_) && terms_.keeps_all;
        asio::co_spawn(loop_, long_ones ? take_long_leases() : take_turns(), asio::detached);
    }
    loop_.run();
}

config client_process::settings(std::vector<std::string> nodes) const {
    config c;
    c.nodes = std::move(nodes);
    c.node_timeout = terms_.node_timeout;
    c.restart_guard = terms_.restart_guard;
    c.observer = news_;
    return c;
}
asio::awaitable<void> client_process::wait_for_the_end() {
    char byte = 0;
    co_await input_.async_read_some(asio::buffer(&byte, 1), as_result);
    over_ = true;
    // Whoever starts this process ends it when it takes too long.
    while (ended_ < callers)
        co_await news_->wait(asio::steady_timer::time_point::max());
    // Every node is told what it is owed as soon as it is ready: when the backoff and the quarantine are
    // over.
    const auto bound = std::chrono::steady_clock::now() + std::chrono::seconds(15);
    while (!all_nodes_are_ready() && std::chrono::steady_clock::now() < bound)
        co_await news_->wait(bound);
    co_await locks_.async_close(as_result);
}

bool client_process::all_nodes_are_ready() const {
    const metrics_snapshot seen = locks_.metrics();
    return std::ranges::all_of(seen.nodes, [](const node_metrics& n) { return n.state == "ready"; });
}

asio::awaitable<void> client_process::sleep(int from, int to) {
    asio::steady_timer pause(loop_, milliseconds(between(from, to)));
    co_await pause.async_wait(as_result);
}

client_process::impatience client_process::any_impatience(int longest) {
    // The signal is shared with a timer's handler that may be on its way when the coroutine goes on.
    impatience has{std::make_shared<asio::cancellation_signal>(), asio::steady_timer(loop_)};
    if (in(25)) {
        has.timer.expires_after(milliseconds(between(0, longest)));
        has.timer.async_wait([cancel = has.cancel](error_code ended) {
            if (!ended) cancel->emit(asio::cancellation_type::total);
        });
    }
    return has;
}
template <class Held, class Begin>
asio::awaitable<Held> client_process::acquire(Begin begin) {
    const impatience has = any_impatience(300);
    page& mine = log_.page_of(number_);
    ++mine.calls;
    auto token = asio::bind_cancellation_slot(has.cancel->slot(), as_result);
    auto [failure, granted] = co_await begin(token);
    if (failure == asio::error::operation_aborted)
        ++mine.cancelled;
    else if (failure && failure != errc::held && failure != errc::wait_timeout)
        ++mine.failed;
    co_return std::move(granted);
}
asio::awaitable<lease> client_process::acquire_one(std::string key, lock_options options) {
    auto begin = [&](auto& token) { return locks_.async_lock(key, options, token); };
    co_return co_await acquire<lease>(begin);
}
asio::awaitable<leadership> client_process::acquire_lead(std::string value, lock_options options) {
    auto begin = [&](auto& token) { return locks_.async_campaign("lead", value, options, token); };
    co_return co_await acquire<leadership>(begin);
}
asio::awaitable<lease_set> client_process::acquire_all(std::vector<std::string> wanted,
                                                       lock_options options) {
    auto begin = [&](auto& token) { return locks_.async_lock_all(wanted, options, token); };
    co_return co_await acquire<lease_set>(begin);
}
asio::awaitable<bool> client_process::becomes_a_reader(lease& held) {
    const impatience has = any_impatience(20);
    auto token = asio::bind_cancellation_slot(has.cancel->slot(), as_result);
    auto [failure] = co_await held.async_downgrade(token);
    co_return !failure;
}

} // namespace redlock::chaos
