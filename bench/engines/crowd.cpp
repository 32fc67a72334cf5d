#include "engines/crowd.hpp"

#include "engines/client_settings.hpp"
#include "event_loop.hpp"

#include <redlock/redlock.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <algorithm>
#include <deque>
#include <exception>
#include <optional>

namespace bench::engines {
namespace {

namespace asio = boost::asio;
using steady = std::chrono::steady_clock;
using milliseconds_of = std::chrono::duration<double, std::milli>;

constexpr std::chrono::seconds most_patience{1};

double percentile(std::vector<double>& values, double share) {
    if (values.empty()) return 0;
    const auto at = static_cast<std::ptrdiff_t>(static_cast<double>(values.size() - 1) * share + 0.5);
    std::nth_element(values.begin(), values.begin() + at, values.end());
    return values[static_cast<std::size_t>(at)];
}

class crowd_loop {
public:
    crowd_loop(const std::vector<std::string>& nodes, const crowd& plan) : plan_(plan) {
        for (std::size_t i = 0; i < plan.clients; ++i)
            clients_.emplace_back(loop_.get_executor(), settings_of(nodes));
    }

    contended run() {
        began_ = steady::now();
        running_ = clients_.size();
        for (std::size_t i = 0; i < clients_.size(); ++i)
            asio::co_spawn(loop_, contend(i), [](std::exception_ptr failure) {
                if (failure) std::rethrow_exception(failure);
            });
        run_to_end(loop_, plan_.duration + std::chrono::seconds(30));
        const std::chrono::duration<double> took = ended_ - began_;
        seen_.hand_offs = passed_.size();
        seen_.grants_per_second = static_cast<double>(seen_.grants) / took.count();
        seen_.p50_milliseconds = percentile(passed_, 0.50);
        seen_.p99_milliseconds = percentile(passed_, 0.99);
        return seen_;
    }

private:
    bool goes_on() const { return steady::now() - began_ < plan_.duration; }

    asio::awaitable<void> contend(std::size_t self) {
        while (goes_on()) {
            try {
                co_await hold_once(self);
            } catch (const std::exception&) {
                ++seen_.failures;
                if (holder_ == self) holder_.reset();
            }
        }
        ended_ = steady::now();
        if (--running_ > 0) co_return;
        for (auto& each : clients_)
            co_await each.async_close();
    }

    // Whoever has given it back lets another have it first.
    asio::awaitable<void> hold_once(std::size_t self) {
        const auto asked = steady::now();
        auto lease = co_await clients_[self].async_lock("bench:contended", options_);
        note_grant(self, asked);
        const std::uint64_t grants = seen_.grants;
        asio::steady_timer timer(loop_, plan_.hold);
        co_await timer.async_wait(asio::deferred);
        holder_.reset();
        released_ = steady::now();
        co_await lease.async_unlock();
        const auto end = steady::now() + most_patience;
        while (seen_.grants == grants && goes_on() && steady::now() < end) {
            timer.expires_after(std::chrono::milliseconds(1));
            co_await timer.async_wait(asio::deferred);
        }
    }

    void note_grant(std::size_t self, steady::time_point asked) {
        const auto now = steady::now();
        ++seen_.grants;
        seen_.overlaps += holder_.has_value();
        holder_ = self;
        const double waited = milliseconds_of(now - asked).count();
        seen_.longest_wait_milliseconds = std::max(seen_.longest_wait_milliseconds, waited);
        if (last_ && *last_ != self) passed_.push_back(milliseconds_of(now - released_).count());
        last_ = self;
    }

    const crowd plan_;
    // At the end nobody may be left to wait for.
    const redlock::lock_options options_{.wait = std::chrono::seconds(5)};
    asio::io_context loop_{1};
    std::deque<redlock::client> clients_;
    steady::time_point began_{}, ended_{}, released_{};
    std::optional<std::size_t> holder_, last_;
    std::vector<double> passed_;
    std::size_t running_ = 0;
    contended seen_;
};

} // namespace

contended run_crowd(const std::vector<std::string>& nodes, const crowd& plan) {
    crowd_loop all(nodes, plan);
    return all.run();
}

} // namespace bench::engines
