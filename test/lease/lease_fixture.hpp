#pragma once

#include "client/outcome.hpp"
#include "support/event_loop.hpp"

#include <redlock/client.hpp>
#include <redlock/testing.hpp>

#include <boost/test/unit_test.hpp>

#include <optional>
#include <string>
#include <vector>

namespace redlock::test {

using namespace std::chrono_literals;
using boost::system::error_code;

/// Longer than any test takes, also with the time that it lets pass. Renewals are due after 180 to 220 s,
/// stop after 533.998 s, the validity ends after 593.998 s: the machine may be late by many seconds.
inline constexpr std::chrono::milliseconds long_ttl{600'000};

/// One attempt for a lease of that ttl.
lock_options once();
/// As many attempts as it takes.
lock_options patiently();

/// Where the leases of the suite come from: REDLOCK_LEASE_TEST_ENGINE, addresses that a client can be given,
/// with blanks between them, or an engine in memory.
std::string engine_address();

/// Of a double lock: REDLOCK_LEASE_TEST_BACKUP; empty without it.
std::string backup_address();

/// A precondition of suites: tests can take keys away, let requests fail and let time pass.
boost::test_tools::assertion_result engine_in_hand(boost::unit_test::test_unit_id);

/// An event loop, which the test runs itself, and keys that no other test has.
struct lease_fixture : event_loop {
    lease_fixture();

    /// For a client of the engine.
    config settings() const;
    client make_client() { return client(context.get_executor(), settings()); }

    /// Throws when it is not granted.
    lease lock(client& locks, const std::string& key = "key", lock_options options = patiently());
    /// Tries to lock and says what came of it. A lease that was granted is released again.
    error_code try_lock(client& locks, const std::string& key = "key", lock_options options = once());
    error_code unlock(lease& held);
    error_code extend(lease& held, std::chrono::milliseconds ttl);
    key_report inspect(client& locks, const std::string& key = "key");
    error_code check(client& locks, std::uint64_t token, const std::string& key = "key");
    void close(client& locks);
    bool complete(const auto& ending) {
        return run_until([&] { return ending.done(); });
    }
    /// Runs whatever is ready, and what comes of it, until nothing is.
    void settle();

    /// Whether somebody has the key, and how many clients wait for it.
    bool is_held(const std::string& key = "key");
    std::size_t waiting(const std::string& key = "key");

    // With an engine in hand. What they lead to has happened when they return.
    bool lose(const std::string& key = "key");
    void hold(std::chrono::milliseconds life, const std::string& key = "key");
    void pass(std::chrono::milliseconds time);
    /// Nothing has come of it when this one returns.
    void let_time_pass(std::chrono::milliseconds time);

    const std::string address = engine_address();
    const std::string backup = backup_address();
    const std::string prefix;
    std::optional<testing::memory_handle> hand; ///< nothing for other engines
    /// Of a double lock in memory the engine that nothing is done to but to let time pass: the backup, or the
    /// other one with REDLOCK_LEASE_TEST_HAND=backup.
    std::optional<testing::memory_handle> other_hand;
};

} // namespace redlock::test
