#include "look/key_board.hpp"

#include <algorithm>
#include <cassert>
#include <set>
#include <utility>

namespace redlock::tool {
namespace {

// A rate over fewer looks jumps, and over more it lags.
constexpr std::size_t looks_of_a_rate = 10;

bool comes_before(const board_key& a, const board_key& b, key_order order) {
    const auto waiting = [](const board_key& k) { return k.history.last().waiting.value_or(0); };
    switch (order) {
    case key_order::age:
        if (a.history.since() != b.history.since()) return a.history.since() < b.history.since();
        break;
    case key_order::grants:
        if (a.rate != b.rate) return a.rate > b.rate;
        break;
    case key_order::waiting:
        if (waiting(a) != waiting(b)) return waiting(a) > waiting(b);
        break;
    case key_order::name:
        break;
    }
    return a.name < b.name;
}

} // namespace

key_board::key_board(std::size_t most) : most_(most) { assert(most >= 1); }

void key_board::found(const key_list& keys) {
    const std::set<std::string> there(keys.keys.begin(), keys.keys.end());
    std::erase_if(entries_, [&](const auto& e) { return !there.contains(e.first); });
    for (const std::string& name : there)
        if (entries_.size() < most_) entries_[name].key.name = name;
    left_out_ = there.size() - entries_.size();
    more_ = keys.more;
}

std::vector<std::string> key_board::names() const {
    std::vector<std::string> all;
    for (const auto& [name, e] : entries_)
        all.push_back(name);
    return all;
}

void key_board::saw(key_report report, const std::string& name, time_point now) {
    const auto place = entries_.find(name);
    if (place == entries_.end()) return;
    auto& [key, looks] = place->second;
    key.history.update(judge(report), now);
    key.report = std::move(report);
    looks.emplace_back(now, key.history.handoffs());
    if (looks.size() > looks_of_a_rate + 1) looks.pop_front();
    const std::chrono::duration<double> span = now - looks.front().first;
    if (span.count() > 0)
        key.rate = static_cast<double>(looks.back().second - looks.front().second) / span.count();
}

std::vector<const board_key*> key_board::in_order(key_order order) const {
    std::vector<const board_key*> all;
    for (const auto& [name, e] : entries_)
        if (!e.looks.empty()) all.push_back(&e.key);
    std::sort(all.begin(), all.end(),
              [&](const board_key* a, const board_key* b) { return comes_before(*a, *b, order); });
    return all;
}

} // namespace redlock::tool
