#include "chaos/deployment/zookeeper_servers.hpp"

#include "chaos/history.hpp"

#include <fmt/format.h>

#include <sstream>

namespace redlock::chaos {

using namespace std::chrono_literals;

namespace {

// With a JVM that starts, and sessions that went with the leader.
constexpr std::chrono::nanoseconds recovery = 8s;

} // namespace

std::vector<std::uint16_t> zookeeper_servers::ports() const {
    std::vector<std::uint16_t> all;
    for (std::size_t i = 0; i < count; ++i)
        all.push_back(ensemble_.port(i));
    return all;
}

std::vector<std::string> zookeeper_servers::addresses(std::size_t site) {
    std::string uri = "zookeeper://";
    for (std::size_t i = 0; i < count; ++i)
        uri += fmt::format("{}127.0.0.1:{}", i == 0 ? "" : ",", networks_.way(site, i).port());
    return {uri};
}

client_terms zookeeper_servers::terms() const {
    return {.node_timeout = 500ms, .reads = true, .leads = true, .lock_delay = true, .keeps_all = true};
}

rhythm zookeeper_servers::pace() const {
    return {.first = 1s, .shortest = 200ms, .longest = 1500ms, .most_at_once = 2};
}

faults zookeeper_servers::known_faults() {
    faults all{
        {"server killed", [this](dice& d, wounds& w) { return kill(d, w); }},
        {"server stopped", [this](dice& d, wounds& w) { return stop(d, w); }},
    };
    append(all, networks_.known_faults());
    return all;
}

std::size_t zookeeper_servers::victim(dice& chance) {
    one_is_ill_ = true;
    ++losses_;
    const std::size_t any = chance.below(count);
    if (chance.below(2) != 0) return any;
    for (std::size_t i = 0; i < count; ++i)
        if (ensemble_.leads(i)) return i;
    return any;
}

void zookeeper_servers::is_well_again() {
    one_is_ill_ = false;
    grants_from_ = now() + recovery.count();
}

bool zookeeper_servers::kill(dice& chance, wounds& open) {
    if (one_is_ill_ || now() < grants_from_) return false;
    const std::size_t one = victim(chance);
    ensemble_.crash(one);
    open.add(chance.fault_time(), [this, one] {
        ensemble_.start(one);
        is_well_again();
    });
    return true;
}

bool zookeeper_servers::stop(dice& chance, wounds& open) {
    if (one_is_ill_ || now() < grants_from_) return false;
    const std::size_t one = victim(chance);
    ensemble_.stop(one);
    open.add(chance.fault_time(), [this, one] {
        ensemble_.resume(one);
        is_well_again();
    });
    return true;
}

std::optional<bool> zookeeper_servers::could_grant(std::int64_t now) {
    if (one_is_ill_ || now < grants_from_) return false;
    for (std::size_t site = 0; site < site_count; ++site)
        for (std::size_t i = 0; i < count; ++i)
            if (!networks_.passes(site, i)) return false;
    return true;
}

// The record of a holder who died stays until somebody else takes the key.
std::vector<std::string> zookeeper_servers::keys_left() {
    ensemble_.await_service();
    std::vector<std::string> found;
    std::istringstream told(ensemble_.say("dump", ensemble_.leader()));
    for (std::string line; std::getline(told, line);)
        if (const std::size_t at = line.find("/redlock/"); at != line.npos)
            found.push_back("the ensemble has " + line.substr(at));
    return found;
}

std::string zookeeper_servers::remark() const { return fmt::format("{} times a server was away", losses_); }

} // namespace redlock::chaos
