#pragma once

#include "../client/outcome.hpp"
#include "support/event_loop.hpp"

#include <redlock/client.hpp>

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include <future>
#include <string>

namespace redlock::test {

using namespace std::chrono_literals;
using boost::system::error_code;

/// Longer than any test takes.
inline constexpr std::chrono::milliseconds long_ttl{600'000};

inline lock_options once(std::chrono::milliseconds ttl = long_ttl) { return {.ttl = ttl, .wait = 0ms}; }
inline lock_options patiently(std::chrono::milliseconds ttl = long_ttl) { return {.ttl = ttl}; }
inline lock_options fenced(std::chrono::milliseconds ttl = long_ttl) { return {.ttl = ttl, .fencing = true}; }

/// A database of its own, and an event loop, which the test runs itself. `Server` is a `postgres_server`, or
/// one that can do the same.
template <class Server>
struct database_fixture : event_loop {
    explicit database_fixture(std::vector<std::string> server_settings = {})
        : database(std::move(server_settings)) {}

    config settings(const std::string& uri) const {
        config c;
        c.nodes = {uri};
        c.node_timeout = 2s; // that no busy machine makes a healthy server miss
        return c;
    }
    config settings() const { return settings(database.uri()); }
    client make_client() { return client(context.get_executor(), settings()); }

    template <class Ending>
    void complete(const Ending& ending) {
        if (!run_until([&] { return ending.done(); })) throw std::runtime_error("it did not complete");
    }
    /// Throws when it is not granted.
    lease lock(client& locks, const std::string& key = "key", lock_options options = patiently()) {
        outcome<lease> result;
        locks.async_lock(key, options, result.handler());
        complete(result);
        if (result.error())
            throw boost::system::system_error(result.error(), locks.metrics().nodes.at(0).last_error_text);
        return std::move(result.value());
    }
    /// One that is brief: on a busy machine it may be over before it is granted, which is no grant.
    lease lock_briefly(client& locks, const std::string& key, lock_options options) {
        lease held;
        const bool granted = run_until([&] {
            outcome<lease> asked;
            locks.async_lock(key, options, asked.handler());
            complete(asked);
            if (!asked.error()) held = std::move(asked.value());
            return !asked.error();
        });
        if (!granted) throw std::runtime_error("it was not granted in time");
        return held;
    }
    /// Waits until the client has lost its connection and made another.
    bool reconnects(const client& locks) {
        return run_until([&] {
            const auto node = locks.metrics().nodes.at(0);
            return node.reconnects > 0 && node.state == "ready";
        });
    }
    /// A lease that was granted is released again.
    error_code try_lock(client& locks, const std::string& key = "key", lock_options options = once()) {
        outcome<lease> result;
        locks.async_lock(key, options, result.handler());
        complete(result);
        if (!result.error()) unlock(result.value());
        return result.error();
    }
    error_code unlock(lease& held) {
        outcome<> result;
        held.async_unlock(result.handler());
        complete(result);
        return result.error();
    }
    void close(client& locks) {
        outcome<> result;
        locks.async_close(result.handler());
        complete(result);
    }
    key_report inspect(client& locks, const std::string& key = "key") {
        outcome<key_report> result;
        locks.async_inspect(key, result.handler());
        complete(result);
        if (result.error()) throw boost::system::system_error(result.error());
        return std::move(result.value());
    }
    error_code check(client& locks, std::uint64_t token, const std::string& key = "key") {
        outcome<> result;
        locks.async_check(key, token, result.handler());
        complete(result);
        return result.error();
    }
    /// How many rows somebody holds, as another client of the database sees it.
    std::string held_rows() const {
        return database
            .query(fmt::format(
                "SELECT count(*) FROM redlock WHERE token IS NOT NULL AND {} <> '' AND expires > {}",
                Server::key_column, Server::now))
            .at(0);
    }
    /// Whether one client waits for what another, which asks, holds.
    bool one_waits(client& asks, const client& waits) {
        if (Server::counts_waiters) return inspect(asks).waiting.value_or(0) == 1;
        const metrics_snapshot told = waits.metrics();
        return told.waiting == 1 && told.refusals > 0;
    }
    /// The clients of `loop` give back what they have only while it runs, and one that closes has just so
    /// long for it: so the loop runs on while the database is asked.
    bool becomes_free(event_loop& loop) const {
        const auto deadline = std::chrono::steady_clock::now() + 2 * patience;
        for (bool free = false; !free;) {
            if (std::chrono::steady_clock::now() >= deadline) return false;
            std::future<std::string> rows = std::async(std::launch::async, [this] { return held_rows(); });
            const auto told = [&] { return rows.wait_for(0ms) == std::future_status::ready; };
            if (!loop.run_until(2 * patience, told)) return false;
            free = rows.get() == "0";
        }
        return true;
    }
    bool becomes_free() { return becomes_free(*this); }

    Server database;
};

} // namespace redlock::test
