// This library as one of the peers; README.md in this folder says what a peer is asked to do.

#include <redlock/redlock.hpp>

#include <boost/asio.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>
#include <unistd.h>
#include <vector>

namespace asio = boost::asio;
using namespace std::chrono_literals;
using std::chrono::microseconds;
using std::chrono::nanoseconds;

namespace {

/// CLOCK_MONOTONIC, which all processes of a machine share.
nanoseconds now() { return std::chrono::steady_clock::now().time_since_epoch(); }

struct times {
    std::vector<double> lock;
    std::vector<double> cycle;
    int errors = 0; ///< locks that were not granted, for want of nodes that answer in time
};

double microseconds_of(nanoseconds t) { return std::chrono::duration<double, std::micro>(t).count(); }

void print(const char* name, std::vector<double>& values) {
    std::sort(values.begin(), values.end());
    const auto at = [&](double part) {
        if (values.empty()) return 0.0;
        return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1))];
    };
    std::printf("\"%s\":[%.1f,%.1f,%.1f],", name, at(0.5), at(0.9), at(0.99));
}

/// What KIND in the environment says.
std::string_view kind() {
    const char* word = std::getenv("KIND");
    return word ? word : "exclusive";
}

redlock::lock_options options_of(bool reads) {
    redlock::lock_options options{.ttl = 10s};
    if (kind() == "read" || kind() == "write" || kind() == "mixed")
        options.mode = reads ? redlock::mode::read : redlock::mode::write;
    if (kind() == "permits") options.permits = 4;
    return options;
}

/// With a value that others may be told, as etcd takes one.
asio::awaitable<std::tuple<boost::system::error_code, redlock::lease>>
lead(redlock::client& locks, const std::string& name, const redlock::lock_options& options) {
    auto [error, leads] =
        co_await locks.async_campaign(name, "here", options, asio::as_tuple(asio::deferred));
    co_return std::tuple(error, redlock::lease(std::move(leads)));
}

asio::awaitable<void> cycle(redlock::client& locks, std::string key, nanoseconds end, times& found) {
    const redlock::lock_options options = options_of(kind() == "read");
    std::vector<std::string> keys;
    for (int i = 0; i < 4 && kind() == "set"; ++i)
        keys.push_back(key + "-" + std::to_string(i));
    while (now() < end) {
        const auto asked = now();
        boost::system::error_code error;
        redlock::lease held;
        redlock::lease_set several;
        if (kind() == "leader")
            std::tie(error, held) = co_await lead(locks, key, options);
        else if (keys.empty())
            std::tie(error, held) = co_await locks.async_lock(key, options, asio::as_tuple(asio::deferred));
        else
            std::tie(error, several) =
                co_await locks.async_lock_all(keys, options, asio::as_tuple(asio::deferred));
        const auto granted = now();
        if (error) {
            ++found.errors;
            continue;
        }
        if (keys.empty())
            co_await held.async_unlock(asio::as_tuple(asio::deferred));
        else
            co_await several.async_unlock(asio::as_tuple(asio::deferred));
        found.lock.push_back(microseconds_of(granted - asked));
        found.cycle.push_back(microseconds_of(now() - asked));
    }
}

void rethrow(std::exception_ptr failure) {
    if (failure) std::rethrow_exception(failure);
}

asio::awaitable<void> cycles(redlock::client& locks, double seconds, int inflight) {
    const auto executor = co_await asio::this_coro::executor;
    const std::string prefix = "peer:" + std::to_string(::getpid()) + ":";
    // Connects before it is timed.
    auto first = co_await locks.async_lock(prefix + "first");
    co_await first.async_unlock();

    times found;
    const auto begin = now();
    const auto end = begin + std::chrono::duration_cast<nanoseconds>(std::chrono::duration<double>(seconds));
    int running = inflight;
    asio::steady_timer ended(executor, asio::steady_timer::time_point::max());
    for (int i = 0; i < inflight; ++i)
        asio::co_spawn(executor, cycle(locks, prefix + std::to_string(i), end, found),
                       [&](std::exception_ptr failure) {
                           rethrow(failure);
                           if (--running == 0) ended.cancel();
                       });
    co_await ended.async_wait(asio::as_tuple(asio::deferred));
    const double taken = std::chrono::duration<double>(now() - begin).count();
    std::printf("{\"cycles\":%zu,\"seconds\":%.3f,", found.cycle.size(), taken);
    print("lock_us", found.lock);
    print("cycle_us", found.cycle);
    std::printf("\"errors\":%d}\n", found.errors);
    co_await locks.async_close();
}

/// Says that it is ready and waits for a line of the standard input, which says how to go on.
std::string next_order(const char* state) {
    std::puts(state);
    std::fflush(stdout);
    std::string order;
    std::getline(std::cin, order);
    return order;
}

asio::awaitable<void> contend(redlock::client& locks, microseconds hold, std::string key) {
    asio::steady_timer pause(co_await asio::this_coro::executor);
    auto first = co_await locks.async_lock(key + std::to_string(::getpid()));
    co_await first.async_unlock();
    long long begin = 0;
    long long end = 0;
    std::istringstream(next_order("ready")) >> begin >> end;
    pause.expires_at(asio::steady_timer::time_point(nanoseconds(begin)));
    co_await pause.async_wait(asio::deferred);
    std::minstd_rand draw(static_cast<unsigned>(::getpid()));
    while (now().count() < end) {
        const bool reads = kind() == "mixed" && draw() % 20 != 0;
        const redlock::lock_options options = options_of(reads);
        const auto asked = now();
        boost::system::error_code error;
        redlock::lease held;
        if (kind() == "leader")
            std::tie(error, held) = co_await lead(locks, key, options);
        else
            std::tie(error, held) = co_await locks.async_lock(key, options, asio::as_tuple(asio::deferred));
        if (error) continue;
        const auto granted = now();
        pause.expires_after(hold);
        co_await pause.async_wait(asio::deferred);
        std::printf("%lld %lld %lld%s\n", static_cast<long long>(asked.count()),
                    static_cast<long long>(granted.count()), static_cast<long long>(now().count()),
                    reads ? " reads" : "");
        co_await held.async_unlock(asio::as_tuple(asio::deferred));
    }
    co_await locks.async_close();
}

asio::awaitable<void> hold(redlock::client& locks, int count) {
    std::vector<redlock::lease> held;
    held.reserve(static_cast<std::size_t>(count));
    next_order("ready");
    while (held.size() < static_cast<std::size_t>(count)) {
        auto [error, taken] = co_await locks.async_lock("peer:held:" + std::to_string(held.size()),
                                                        {.ttl = 60s}, asio::as_tuple(asio::deferred));
        if (!error) held.push_back(std::move(taken));
    }
    next_order("held");
    co_await locks.async_close();
}

asio::awaitable<void> scenario(redlock::client& locks, char** words) {
    const std::string_view name = words[0];
    if (name == "cycles") return cycles(locks, std::atof(words[1]), std::atoi(words[2]));
    if (name == "hold") return hold(locks, std::atoi(words[1]));
    return contend(locks, microseconds(std::atoll(words[1])), words[2]);
}

} // namespace

int main(int argc, char** argv) try {
    const std::string_view name = argc > 1 ? argv[1] : "";
    const int words = name == "cycles" ? 4 : name == "hold" ? 3 : name == "contend" ? 4 : argc;
    if (words >= argc) {
        std::fprintf(stderr, "usage: peer_library cycles|contend|hold ARGUMENT... NODE...\n");
        return 2;
    }
    asio::io_context loop(1);
    redlock::client locks(loop.get_executor(), {.nodes = {argv + words, argv + argc}, .node_timeout = 200ms});
    asio::co_spawn(loop, scenario(locks, argv + 1), rethrow);
    loop.run();
} catch (const std::exception& e) {
    std::fprintf(stderr, "peer_library: %s\n", e.what());
    return 1;
}
