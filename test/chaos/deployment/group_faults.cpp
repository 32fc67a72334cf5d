// What is done to groups of Redis servers behind Sentinels.

#include "chaos/deployment/sentinel_groups.hpp"

#include <utility>

namespace redlock::chaos {

using namespace std::chrono_literals;

faults sentinel_groups::known_faults() {
    const auto of_master = [this](loss_of_master how) {
        return [this, how](dice& d, wounds& w) { return replace_master(how, d, w); };
    };
    return {{"master killed", of_master(loss_of_master::killed)},
            {"master stopped", of_master(loss_of_master::stopped)},
            {"master unseen by its Sentinels", of_master(loss_of_master::unwatched)},
            {"fail-over ordered", of_master(loss_of_master::ordered)},
            {"replica stopped", [this](dice& d, wounds& w) { return stop_replica(d, w); }},
            {"Sentinel stopped", [this](dice& d, wounds& w) { return stop_sentinel(d, w); }},
            {"Sentinels unseen", [this](dice& d, wounds& w) { return blind_site(d, w); }},
            {"connections killed", [this](dice& d, wounds&) { return kill_connections(d); }}};
}

std::size_t sentinel_groups::master_of(std::size_t group) {
    std::size_t found = servers;
    for (std::size_t s = 0; s < servers; ++s) {
        test::redis_server& server = groups_[group].server(s);
        if (!is_well(server)) return servers;
        if (server.info("role") == "master") found = s;
    }
    return found;
}

bool sentinel_groups::replace_master(loss_of_master how, dice& chance, wounds& open) {
    if (clock::now() < next_master_) return false;
    const std::size_t index = chance.below(count);
    const std::size_t server = master_of(index);
    if (server == servers) return false;
    test::watched_group& group = groups_[index];
    test::redis_server& master = group.server(server);
    masters_.insert(index * servers + server);
    switch (how) {
    case loss_of_master::killed:
        // It is back as what it was at first, and its Sentinels make it what it is now: not before they have
        // another.
        kill_master(master, chance.between(2500ms, 5000ms), open);
        break;
    case loss_of_master::stopped:
        stop(master, chance.between(700ms, 4000ms), open);
        break;
    case loss_of_master::unwatched:
        hide_master(master, chance.between(700ms, 6000ms), open);
        break;
    case loss_of_master::ordered:
        if (!is_well(group.sentinel(0)) ||
            group.sentinel(0).command({"SENTINEL", "FAILOVER", group.service()}) != "OK")
            return false;
    }
    // Sentinels take half a second to see that a master is gone, about one more to have another, and its
    // clients wait for the guard and three seconds.
    next_master_ = clock::now() + 5s + longest_lease;
    return true;
}

bool sentinel_groups::stop_replica(dice& chance, wounds& open) {
    test::redis_server& server = groups_[chance.below(count)].server(chance.below(servers));
    return is_well(server) && server.info("role") == "slave" &&
           stop(server, chance.between(100ms, 3000ms), open);
}

bool sentinel_groups::stop_sentinel(dice& chance, wounds& open) {
    test::redis_server& one = groups_[chance.below(count)].sentinel(chance.below(sentinels));
    return stop(one, chance.between(100ms, 4000ms), open);
}

bool sentinel_groups::kill_connections(dice& chance) {
    test::redis_server& server = groups_[chance.below(count)].server(chance.below(servers));
    if (!is_well(server)) return false;
    server.repeatable({"CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"});
    return true;
}

bool sentinel_groups::stop(test::redis_server& server, milliseconds how_long, wounds& open) {
    if (!hurt_.insert(&server).second) return false;
    server.stop();
    open.add(how_long, [this, &server] {
        server.resume();
        hurt_.erase(&server);
    });
    return true;
}

void sentinel_groups::kill_master(test::redis_server& victim, milliseconds how_long, wounds& open) {
    hurt_.insert(&victim);
    victim.kill();
    open.add(how_long, [this, &victim] {
        victim.restart();
        hurt_.erase(&victim);
    });
}

void sentinel_groups::hide_master(test::redis_server& victim, milliseconds how_long, wounds& open) {
    hurt_.insert(&victim);
    let_be_watched(victim, false);
    open.add(how_long, [this, &victim] {
        let_be_watched(victim, true);
        hurt_.erase(&victim);
    });
}

bool sentinel_groups::blind_site(dice& chance, wounds& open) {
    const std::size_t site = chance.below(site_count);
    const std::size_t group = chance.below(count);
    if (std::exchange(blind_[site][group], true)) return false;
    const bool silent = chance.one_in(2);
    for (std::size_t s = 0; s < sentinels; ++s) {
        test::fault_proxy& way = networks_.way(site, way_to(group, s));
        silent ? way.black_hole() : way.refuse();
    }
    open.add(chance.between(500ms, 5000ms), [this, site, group] {
        for (std::size_t s = 0; s < sentinels; ++s)
            networks_.way(site, way_to(group, s)).pass();
        blind_[site][group] = false;
    });
    return true;
}

} // namespace redlock::chaos
