#include "chaos/deployment/etcd_members.hpp"

#include "chaos/history.hpp"

#include <fmt/format.h>

namespace redlock::chaos {

using namespace std::chrono_literals;

namespace {

// An election takes a second or two.
constexpr std::chrono::nanoseconds election = 5s;

} // namespace

etcd_members::etcd_members() = default;

std::vector<std::uint16_t> etcd_members::ports() const {
    std::vector<std::uint16_t> all;
    for (std::size_t i = 0; i < count; ++i)
        all.push_back(cluster_.port(i));
    return all;
}

std::vector<std::string> etcd_members::addresses(std::size_t site) {
    std::vector<std::uint16_t> ways;
    for (std::size_t i = 0; i < count; ++i)
        ways.push_back(networks_.way(site, i).port());
    return {cluster_.uri_over(ways)};
}

client_terms etcd_members::terms() const {
    return {.node_timeout = 500ms, .reads = true, .leads = true, .lock_delay = true, .keeps_all = true};
}

rhythm etcd_members::pace() const {
    return {.first = 1s, .shortest = 200ms, .longest = 1500ms, .most_at_once = 2};
}

faults etcd_members::known_faults() {
    faults all{
        {"member killed", [this](dice& d, wounds& w) { return kill(d, w); }},
        {"member stopped", [this](dice& d, wounds& w) { return stop(d, w); }},
        {"member cut off", [this](dice& d, wounds& w) { return cut_off(d, w); }},
    };
    append(all, networks_.known_faults());
    return all;
}

std::size_t etcd_members::victim(dice& chance) {
    one_is_ill_ = true;
    ++losses_;
    return chance.below(2) == 0 ? cluster_.leader() : chance.below(count);
}

void etcd_members::is_well_again() {
    one_is_ill_ = false;
    grants_from_ = now() + election.count();
}

bool etcd_members::kill(dice& chance, wounds& open) {
    if (one_is_ill_) return false;
    const std::size_t one = victim(chance);
    cluster_.kill(one);
    open.add(chance.fault_time(), [this, one] {
        cluster_.start(one);
        is_well_again();
    });
    return true;
}

bool etcd_members::stop(dice& chance, wounds& open) {
    if (one_is_ill_) return false;
    const std::size_t one = victim(chance);
    cluster_.stop(one);
    open.add(chance.fault_time(), [this, one] {
        cluster_.resume(one);
        is_well_again();
    });
    return true;
}

bool etcd_members::cut_off(dice& chance, wounds& open) {
    if (one_is_ill_) return false;
    cluster_.cut_off(victim(chance));
    open.add(chance.fault_time(), [this] {
        cluster_.join();
        is_well_again();
    });
    return true;
}

std::optional<bool> etcd_members::could_grant(std::int64_t now) {
    if (one_is_ill_ || now < grants_from_) return false;
    for (std::size_t site = 0; site < site_count; ++site)
        for (std::size_t i = 0; i < count; ++i)
            if (!networks_.passes(site, i)) return false;
    return true;
}

std::vector<std::string> etcd_members::keys_left() {
    std::vector<std::string> found;
    for (const std::string& key : cluster_.keys("redlock"))
        found.push_back("the cluster has " + key);
    return found;
}

std::string etcd_members::remark() const { return fmt::format("{} times a member was away", losses_); }

} // namespace redlock::chaos
