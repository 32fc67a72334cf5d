#include "chaos/nemesis.hpp"

#include "chaos/history.hpp"

namespace redlock::chaos {
namespace {

faults faults_of(deployment& servers, crowd& clients) {
    faults all = servers.known_faults();
    append(all, clients.known_faults());
    return all;
}

} // namespace

nemesis::nemesis(deployment& servers, crowd& clients, unsigned seed)
    : servers_(servers),
      pace_(servers.pace()),
      chance_(seed),
      known_(faults_of(servers, clients)),
      times_(known_.size()),
      next_(clock::now() + pace_.first) {
    for (const fault& each : known_)
        weights_.push_back(static_cast<double>(each.weight));
    look();
}

void nemesis::step() {
    wounds_.heal_due();
    if (clock::now() >= next_) {
        if (wounds_.open() < pace_.most_at_once) strike();
        next_ = clock::now() + chance_.between(pace_.shortest, pace_.longest);
    }
    look();
}

void nemesis::calm() {
    wounds_.heal_all();
    look();
}

void nemesis::strike() {
    const std::size_t kind = chance_.among(weights_);
    if (known_[kind].strike(chance_, wounds_)) ++times_[kind];
}

void nemesis::look() {
    const std::int64_t time = now();
    const std::optional<bool> well = servers_.could_grant(time);
    if (!well) return;
    if (!well_) well_.emplace();
    if (*well && !is_well_) well_->push_back({time, time});
    if (*well || is_well_) well_->back().end = time;
    is_well_ = *well;
}

std::vector<nemesis::count> nemesis::counts() const {
    std::vector<count> all;
    for (std::size_t i = 0; i < known_.size(); ++i)
        all.push_back({known_[i].name, times_[i]});
    return all;
}

} // namespace redlock::chaos
