#include "engines/renewals.hpp"

#include "engines/client_settings.hpp"
#include "interruption.hpp"

#include <redlock/redlock.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <fmt/format.h>

#include <ctime>
#include <exception>
#include <stdexcept>

namespace bench::engines {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using steady = std::chrono::steady_clock;

constexpr std::size_t takers = 256;

double cpu_seconds() {
    timespec t{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) / 1e9;
}

class holder_of_many {
public:
    holder_of_many(const std::vector<std::string>& nodes, const holding& plan)
        : plan_(plan), locks_(loop_.get_executor(), settings_of(nodes)), leases_(plan.leases) {}

    renewed run() {
        for (std::size_t first = 0; first < takers; ++first)
            asio::co_spawn(loop_, take_every(first), [this](std::exception_ptr failure) {
                --running_;
                if (failure) std::rethrow_exception(failure);
            });
        run_until("granted", [this] { return running_ == 0; });
        const auto before = locks_.metrics();
        const double cpu = cpu_seconds();
        const auto began = steady::now();
        run_until("renewed", [&] { return steady::now() - began >= plan_.duration; });
        const std::chrono::duration<double> took = steady::now() - began;
        const double used = cpu_seconds() - cpu;
        const auto after = locks_.metrics();
        const renewed seen{.renewals = after.renewals - before.renewals,
                           .lost = after.lost_by_deadline + after.lost_by_majority,
                           .share_of_a_core = used / took.count()};
        leases_.clear();
        bool closed = false;
        locks_.async_close([&](boost::system::error_code) { closed = true; });
        run_until("given back", [&] { return closed; });
        return seen;
    }

private:
    asio::awaitable<void> take_every(std::size_t first) {
        const redlock::lock_options options{.ttl = plan_.ttl};
        for (std::size_t i = first; i < plan_.leases; i += takers) {
            const auto key = fmt::format("bench:held:{:05}", i);
            leases_[i] = co_await locks_.async_lock(key, options);
        }
    }

    template <class Reached>
    void run_until(const char* what, Reached reached) {
        const auto deadline = steady::now() + plan_.duration + 60s;
        while (!reached()) {
            loop_.restart();
            loop_.run_for(20ms);
            throw_if_interrupted();
            if (steady::now() > deadline)
                throw std::runtime_error(
                    fmt::format("{} leases are not {} within a minute", plan_.leases, what));
        }
    }

    const holding plan_;
    asio::io_context loop_{1};
    redlock::client locks_;
    std::vector<redlock::lease> leases_;
    std::size_t running_ = takers;
};

} // namespace

renewed run_renewals(const std::vector<std::string>& nodes, const holding& plan) {
    holder_of_many all(nodes, plan);
    return all.run();
}

} // namespace bench::engines
