#pragma once

#include "../client/outcome.hpp"
#include "support/event_loop.hpp"

#include <redlock/client.hpp>

#include <boost/system/system_error.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

namespace redlock::test {

using namespace std::chrono_literals;
using boost::system::error_code;

/// Longer than any test takes: a key that is gone before was given back.
inline constexpr std::chrono::milliseconds long_ttl{600'000};

inline lock_options once(std::chrono::milliseconds ttl = long_ttl) { return {.ttl = ttl, .wait = 0ms}; }
inline lock_options patiently(std::chrono::milliseconds ttl = long_ttl) { return {.ttl = ttl}; }
inline lock_options fenced(std::chrono::milliseconds ttl = long_ttl) { return {.ttl = ttl, .fencing = true}; }

/// Calls of clients of whatever engine, each to its end, in an event loop that the test runs itself.
struct engine_fixture : event_loop {
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
    /// Asks again until it is granted. On a busy machine one that is brief may be over before, which is no
    /// grant, and an answer may come behind a short `node_timeout`.
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
    /// Waits until the client has lost its connection and made another.
    bool reconnects(const client& locks) {
        return run_until([&] {
            const auto node = locks.metrics().nodes.at(0);
            return node.reconnects > 0 && node.state == "ready";
        });
    }
};

} // namespace redlock::test
