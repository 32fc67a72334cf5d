#pragma once

#include "../engine/engine_fixture.hpp"
#include "support/node_set.hpp"
#include "support/postgres_server.hpp"

#include <string>

namespace redlock::test {

/// Three Redis nodes, a database behind them, and an event loop, which the test runs itself.
struct pair_fixture : engine_fixture {
    config settings() const {
        config c = nodes_alone();
        c.backup = database.uri();
        return c;
    }
    config nodes_alone() const { return with_patience(nodes.uris()); }
    config database_alone() const { return with_patience({database.uri()}); }
    client make_client() { return client(context.get_executor(), settings()); }

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
