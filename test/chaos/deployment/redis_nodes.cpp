#include "chaos/deployment/redis_nodes.hpp"

#include "chaos/history.hpp"

#include <fmt/format.h>

namespace redlock::chaos {
namespace {

std::vector<std::uint16_t> ports_of(test::node_set& nodes) {
    std::vector<std::uint16_t> all;
    for (auto& node : nodes)
        all.push_back(node.port());
    return all;
}

} // namespace

redis_nodes::redis_nodes(bool lose_data)
    : lose_data_(lose_data),
      nodes_(count, {.directives = {"notify-keyspace-events KEA"}, .password = {}, .persistent = true}),
      networks_(ports_of(nodes_)) {}

std::vector<std::string> redis_nodes::addresses(std::size_t site) {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < count; ++i)
        all.push_back(networks_.way(site, i).uri());
    return all;
}

client_terms redis_nodes::terms() const {
    return {.restart_guard = lose_data_ ? longest_lease : std::chrono::milliseconds(0)};
}

faults redis_nodes::known_faults() {
    faults all{{"node killed", [this](dice& d, wounds& w) { return kill_one(d, w, false); }},
               {"node stopped", [this](dice& d, wounds& w) { return stop_one(d, w); }}};
    if (lose_data_)
        all.push_back(
            {"node restarted without data", [this](dice& d, wounds& w) { return kill_one(d, w, true); }});
    append(all, networks_.known_faults());
    return all;
}

bool redis_nodes::kill_one(dice& chance, wounds& open, bool without_data) {
    const std::size_t index = chance.below(count);
    test::redis_server& node = nodes_[index];
    node_state& state = states_[index];
    if (!state.up) return false;
    state.up = false;
    without_data ? node.lose_data() : node.kill();
    open.add(chance.fault_time(), [&node, &state, without_data] {
        node.restart();
        state.up = true;
        // A server tells its uptime to within a second.
        constexpr std::chrono::nanoseconds quarantine = longest_lease + std::chrono::seconds(1);
        if (without_data) state.trusted_from = now() + quarantine.count();
    });
    return true;
}

bool redis_nodes::stop_one(dice& chance, wounds& open) {
    const std::size_t index = chance.below(count);
    test::redis_server& node = nodes_[index];
    node_state& state = states_[index];
    if (!state.up) return false;
    state.up = false;
    node.stop();
    open.add(chance.fault_time(), [&node, &state] {
        node.resume();
        state.up = true;
    });
    return true;
}

std::optional<bool> redis_nodes::could_grant(std::int64_t now) {
    for (std::size_t site = 0; site < site_count; ++site) {
        std::size_t usable = 0;
        for (std::size_t i = 0; i < count; ++i)
            usable += states_[i].up && states_[i].trusted_from <= now && networks_.passes(site, i) ? 1U : 0U;
        if (usable <= count / 2) return false;
    }
    return true;
}

std::vector<std::string> redis_nodes::keys_left() {
    constexpr std::string_view fence = ":redlock-fence";
    std::vector<std::string> found;
    for (std::size_t i = 0; i < count; ++i)
        for (const auto& key : nodes_[i].command({"KEYS", "*"}).elements)
            if (!key.text.ends_with(fence)) found.push_back(fmt::format("node {} has {}", i, key.text));
    return found;
}

} // namespace redlock::chaos
