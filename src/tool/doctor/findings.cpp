#include "doctor/findings.hpp"

#include "doctor/node_findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace redlock::tool {
namespace {

void look_at_number(const std::vector<node_examination>& nodes, std::vector<finding>& all) {
    const std::size_t count = nodes.size();
    const auto add = [&](severity weight, std::string text, std::string advice) {
        all.push_back(
            {.weight = weight, .topic = "number", .text = std::move(text), .advice = std::move(advice)});
    };
    const auto stands_alone = [](const node_examination& n) {
        return is_database(n) || is_etcd(n) || is_zookeeper(n);
    };
    if (count == 1 && stands_alone(nodes.front())) return;
    if (count == 1)
        add(severity::warning,
            "There is a single node: without it nobody gets a lock, and what it forgets is lost.",
            "Use three or five nodes on machines of their own.");
    else if (count == 2)
        add(severity::warning,
            "There are two nodes, and a majority is both: nobody gets a lock when either is down.",
            "Use three or five nodes on machines of their own.");
    else if (count % 2 == 0)
        add(severity::note,
            fmt::format("There is an even number of nodes: {} bear the loss of {}, as {} do.", count,
                        (count - 1) / 2, count - 1),
            "Leave one out, or add one.");
}

void look_at_majority(const std::vector<node_examination>& nodes, std::vector<finding>& all) {
    const auto voting = static_cast<std::size_t>(
        std::ranges::count_if(nodes, [](const node_examination& n) { return !n.error && !n.refusal; }));
    const std::size_t majority = nodes.size() / 2 + 1;
    if (voting >= majority) return;
    all.push_back(
        {.weight = severity::fault,
         .topic = "majority",
         .text = fmt::format("Only {} of {} nodes can vote, and {} are a majority: nobody gets a lock.",
                             voting, nodes.size(), majority),
         .advice = "See to the nodes that cannot vote."});
}

void look_at_mixture(const std::vector<node_examination>& nodes, std::vector<finding>& all) {
    std::set<wakeup> ways;
    for (const auto& n : nodes)
        if (!n.error && n.wakeup != wakeup::automatic) ways.insert(n.wakeup);
    if (ways.size() < 2) return;
    all.push_back(
        {.weight = severity::warning,
         .topic = "mixed_wakeup",
         .text = "The nodes tell waiting clients in different ways that a key became free: clients that "
                 "are told later get the key more rarely.",
         .advice = "Configure all nodes alike."});
}

void look_at_backup(const std::vector<node_examination>& nodes, std::vector<finding>& all) {
    const node_examination& backup = nodes.back();
    if (!backup.error && !backup.refusal) return;
    all.push_back({.weight = severity::fault,
                   .topic = "backup",
                   .text = "The backup grants nothing: nobody gets a lock.",
                   .advice = "See to it: every lock is taken from the nodes and from the backup."});
}

/// What is said of several nodes in the same words is said once.
void merge(std::vector<finding>& all, finding next) {
    const auto same = std::ranges::find_if(
        all, [&](const finding& f) { return f.topic == next.topic && f.text == next.text; });
    if (same == all.end())
        all.push_back(std::move(next));
    else
        same->nodes.insert(same->nodes.end(), next.nodes.begin(), next.nodes.end());
}

} // namespace

std::vector<finding> findings_of(const std::vector<node_examination>& nodes, const config& settings) {
    std::vector<finding> all;
    for (std::size_t place = 0; place < nodes.size(); ++place) {
        std::vector<finding> found;
        look_at_node(nodes, place, settings, found);
        for (finding& f : found) {
            f.nodes = {place};
            merge(all, std::move(f));
        }
    }
    // The backup, which is the last, has no vote among the others.
    std::vector<node_examination> voters = nodes;
    if (!settings.backup.empty() && !voters.empty()) voters.pop_back();
    look_at_number(voters, all);
    look_at_majority(voters, all);
    look_at_mixture(voters, all);
    if (!settings.backup.empty() && !nodes.empty()) look_at_backup(nodes, all);
    std::vector<finding> heaviest_first;
    for (const severity weight : {severity::fault, severity::warning, severity::note})
        for (finding& f : all)
            if (f.weight == weight) heaviest_first.push_back(std::move(f));
    return heaviest_first;
}

bool is_fit(const std::vector<finding>& all) noexcept {
    return std::ranges::none_of(all, [](const finding& f) { return f.weight == severity::fault; });
}

const char* word_of(severity weight) noexcept {
    switch (weight) {
    case severity::fault:
        return "fault";
    case severity::warning:
        return "warning";
    case severity::note:
        break;
    }
    return "note";
}

std::string readable(std::chrono::nanoseconds time) {
    const auto count = static_cast<double>(time.count());
    const double size = std::abs(count);
    if (size < 1e6) return fmt::format("{:.0f} us", count / 1e3);
    if (size < 1e8) return fmt::format("{:.1f} ms", count / 1e6);
    if (size < 1e9) return fmt::format("{:.0f} ms", count / 1e6);
    if (size < 1e11) return fmt::format("{:.1f} s", count / 1e9);
    return fmt::format("{:.0f} s", count / 1e9);
}

} // namespace redlock::tool
