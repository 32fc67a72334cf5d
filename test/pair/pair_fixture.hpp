#pragma once

#include "../client/outcome.hpp"
#include "support/event_loop.hpp"
#include "support/node_set.hpp"
#include "support/postgres_server.hpp"

#include <redlock/client.hpp>

#include <boost/test/unit_test.hpp>

#include <string>

namespace redlock::test {

using namespace std::chrono_literals;
using boost::system::error_code;

/// Longer than any test takes: a key that is gone before was given back.
inline constexpr std::chrono::milliseconds long_ttl{600'000};

inline lock_options once(std::chrono::milliseconds ttl = long_ttl) { return {.ttl = ttl, .wait = 0ms}; }
inline lock_options patiently(std::chrono::milliseconds ttl = long_ttl) { return {.ttl = ttl}; }
inline lock_options fenced(std::chrono::milliseconds ttl = long_ttl) { return {.ttl = ttl, .fencing = true}; }

/// Three Redis nodes, a database behind them, and an event loop, which the test runs itself.
struct pair_fixture : event_loop {
    config settings() const {
        config c = nodes_alone();
        c.backup = database.uri();
        return c;
    }
    config nodes_alone() const { return with_patience(nodes.uris()); }
    config database_alone() const { return with_patience({database.uri()}); }
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
        if (result.error()) throw boost::system::system_error(result.error());
        return std::move(result.value());
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

    /// Of keys that somebody holds, as another client of the database sees it.
    std::string held_rows() const {
        return database
            .query("SELECT count(*) FROM redlock WHERE token IS NOT NULL AND key <> '' AND expires > "
                   "clock_timestamp()")
            .at(0);
    }
    bool is_on_some_node(const std::string& key) { return nodes.holders(key) > 0; }
    /// Waits until neither of the two has the key.
    bool becomes_free(const std::string& key = "key") {
        return run_until([&] { return !is_on_some_node(key) && held_rows() == "0"; });
    }
    /// As if somebody had taken it away.
    void lose_on_nodes(const std::string& key = "key") {
        for (redis_server& node : nodes)
            node.command({"DEL", key});
    }
    void lose_in_database() const { database.query("UPDATE redlock SET token = NULL WHERE key <> ''"); }

    node_set nodes{3};
    postgres_server database;

private:
    static config with_patience(std::vector<std::string> addresses) {
        config c;
        c.nodes = std::move(addresses);
        c.node_timeout = 2s; // that no busy machine makes a healthy server miss
        return c;
    }
};

} // namespace redlock::test
