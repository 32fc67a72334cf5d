// How a client of the model follows who leads.

#include "etcd/model/client.hpp"

#include <chrono>
#include <utility>

namespace redlock::etcd::model {

using namespace std::chrono_literals;

void client::observe() {
    observation_.emplace(known_);
    world_.watch_leader(*this, ++leader_watch_);
    follow(observation_->start());
}

void client::follow(const core::observation::step& s) {
    if (s.what == core::observation::action::go_on) return;
    ++observing_;
    if (s.what == core::observation::action::look) return look_who_leads();
    later(s.until - world_.now(), [this, step = observing_] {
        if (step == observing_) follow(observation_->time_passed());
    });
}

void client::look_who_leads() {
    world_.ask(
        *this,
        [this, step = observing_] {
            const bool lags = world_.has(mistake::earlier_is_told) && world_.chance(0.3);
            const leader_mark seen = lags ? world_.cluster().earlier_lead() : world_.cluster().lead();
            return [this, step, seen] {
                if (step == observing_) saw(seen);
            };
        },
        [this, step = observing_] {
            if (step == observing_) follow(observation_->unanswered(world_.now()));
        });
}

// Of term 0 where nobody leads.
void client::saw(const leader_mark& proclaimed) {
    const core::instant now = world_.now();
    const bool leads = proclaimed.term != 0;
    const bool tells_whatever_differs =
        world_.has(mistake::earlier_is_told) && leads && proclaimed != leader_;
    const auto s = leads ? observation_->found(proclaimed, now) : observation_->found_nobody(now);
    if (s.what != core::observation::action::tell && !tells_whatever_differs) return follow(s);
    known_ = leads ? proclaimed : observation_->mark_of_nobody();
    leader_ = proclaimed;
    if (leads) {
        world_.told(last_told_, proclaimed);
        last_told_ = proclaimed;
    }
    observe();
}

void client::leader_watch_began(int watch) {
    if (watch != leader_watch_ || world_.has(mistake::no_look_behind_watch)) return;
    follow(observation_->changed());
}

void client::leader_changed(int watch) {
    if (watch == leader_watch_) follow(observation_->changed());
}

} // namespace redlock::etcd::model
