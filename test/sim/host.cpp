#include "sim/host.hpp"

#include <algorithm>
#include <utility>

namespace redlock::sim {

void host::set_clock(time::instant shown, std::int64_t faster) {
    clock_.set(shown, faster);
    for (alarm* a : alarms_)
        a->schedule();
}

void host::jump_clock(nanoseconds by) {
    jumps_.push_back({events_.now(), by});
    clock_.jump(by);
    for (alarm* a : alarms_)
        a->schedule();
}

nanoseconds host::jumped_since(nanoseconds when) const noexcept {
    nanoseconds sum{0};
    for (const jump& j : jumps_)
        if (j.at >= when) sum += j.by;
    return sum;
}

void host::post(action what) {
    events_.after(nanoseconds(0), [self = shared_from_this(), what = std::move(what)]() mutable {
        self->run(std::move(what));
    });
}

void host::run(action what) {
    if (dead_) return;
    if (stopped_)
        waiting_.push_back(std::move(what));
    else
        what();
}

void host::go_on() {
    if (!std::exchange(stopped_, false)) return;
    went_on_at_ = events_.now();
    for (action& what : std::exchange(waiting_, {}))
        post(std::move(what));
}

// What waits may own what refers to this.
void host::die() noexcept {
    dead_ = true;
    const auto dropped = std::exchange(waiting_, {});
}

alarm::alarm(host& on) : host_(on.shared_from_this()), self_(std::make_shared<alarm*>(this)) {
    host_->alarms_.push_back(this);
}

alarm::~alarm() {
    *self_ = nullptr;
    std::erase(host_->alarms_, this);
}

void alarm::set(time::instant at, action ring) {
    at_ = at;
    ring_ = std::move(ring);
    schedule();
}

void alarm::schedule() {
    ++setting_;
    if (!ring_ || at_ == time::instant::max()) return;
    host_->events_.at(host_->clock_.when(at_), [self = self_, on = host_, setting = setting_]() mutable {
        on->run([self = std::move(self), setting] {
            if (*self) (*self)->due(setting);
        });
    });
}

void alarm::due(std::uint64_t setting) {
    if (setting != setting_ || !ring_) return;
    if (host_->clock_.now() < at_) return schedule();
    const action ring = std::exchange(ring_, {});
    ring();
}

} // namespace redlock::sim
