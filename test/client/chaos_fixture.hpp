#pragma once

#include "../client/lock_fixture.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <exception>
#include <list>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace redlock::test {

/// Two clients that contend for some keys while real servers are disturbed. All of it in one thread, so that
/// at any moment one can look at all leases at once.
struct chaos_fixture : lock_fixture {
    using milliseconds = std::chrono::milliseconds;
    using clock = std::chrono::steady_clock;

    static constexpr milliseconds ttl{500};

    chaos_fixture() : lock_fixture(0) {}

    /// With the nodes of this.
    void connect(std::vector<std::string> addresses) {
        config c = lock_fixture::settings();
        c.nodes = std::move(addresses);
        c.node_timeout = 150ms;
        c.restart_guard = ttl;
        for (auto& one : locks)
            one.emplace(context.get_executor(), c);
    }

    int between(int low, int high) { return std::uniform_int_distribution(low, high)(random); }
    std::size_t some(std::size_t count) {
        return static_cast<std::size_t>(between(0, static_cast<int>(count) - 1));
    }

    /// Calls `disturb` now and then for that long, and then waits until each key is granted once more.
    template <class Disturb>
    void contend(const std::vector<std::string>& keys, milliseconds how_long, Disturb disturb) {
        BOOST_TEST_MESSAGE("seed " << seed);
        int running = 0;
        const auto end = [&](std::exception_ptr failure) {
            BOOST_TEST(!failure);
            --running;
        };
        for (const std::string& key : keys)
            for (auto& one : locks)
                for (int i = 0; i < 2; ++i, ++running)
                    asio::co_spawn(context, use(*one, key), end);
        auto next = clock::now();
        const auto finish = next + how_long;
        run_until(2 * how_long, [&] {
            const auto now = clock::now();
            expect_one_valid_lease();
            resume(now);
            if (now >= next) {
                disturb();
                next = now + milliseconds(between(100, 1500));
            }
            return now >= finish;
        });
        resume(clock::time_point::max());
        for (const std::string& key : keys) {
            const int before = grants[key];
            BOOST_TEST(run_until([&] { return grants[key] > before; }), key);
        }
        over = true;
        BOOST_TEST(run_until([&] { return running == 0; }));
        for (auto& one : locks)
            close(*one);
    }

    bool stands_still(const redis_server& s) const {
        return std::ranges::any_of(paused, [&](const pause& p) { return p.server == &s; });
    }
    void stop(redis_server& s, milliseconds how_long) {
        if (stands_still(s)) return;
        s.stop();
        paused.push_back({&s, clock::now() + how_long});
    }

    const unsigned seed = std::random_device{}();
    std::mt19937 random{seed};
    std::optional<client> locks[2];
    std::map<std::string, int> grants;
    int overlaps = 0;

private:
    struct holding {
        std::string key;
        lease granted;
    };
    /// Something that stands still goes on at that time.
    struct pause {
        redis_server* server;
        clock::time_point until;
    };

    asio::awaitable<void> use(client& mine, std::string key) {
        asio::steady_timer rest(context);
        while (!over) {
            auto token = asio::as_tuple(asio::use_awaitable);
            const lock_options wanted{.ttl = ttl, .wait = 1s, .renew = between(0, 1) == 0};
            auto [failure, granted] = co_await mine.async_lock(key, wanted, token);
            if (failure) {
                rest.expires_after(milliseconds(between(1, 50)));
                co_await rest.async_wait(asio::use_awaitable);
                continue;
            }
            ++grants[key];
            const auto place = held.insert(held.end(), {key, std::move(granted)});
            expect_one_valid_lease();
            rest.expires_after(milliseconds(between(0, 600)));
            co_await rest.async_wait(asio::use_awaitable);
            lease done = std::move(place->granted);
            held.erase(place);
            co_await done.async_unlock(asio::as_tuple(asio::use_awaitable));
        }
    }

    void expect_one_valid_lease() {
        std::map<std::string, int> valid;
        for (const holding& one : held)
            if (one.granted.valid() && ++valid[one.key] > 1) ++overlaps;
    }
    void resume(clock::time_point now) {
        std::erase_if(paused, [&](const pause& p) {
            if (p.until > now) return false;
            p.server->resume();
            return true;
        });
    }

    std::list<holding> held;
    std::vector<pause> paused;
    bool over = false;
};

} // namespace redlock::test
