// One of the clients of the chaos: takes locks and writes under them until its input ends, then gives
// everything back.
//   redlock_chaos_client HISTORY NUMBER CLIENTS HOLDS SEED GUARD-IN-MS NODE-URI...

#include "chaos/history.hpp"

#include <redlock/redlock.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace redlock::chaos {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using std::chrono::milliseconds;

constexpr auto as_result = asio::as_tuple(asio::use_awaitable);
constexpr int callers = 3;

/// Wakes whoever waits for something to change: a node, or a caller that has ended.
class news final : public observer {
public:
    explicit news(asio::io_context& loop) : changed_(loop) {}

    void node_changed(std::string_view, bool, std::string_view) noexcept override { wake(); }
    void wake() { changed_.cancel(); }
    /// Until the next change, or until then.
    asio::awaitable<void> wait(asio::steady_timer::time_point until) {
        changed_.expires_at(until);
        co_await changed_.async_wait(as_result);
    }

private:
    asio::steady_timer changed_;
};

class client_process {
public:
    client_process(history& log, std::size_t number, unsigned seed, config settings)
        : log_(log),
          number_(number),
          random_(seed),
          news_(std::make_shared<news>(loop_)),
          locks_(loop_.get_executor(), observed(std::move(settings))),
          input_(loop_, ::dup(0)) {}

    void run() {
        asio::co_spawn(loop_, wait_for_the_end(), asio::detached);
        for (int i = 0; i < callers; ++i) {
            const bool long_ones = i == 0 && !mortal(number_);
            asio::co_spawn(loop_, long_ones ? take_long_leases() : take_turns(), asio::detached);
        }
        loop_.run();
    }

private:
    config observed(config settings) const {
        settings.observer = news_;
        return settings;
    }
    int between(int low, int high) { return std::uniform_int_distribution(low, high)(random_); }
    bool in(int chance) { return between(1, 100) <= chance; }

    asio::awaitable<void> wait_for_the_end() {
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

    bool all_nodes_are_ready() const {
        const metrics_snapshot seen = locks_.metrics();
        return std::ranges::all_of(seen.nodes, [](const node_metrics& n) { return n.state == "ready"; });
    }

    asio::awaitable<void> sleep(int from, int to) {
        asio::steady_timer pause(loop_, milliseconds(between(from, to)));
        co_await pause.async_wait(as_result);
    }

    /// Takes the lock, or gives up, or is cancelled; an empty lease then.
    asio::awaitable<lease> acquire(const std::string& key, lock_options options) {
        // Shared with a timer's handler that may be on its way when the coroutine goes on.
        const auto cancel = std::make_shared<asio::cancellation_signal>();
        asio::steady_timer impatience(loop_);
        if (in(25)) {
            impatience.expires_after(milliseconds(between(0, 300)));
            impatience.async_wait([cancel](error_code ended) {
                if (!ended) cancel->emit(asio::cancellation_type::total);
            });
        }
        page& mine = log_.page_of(number_);
        ++mine.calls;
        auto token = asio::bind_cancellation_slot(cancel->slot(), as_result);
        auto [failure, granted] = co_await locks_.async_lock(key, options, token);
        if (failure == asio::error::operation_aborted)
            ++mine.cancelled;
        else if (failure && failure != errc::held && failure != errc::wait_timeout)
            ++mine.failed;
        co_return std::move(granted);
    }

    lock_options any_options() {
        constexpr int waits[] = {0, 200, 2000};
        lock_options options;
        options.ttl = milliseconds(between(600, 1200));
        options.wait = in(20) ? forever : milliseconds(waits[between(0, 2)]);
        options.renew = in(80);
        options.fencing = true;
        options.lock_delay = milliseconds(in(10) ? 300 : 0);
        return options;
    }

    asio::awaitable<void> take_turns() {
        while (!over_) {
            const auto key = static_cast<std::uint32_t>(between(0, keys - 1));
            const lock_options options = any_options();
            const auto asked = now();
            lease held = co_await acquire("key:" + std::to_string(key), options);
            if (held) {
                co_await write_under(held, key, asked);
                if (in(10)) co_await held.async_extend(milliseconds(between(600, 1200)), as_result);
                if (in(70)) co_await held.async_unlock(as_result);
            }
            co_await sleep(0, 40);
        }
        ++ended_;
        news_->wake();
    }

    asio::awaitable<void> write_under(lease& held, std::uint32_t key, std::int64_t asked) {
        const auto granted = now();
        if (!held.valid()) co_return;
        hold* const record = log_.begin_hold(number_);
        if (record == nullptr) co_return;
        record->asked = asked;
        record->key = key;
        record->token = held.fencing_token().value();
        record->granted = granted;
        record->last_valid = granted;
        const bool to_the_end = in(4); // as one that forgets to look
        for (auto writes = between(1, 12); writes > 0 || to_the_end; --writes) {
            const auto looked = now();
            if (!held.valid()) co_return;
            record->last_valid = looked;
            co_await sleep(0, 30); // as a write takes its time on its way
            write(held, key);
            if (to_the_end && over_) co_return;
        }
    }

    void write(const lease& held, std::uint32_t key) {
        resource& written = log_.resource_of(key);
        if (written.write(held.fencing_token().value())) return;
        ++(held.valid() ? written.wronged : written.rejected);
    }

    /// Leases that would outlive the whole run: the one key of this client is gone in the end only if all
    /// that was ever taken was given back.
    asio::awaitable<void> take_long_leases() {
        lock_options options;
        options.ttl = std::chrono::hours(1);
        options.renew = false;
        while (!over_) {
            options.wait = milliseconds(in(50) ? 0 : 500);
            lease held = co_await acquire("long:" + std::to_string(number_), options);
            co_await sleep(0, 200);
            if (held && in(50)) co_await held.async_unlock(as_result);
        }
        ++ended_;
        news_->wake();
    }

    history& log_;
    const std::size_t number_;
    std::mt19937 random_;
    asio::io_context loop_{1};
    std::shared_ptr<news> news_;
    client locks_;
    asio::posix::stream_descriptor input_;
    bool over_ = false;
    int ended_ = 0;
};

} // namespace
} // namespace redlock::chaos

int main(int count, char** arguments) {
    using namespace redlock::chaos;
    const std::vector<std::string> words(arguments + 1, arguments + count);
    redlock::config settings;
    settings.node_timeout = std::chrono::milliseconds(100);
    settings.restart_guard = std::chrono::milliseconds(std::stoll(words.at(5)));
    settings.nodes.assign(words.begin() + 6, words.end());
    try {
        const auto number = std::stoul(words.at(1));
        history log(words.at(0), std::stoul(words.at(2)), std::stoul(words.at(3)));
        client_process process(log, number, static_cast<unsigned>(std::stoul(words.at(4))), settings);
        process.run();
    } catch (const std::exception& e) {
        std::cerr << "client " << words.at(1) << ": " << e.what() << std::endl;
        return 1;
    }
}
