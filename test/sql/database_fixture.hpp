#pragma once

#include "../engine/engine_fixture.hpp"

#include <fmt/format.h>

#include <future>
#include <string>

namespace redlock::test {

/// A database of its own, and an event loop, which the test runs itself. `Server` is a `postgres_server`, or
/// one that can do the same.
template <class Server>
struct database_fixture : engine_fixture {
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
