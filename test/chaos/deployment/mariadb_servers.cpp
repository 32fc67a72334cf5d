#include "chaos/deployment/mariadb_servers.hpp"

#include "support/eventually.hpp"

#include <memory>

namespace redlock::chaos {

using namespace std::chrono_literals;

std::vector<std::string> mariadb_servers::addresses(std::size_t site) {
    return {test::mariadb_server::uri_over(networks_.way(site, 0).port())};
}

client_terms mariadb_servers::terms() const {
    return {.restart_guard = 0ms,
            .node_timeout = 250ms,
            .reads = false,
            .leads = false,
            .lock_delay = true,
            .keeps_all = true};
}

rhythm mariadb_servers::pace() const {
    return {.first = 1s, .shortest = 100ms, .longest = 700ms, .most_at_once = 2};
}

faults mariadb_servers::known_faults() {
    faults all{
        {"database crashed", [this](dice& d, wounds& w) { return crash(d, w); }},
        {"database stopped", [this](dice& d, wounds& w) { return stop(d, w); }},
        {"connections killed", [this](dice&, wounds&) { return kill_connections(); }},
        {"table locked", [this](dice& d, wounds& w) { return lock_table(d, w); }},
    };
    append(all, networks_.known_faults());
    return all;
}

bool mariadb_servers::crash(dice& chance, wounds& open) {
    if (!up_) return false;
    up_ = false;
    server_.crash();
    open.add(chance.fault_time(), [this] {
        server_.start();
        up_ = true;
    });
    return true;
}

bool mariadb_servers::stop(dice& chance, wounds& open) {
    if (!up_) return false;
    up_ = false;
    server_.stop();
    open.add(chance.fault_time(), [this] {
        server_.resume();
        up_ = true;
    });
    return true;
}

bool mariadb_servers::kill_connections() {
    if (!up_) return false;
    server_.end_sessions_of("redlock");
    return true;
}

// As whoever changes or rewrites a table does.
bool mariadb_servers::lock_table(dice& chance, wounds& open) {
    if (!up_ || table_is_locked_) return false;
    table_is_locked_ = true;
    const auto how_long = chance.fault_time();
    const std::shared_ptr<test::process> locker = server_.lock_table("redlock", how_long);
    open.add(how_long, [this, locker] {
        locker->wait(test::patience);
        table_is_locked_ = false;
    });
    return true;
}

std::optional<bool> mariadb_servers::could_grant(std::int64_t) {
    if (!up_ || table_is_locked_) return false;
    for (std::size_t site = 0; site < site_count; ++site)
        if (!networks_.passes(site, 0)) return false;
    return true;
}

std::vector<std::string> mariadb_servers::keys_left() {
    return server_.query(
        "SELECT CONCAT('the database has ', `key`) FROM redlock WHERE token IS NOT NULL AND `key` "
        "<> '' AND expires > UTC_TIMESTAMP(6)");
}

} // namespace redlock::chaos
