#include "chaos/deployment/postgres_servers.hpp"

#include "chaos/history.hpp"
#include "support/eventually.hpp"

#include <fmt/format.h>

#include <memory>

namespace redlock::chaos {

using namespace std::chrono_literals;

postgres_servers::postgres_servers(bool with_standby)
    : members_(started(with_standby)), networks_(ports_of(members_)) {}

std::deque<postgres_servers::member> postgres_servers::started(bool with_standby) {
    std::deque<member> all;
    const member& first = all.emplace_back(std::vector<std::string>{"max_connections=100"});
    if (with_standby) all.emplace_back(test::postgres_server::standby_of{first.server});
    return all;
}

std::vector<std::uint16_t> postgres_servers::ports_of(const std::deque<member>& all) {
    std::vector<std::uint16_t> ports;
    for (const member& each : all)
        ports.push_back(each.server.port());
    return ports;
}

std::vector<std::string> postgres_servers::addresses(std::size_t site) {
    std::string hosts;
    for (std::size_t i = 0; i < members_.size(); ++i)
        hosts += fmt::format("{}127.0.0.1:{}", i > 0 ? "," : "", networks_.way(site, i).port());
    return {fmt::format("postgresql://redlock@{}/postgres", hosts)};
}

// A standby that is promoted may have missed a grant, and a release.
client_terms postgres_servers::terms() const {
    return {.restart_guard = has_standby() ? longest_lease : 0ms,
            .node_timeout = 250ms,
            .reads = false,
            .leads = false,
            .lock_delay = true,
            .keeps_all = !has_standby()};
}

rhythm postgres_servers::pace() const {
    return {.first = 1s, .shortest = 100ms, .longest = 700ms, .most_at_once = 2};
}

faults postgres_servers::known_faults() {
    faults all{
        {"database crashed", [this](dice& d, wounds& w) { return crash(d, w); }},
        {"database stopped", [this](dice& d, wounds& w) { return stop(primary(), d, w); }},
        {"connections killed", [this](dice&, wounds&) { return kill_connections(); }},
        {"table locked", [this](dice& d, wounds& w) { return lock_table(d, w); }},
    };
    if (has_standby()) {
        all.push_back({"standby promoted", [this](dice& d, wounds& w) { return fail_over(d, w); }, 8});
        all.push_back({"standby stopped", [this](dice& d, wounds& w) { return stop(standby(), d, w); }});
    }
    append(all, networks_.known_faults());
    return all;
}

bool postgres_servers::crash(dice& chance, wounds& open) {
    member& victim = primary();
    if (!victim.up) return false;
    victim.up = false;
    victim.server.crash();
    open.add(chance.fault_time(), [this, &victim] {
        victim.server.start();
        victim.up = true;
        // The servers of the tests do not wait for their disks, so their clients are on their guard.
        if (has_standby()) grants_from_ = now() + std::chrono::nanoseconds(longest_lease).count();
    });
    return true;
}

bool postgres_servers::stop(member& one, dice& chance, wounds& open) {
    if (!one.up) return false;
    one.up = false;
    one.server.stop();
    open.add(chance.fault_time(), [&one] {
        one.server.resume();
        one.up = true;
    });
    return true;
}

bool postgres_servers::kill_connections() {
    if (!primary().up) return false;
    primary().server.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                           "WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()");
    return true;
}

// As whoever changes or rewrites a table does.
bool postgres_servers::lock_table(dice& chance, wounds& open) {
    if (!primary().up || table_is_locked_) return false;
    table_is_locked_ = true;
    const auto how_long = chance.fault_time();
    const std::shared_ptr<test::process> locker = primary().server.lock_table("redlock", how_long);
    open.add(how_long, [this, locker] {
        locker->wait(test::patience);
        table_is_locked_ = false;
    });
    return true;
}

// The old primary is shut off before the other takes over, and then made a standby of that.
bool postgres_servers::fail_over(dice& chance, wounds& open) {
    if (clock::now() < next_fail_over_ || !primary().up || !standby().up) return false;
    member& before = primary();
    before.up = false;
    before.server.crash();
    standby().server.promote();
    primary_ = 1 - primary_;
    ++fail_overs_;
    grants_from_ = now() + std::chrono::nanoseconds(longest_lease).count();
    // Long enough that keys are granted in between.
    next_fail_over_ = clock::now() + longest_lease + 1s;
    follow_later(before, chance.fault_time(), open);
    return true;
}

void postgres_servers::follow_later(member& before, std::chrono::milliseconds when, wounds& open) {
    open.add(when, [this, &before, &open, when] {
        // Not while there is nothing to be copied from.
        if (!primary().up) return follow_later(before, when, open);
        before.server.follow(primary().server);
        before.up = true;
    });
}

std::optional<bool> postgres_servers::could_grant(std::int64_t now) {
    if (!primary().up || table_is_locked_ || now < grants_from_) return false;
    for (std::size_t site = 0; site < site_count; ++site)
        if (!networks_.passes(site, primary_)) return false;
    return true;
}

// Also what is there for those who wait.
std::vector<std::string> postgres_servers::keys_left() {
    std::vector<std::string> found =
        primary().server.query("SELECT 'the database has ' || convert_from(key, 'UTF8') FROM redlock "
                               "WHERE token IS NOT NULL AND key <> '' AND expires > clock_timestamp()");
    for (const std::string& line : primary().server.query(
             "SELECT 'the database has an advisory lock' FROM pg_locks WHERE locktype = 'advisory'"))
        found.push_back(line);
    return found;
}

std::string postgres_servers::remark() const {
    return has_standby() ? fmt::format("{} fail-overs", fail_overs_) : std::string();
}

} // namespace redlock::chaos
