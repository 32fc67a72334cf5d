#include "sim/slot_cluster.hpp"

#include "engines/redis/node/cluster/hash_slot.hpp"
#include "sim/group_addresses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <string_view>
#include <utility>

namespace redlock::sim {

using namespace std::chrono_literals;

namespace {

constexpr int port_of_all = 6379;

std::string server_name(std::uint32_t address) { return fmt::format("s{}", address); }

/// Of a command; none where it is about none.
std::vector<std::string> keys_of(const words& command) {
    constexpr std::string_view keyless[] = {"ASKING",    "AUTH",        "CLIENT", "CLUSTER", "CONFIG",
                                            "HELLO",     "INFO",        "PING",   "PUBLISH", "PUBSUB",
                                            "SUBSCRIBE", "UNSUBSCRIBE", "TIME"};
    if (std::ranges::find(keyless, command[0]) != std::end(keyless)) return {};
    if (!command[0].starts_with("EVAL")) return {command.at(1)};
    const auto first = command.begin() + 3;
    return {first, first + std::stol(command.at(2))};
}

value range(unsigned first, unsigned last, std::uint32_t owner) {
    return value::array({value::integer(first), value::integer(last),
                         value::array({value::text(server_name(owner)), value::integer(port_of_all),
                                       value::text(fmt::format("node-{}", owner))})});
}

} // namespace

std::string slot_cluster::uri(std::uint32_t index) {
    std::string text = "redis+cluster://" + server_name(index);
    for (unsigned which = 0; which < witnesses; ++which)
        text += "," + server_name(witness_address(index, which));
    return text;
}

slot_cluster::slot_cluster(event_queue& events, trace& t, network& net, inspector& i,
                           server_observer& observer, const weather& w, std::uint32_t index,
                           std::unique_ptr<server>& owner, std::uint64_t seed)
    : events_(events),
      trace_(t),
      network_(net),
      inspector_(i),
      observer_(observer),
      weather_(w),
      index_(index),
      owner_(owner),
      dice_(seed) {
    owners_.push_back(std::make_unique<owner_state>());
    join(*owner_, 0);
    for (unsigned which = 0; which < witnesses; ++which) {
        const std::uint32_t address = witness_address(index_, which);
        others_.push_back(
            std::make_unique<server>(events_, address, weather_.servers[index_], observer_, dice_.seed()));
        server& made = *others_.back();
        made.host().set_clock(time::instant(dice_.between(nanoseconds(400'000h), nanoseconds(400'001h))), 0);
        made.be_of_cluster(
            [this, which, address](const words& c) { return answer(c, address, believe_[which], false); },
            false);
        network_.add_server(address, made);
    }
    replicate();
}

std::uint32_t slot_cluster::address_of(unsigned number) const noexcept {
    return group::master_address(index_, number);
}

void slot_cluster::join(server& made, unsigned number) {
    owners_[number]->believes = number;
    made.be_of_cluster(
        [this, number](const words& c) {
            const unsigned believed = owners_[number]->believes;
            return answer(c, address_of(number), believed, believed == number);
        },
        owners_[number]->promoted);
}

void slot_cluster::replicate() {
    if (owner_->is_up()) replica_ = owner_->snapshot();
    events_.after(dice_.spread(weather_.longest_lag / 100, weather_.longest_lag), [this] { replicate(); });
}

void slot_cluster::fail_over() {
    trace_("a replica has the slots of cluster {}", index_);
    replace(replica_, true);
}

void slot_cluster::give_away() {
    trace_("the slots of cluster {} are given away", index_);
    replica_.clear();
    replace({}, false);
}

void slot_cluster::replace(server::contents keys, bool promoted) {
    const auto number = static_cast<unsigned>(owners_.size());
    auto made = std::make_unique<server>(events_, index_, weather_.servers[index_], observer_, dice_.seed());
    const auto drift = static_cast<int>(weather_.drift);
    made->host().set_clock(owner_->host().clock().now() +
                               dice_.between(nanoseconds(-50ms), nanoseconds(50ms)),
                           dice_.between(-drift, drift));
    made->take_over(std::move(keys));
    network_.add_server(address_of(number), *made);
    owners_.push_back(std::make_unique<owner_state>());
    owners_[number]->promoted = promoted;
    join(*made, number);
    owner_state& before = *owners_[number - 1];
    before.gone = std::exchange(owner_, std::move(made));
    before.gone->retire();
    inspector_.promoted(*owner_);
    // It hears of it, or not; in the end it is gone.
    const auto hears = [&](unsigned& believed, nanoseconds latest) {
        events_.after(dice_.spread(1ms, latest),
                      [&believed, number] { believed = std::max(believed, number); });
    };
    const bool lingers = dice_.chance(0.6);
    if (dice_.chance(lingers ? 0.2 : 0.5)) hears(before.believes, 5s);
    events_.after(dice_.spread(lingers ? nanoseconds(8s) : nanoseconds(1ms), 30s),
                  [old = before.gone.get()] { old->crash(); });
    const auto last = static_cast<unsigned>(dice_.between(0, static_cast<int>(witnesses) - 1));
    for (unsigned which = 0; which < witnesses; ++which)
        hears(believe_[which], which == last ? nanoseconds(5s) : nanoseconds(500ms));
}

void slot_cluster::mend() {
    for (const auto& each : owners_)
        if (each->gone) each->gone->crash();
}

std::optional<value> slot_cluster::answer(const words& command, std::uint32_t address, unsigned believed,
                                          bool has_slots) const {
    if (command[0] == "CLUSTER") {
        if (command.at(1) == "MYID") return value::text(fmt::format("node-{}", address));
        if (command[1] == "INFO") return value::text("cluster_enabled:1\r\ncluster_state:ok\r\n");
        return slots(believed);
    }
    const auto keys = keys_of(command);
    if (keys.empty()) return std::nullopt;
    const std::uint16_t slot = node::hash_slot(keys.front());
    if (std::ranges::any_of(keys, [slot](const std::string& key) { return node::hash_slot(key) != slot; }))
        return value::error("CROSSSLOT Keys in request don't hash to the same slot");
    if (has_slots) return std::nullopt;
    return value::error(fmt::format("MOVED {} {}:{}", slot, server_name(address_of(believed)), port_of_all));
}

value slot_cluster::slots(unsigned believed) const {
    std::vector<value> all;
    for (unsigned which = 0; which < witnesses; ++which)
        all.push_back(range(which, which, witness_address(index_, which)));
    all.push_back(range(witnesses, node::hash_slots - 1, address_of(believed)));
    return value::array(std::move(all));
}

} // namespace redlock::sim
