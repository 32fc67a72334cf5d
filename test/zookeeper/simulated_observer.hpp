#pragma once

#include "core/election/leader_record.hpp"
#include "core/election/observation.hpp"
#include "simulated_world.hpp"

#include <optional>

namespace redlock::zookeeper::test {

/// Wants to know who leads, over a server that may be behind, or away for a while, in which it is told of
/// nothing.
class simulated_observer {
public:
    explicit simulated_observer(world& w) : world_(w) {
        begin();
        go_away();
    }
    simulated_observer(const simulated_observer&) = delete;
    simulated_observer& operator=(const simulated_observer&) = delete;

    /// Of a transaction: tells those who watch.
    void committed(const simulated_ensemble::state& before, const simulated_ensemble::state& now) {
        if (before.leader == now.leader || !watched_since_) return;
        watched_since_.reset();
        tell_of_change();
    }
    /// That this is proclaimed, or nothing.
    bool knows(const std::optional<simulated_ensemble::state::lead>& lead) const noexcept {
        return last_.present == lead.has_value() && (!lead || last_.mark == lead->mark);
    }

private:
    using action = core::observation::action;

    milliseconds delay() { return milliseconds(world_.between(1, world_.calm ? 5 : 30)); }
    /// By a server that it is connected to.
    void tell_of_change() {
        world_.after(delay(), [this] {
            if (!is_away() && observation_) perform(observation_->changed());
        });
    }
    bool is_away() const { return world_.now < away_until_; }
    void go_away() {
        if (!world_.calm && world_.around.cut_off > 0 && world_.chance(10)) {
            away_until_ = world_.now + milliseconds(world_.between(20, 600));
            // Behind that it has another connection.
            world_.at(away_until_, [this] {
                watched_since_.reset();
                if (observation_) perform(observation_->changed());
            });
        }
        world_.after(100ms, [this] { go_away(); });
    }
    void begin() {
        observation_.emplace(world_.mistake == planted::earlier_is_told ? leader_mark{} : known_);
        perform(observation_->start());
    }
    void perform(const core::observation::step& s) {
        if (s.what == action::look) look(true);
        if (s.what != action::wait) return;
        world_.at(s.until, [this, q = ++wait_] {
            if (q == wait_ && observation_) perform(observation_->time_passed());
        });
    }
    /// Of a node that is not there only the second of two looks is told.
    void look(bool at_data) {
        ++wait_;
        world_.after(delay(), [this, at_data] {
            if (is_away()) return heard([this] { perform(observation_->unanswered(world_.now)); });
            const auto seen = view();
            const bool watches = seen.leader || !at_data;
            if (watches && !(world_.mistake == planted::absence_unwatched && !seen.leader)) watch(seen);
            heard([this, at_data, found = seen.leader] {
                if (!found && at_data) return look(false);
                if (found && !at_data) return look(true);
                saw(found);
            });
        });
    }
    void heard(std::function<void()> what) { world_.after(delay(), std::move(what)); }
    simulated_ensemble::state view() {
        const bool is_behind = world_.mistake == planted::earlier_is_told;
        const bool may_lag = !world_.calm && world_.around.cut_off > 0;
        const auto lag = static_cast<std::size_t>(world_.between(0, may_lag ? 3 : 0));
        const auto found = world_.servers.behind(lag, is_behind ? 0 : seen_);
        seen_ = found.transaction;
        return found;
    }
    void watch(const simulated_ensemble::state& seen) {
        watched_since_ = seen.transaction;
        if (seen.leader == world_.servers.newest().leader) return;
        watched_since_.reset();
        tell_of_change();
    }
    void saw(const std::optional<simulated_ensemble::state::lead>& found) {
        const auto s =
            found ? observation_->found(found->mark, world_.now) : observation_->found_nobody(world_.now);
        if (s.what != action::tell) return perform(s);
        last_ = {.value = {}, .mark = observation_->mark_of_nobody(), .present = found.has_value()};
        if (found) {
            world_.lead.told(highest_, found->mark);
            highest_ = last_.mark = found->mark;
        }
        known_ = last_.mark;
        observation_.reset(); // until the next question
        world_.after(milliseconds(world_.between(0, 20)), [this] { begin(); });
    }

    world& world_;
    leader_mark known_, highest_;
    leader_info last_;
    std::optional<core::observation> observation_;
    std::optional<std::int64_t> watched_since_;
    std::int64_t seen_ = 0;
    instant away_until_{};
    unsigned wait_ = 0;
};

} // namespace redlock::zookeeper::test
