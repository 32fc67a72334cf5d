#include "chaos/nemesis.hpp"

#include <algorithm>
#include <utility>

namespace redlock::chaos {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t most_wounds = 4;

} // namespace

std::string_view name_of(fault kind) {
    constexpr std::string_view names[fault_kinds]{
        "node killed", "node stopped",   "node restarted without data",
        "black hole",  "one way",        "frozen",
        "slow",        "reset",          "refused",
        "partition",   "client stopped", "client killed"};
    return names[static_cast<std::size_t>(kind)];
}

nemesis::nemesis(cluster& victims, unsigned seed, bool may_lose_data, milliseconds guard)
    : victims_(victims),
      random_(seed),
      may_lose_data_(may_lose_data),
      guard_(std::chrono::nanoseconds(guard).count()) {
    for (auto& site : passes_)
        site.fill(true);
    look();
}

void nemesis::step() {
    const auto time = clock::now();
    for (std::size_t i = 0; i < wounds_.size();) {
        if (wounds_[i].end > time) {
            ++i;
            continue;
        }
        const wound healed = std::exchange(wounds_[i], wounds_.back());
        wounds_.pop_back();
        healed.heal();
    }
    if (time >= next_) {
        if (wounds_.size() < most_wounds) strike();
        next_ = time + milliseconds(50 + below(350));
    }
    look();
}

void nemesis::calm() {
    for (const auto& open : std::exchange(wounds_, {}))
        open.heal();
    look();
}

void nemesis::strike() {
    const auto kind = static_cast<fault>(below(fault_kinds));
    bool done = false;
    switch (kind) {
    case fault::node_killed:
    case fault::node_stopped:
        done = strike_node(kind);
        break;
    case fault::node_without_data:
        done = may_lose_data_ && strike_node(kind);
        break;
    case fault::partition:
        done = part_site();
        break;
    case fault::client_stopped:
    case fault::client_killed:
        done = strike_client(kind);
        break;
    default:
        done = strike_way(kind);
    }
    if (done) ++counts_[static_cast<std::size_t>(kind)];
}

void nemesis::heal_later(std::function<void()> heal) {
    // Most are short, some longer than a lease.
    const auto longest = below(4) == 0 ? 3000U : 700U;
    wounds_.push_back({clock::now() + milliseconds(50 + below(longest)), std::move(heal)});
}

bool nemesis::strike_node(fault kind) {
    const auto index = below(node_count);
    node_state& state = nodes_[index];
    if (!state.up) return false;
    state.up = false;
    auto& node = victims_.node(index);
    if (kind == fault::node_stopped) {
        node.stop();
        heal_later([&node, &state] {
            node.resume();
            state.up = true;
        });
        return true;
    }
    if (kind == fault::node_without_data)
        node.lose_data();
    else
        node.kill();
    heal_later([this, &node, &state, kind] {
        node.restart();
        state.up = true;
        // A server tells its uptime to within a second.
        constexpr std::int64_t second = 1'000'000'000;
        if (kind == fault::node_without_data) state.trusted_from = now() + guard_ + second;
    });
    return true;
}

void nemesis::inflict(test::fault_proxy& way, fault kind) {
    using test::direction;
    const auto any = below(2) == 0 ? direction::to_server : direction::to_client;
    switch (kind) {
    case fault::one_way:
        return way.lose(any);
    case fault::frozen:
        return below(2) == 0 ? way.freeze() : way.freeze(any);
    case fault::slow:
        return way.delay(milliseconds(1 + below(80)));
    case fault::refused:
        return way.refuse();
    default:
        return way.black_hole();
    }
}

bool nemesis::strike_way(fault kind) {
    const auto site = below(site_count);
    const auto node = below(node_count);
    auto& way = victims_.way(site, node);
    bool& passes = passes_[site][node];
    if (!passes) return false;
    if (kind == fault::reset) {
        way.reset_connections();
        return true;
    }
    passes = false;
    inflict(way, kind);
    heal_later([&way, &passes] {
        way.pass();
        passes = true;
    });
    return true;
}

bool nemesis::part_site() {
    const auto site = below(site_count);
    const auto count = 2 + below(3);
    const auto kind = below(2) == 0 ? fault::black_hole : fault::one_way;
    std::vector<std::size_t> cut;
    for (std::size_t node = 0; node < node_count && cut.size() < count; ++node) {
        if (!passes_[site][node] || below(5) >= count) continue;
        passes_[site][node] = false;
        inflict(victims_.way(site, node), kind);
        cut.push_back(node);
    }
    if (cut.empty()) return false;
    heal_later([this, site, cut] {
        for (const auto node : cut) {
            victims_.way(site, node).pass();
            passes_[site][node] = true;
        }
    });
    return true;
}

bool nemesis::strike_client(fault kind) {
    const auto number = below(cluster::clients);
    if (stopped_[number]) return false;
    if (kind == fault::client_killed) {
        if (!mortal(number)) return false;
        victims_.client(number).kill();
        victims_.start_client(number);
        return true;
    }
    stopped_[number] = true;
    victims_.client(number).stop();
    heal_later([this, number] {
        victims_.client(number).resume();
        stopped_[number] = false;
    });
    return true;
}

void nemesis::look() {
    const auto time = now();
    bool up = true;
    for (const auto& site : passes_) {
        std::size_t usable = 0;
        for (std::size_t i = 0; i < node_count; ++i)
            usable += nodes_[i].up && nodes_[i].trusted_from <= time && site[i] ? 1U : 0U;
        up = up && usable > node_count / 2;
    }
    if (up && !up_) spans_.push_back({time, time});
    if (up || up_) spans_.back().end = time;
    up_ = up;
}

std::vector<span> nemesis::majority_up() const { return spans_; }

} // namespace redlock::chaos
