#pragma once

#include "core/queue/handover_row.hpp"
#include "core/queue/open_door.hpp"
#include "core/random.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

namespace redlock::test {

using core::instant;
using core::nanoseconds;

/// Of a world in which processes hand a key from one to the next, and a stranger asks for it from time to
/// time.
struct door_terms {
    nanoseconds poll;       ///< of the stranger, between two tries
    bool jitter;            ///< the pause is anything up to twice that
    nanoseconds hold;       ///< of everybody
    nanoseconds round_trip; ///< to the node
    std::size_t processes;  ///< that want the key again as soon as they have given it back
    nanoseconds duration;   ///< in which is counted, behind `warm_up`
    nanoseconds stays_for;  ///< of the stranger, from the beginning on
    std::uint64_t seed = 1;

    static constexpr nanoseconds warm_up = std::chrono::seconds(2);
};

struct door_findings {
    double strangers_rounds = 0; ///< the longest wait, in rounds of strict order
    double strangers_share = 0;  ///< of all grants
    double our_rounds = 0;
    double least_of_most = 0; ///< grants of the processes
    double grants = 0;        ///< in all
};

/// That world, with one node. `Door` is `core::open_door`, or one with a mistake in it.
template <class Door>
class door_world {
public:
    explicit door_world(const door_terms& terms)
        : terms_(terms), draws_(terms.seed), processes_(terms.processes) {}

    door_findings run() {
        stranger_asks(); // it comes first, and is seen by whoever comes then
        for (std::size_t i = 0; i < processes_.size(); ++i)
            after(i * std::chrono::microseconds(10), [this, i] { ask(i); });
        const instant end = instant() + terms_.warm_up + terms_.duration;
        while (!events_.empty() && events_.top().at < end) {
            event next = events_.top();
            events_.pop();
            now_ = next.at;
            next.what();
        }
        now_ = end;
        return findings();
    }

private:
    struct event {
        instant at;
        std::uint64_t number;
        std::function<void()> what;
        bool operator<(const event& other) const {
            return std::pair(at, number) > std::pair(other.at, other.number);
        }
    };
    struct process {
        Door door;
        core::handover_row row;
        instant asked{};
        std::uint32_t call = 0; ///< what is heard for an earlier one is of no use
        bool watches = false;
        nanoseconds longest_wait{};
        double grants = 0;
    };
    struct entry {
        instant asked;
        std::size_t who;
    };
    struct opening {
        instant until;
        core::stranger_sight sight;
    };
    enum class holder { nobody, one_of_ours, stranger };

    static constexpr unsigned limit = 64;
    static constexpr nanoseconds own_time = std::chrono::microseconds(200); ///< of the stranger

    void after(nanoseconds pause, std::function<void()> what) {
        events_.push({now_ + pause, ++event_count_, std::move(what)});
    }
    void one_way(std::function<void()> what) {
        const nanoseconds half = terms_.round_trip / 2;
        after(draws_.between(half * 9 / 10, half * 6 / 5), std::move(what));
    }
    /// Unless the call is over by then.
    template <class What>
    auto of_call(std::size_t i, What what) {
        return [this, i, call = processes_[i].call, what] {
            if (processes_[i].call == call) what();
        };
    }

    void ask(std::size_t i) {
        processes_[i].asked = now_;
        // As whoever comes to a contested key does.
        after(4 * terms_.round_trip, of_call(i, [this, i] { enter(i); }));
    }
    void enter(std::size_t i) {
        one_way(of_call(i, [this, i] { entered(i); }));
    }
    void entered(std::size_t i) {
        queue_up(i);
        std::optional<core::stranger_sight> told;
        if (has_ == holder::nobody && opening_ && opening_->until > now_) return tell_open(i);
        if (has_ != holder::one_of_ours && opening_) told = std::exchange(opening_, {})->sight;
        if (has_ == holder::nobody) return serve(told, nanoseconds::zero(), false);
        if (has_ == holder::stranger)
            one_way(of_call(i, [this, i, told] {
                process& p = processes_[i];
                if (told) p.door.told_of_door(*told, now_);
                p.door.used(terms_.round_trip, now_);
                p.watches = true;
                if (has_ == holder::nobody) enter(i);
            }));
    }
    void queue_up(std::size_t i) {
        for (const entry& e : queue_)
            if (e.who == i) return;
        const entry mine{processes_[i].asked, i};
        queue_.insert(std::ranges::upper_bound(queue_, mine.asked, {}, &entry::asked), mine);
    }
    void tell_open(std::size_t i) {
        const nanoseconds left = opening_->until - now_;
        const bool is_first = queue_.front().who == i;
        one_way(of_call(i, [this, i, left, is_first, sight = opening_->sight] {
            processes_[i].door.told_of_door(sight, now_);
            if (is_first)
                after(std::min(left, std::max(left / 4, terms_.round_trip)),
                      of_call(i, [this, i] { enter(i); }));
        }));
    }

    void serve(const std::optional<core::stranger_sight>& told, nanoseconds row, bool is_handed) {
        const std::size_t i = queue_.front().who;
        queue_.pop_front();
        has_ = holder::one_of_ours;
        one_way([this, i, told, row, is_handed] {
            process& p = processes_[i];
            ++p.call;
            p.watches = false;
            p.row = {};
            p.row.handed(row, limit, now_);
            if (told) is_handed ? p.door.handed(*told, now_) : p.door.shut(*told, now_);
            if (!told && !is_handed) p.door.found_free(now_);
            if (counts(p.asked)) {
                p.longest_wait = std::max(p.longest_wait, now_ - p.asked);
                ++p.grants;
            }
            after(terms_.hold, [this, i] { give_back(i); });
        });
    }
    void give_back(std::size_t i) {
        const process& p = processes_[i];
        const bool knows = p.door.is_known(now_);
        const nanoseconds door = knows ? p.door.opens_for(now_) : nanoseconds::zero();
        const bool opens = door > nanoseconds::zero() || p.row.is_over(now_);
        std::optional<core::stranger_sight> told;
        if (knows) told = opens ? p.door.sight_behind(door, now_) : p.door.sight(now_);
        one_way([this, door, opens, told, row = p.row.length(now_)] { given_back(door, opens, told, row); });
        after(terms_.round_trip, [this, i] { ask(i); });
    }
    void given_back(nanoseconds door, bool opens, const std::optional<core::stranger_sight>& told,
                    nanoseconds row) {
        has_ = holder::nobody;
        if (queue_.empty()) return;
        if (!opens) return serve(told, row, true);
        if (told) opening_ = opening{now_ + door, *told};
        const std::size_t first = queue_.front().who;
        one_way(of_call(first, [this, first] {
            after(terms_.round_trip, of_call(first, [this, first] { enter(first); }));
        }));
    }

    void stranger_asks() {
        stranger_asked_ = now_;
        stranger_tries();
    }
    void stranger_tries() {
        if (now_ - instant() >= terms_.stays_for) return;
        one_way([this] {
            const bool got_it = has_ == holder::nobody;
            if (got_it) has_ = holder::stranger;
            one_way([this, got_it] { got_it ? stranger_holds() : stranger_pauses(); });
        });
    }
    void stranger_pauses() {
        const nanoseconds pause =
            terms_.jitter ? draws_.between(nanoseconds::zero(), 2 * terms_.poll) : terms_.poll;
        after(pause, [this] { stranger_tries(); });
    }
    void stranger_holds() {
        note_stranger();
        if (counts(*stranger_asked_)) ++stranger_grants_;
        stranger_asked_.reset();
        after(terms_.hold, [this] {
            one_way([this] {
                has_ = holder::nobody;
                for (std::size_t i = 0; i < processes_.size(); ++i)
                    if (processes_[i].watches) one_way(of_call(i, [this, i] { enter(i); }));
                one_way([this] { after(own_time, [this] { stranger_asks(); }); });
            });
        });
    }
    void note_stranger() {
        const instant from = std::max(*stranger_asked_, instant() + terms_.warm_up);
        strangers_wait_ = std::max(strangers_wait_, now_ - from);
    }
    bool counts(instant asked) const { return asked >= instant() + terms_.warm_up; }

    door_findings findings() {
        const nanoseconds turn = terms_.hold + terms_.round_trip;
        const double strict = static_cast<double>(
            (static_cast<nanoseconds::rep>(processes_.size()) * turn + terms_.round_trip).count());
        if (stranger_asked_ && now_ - instant() < terms_.stays_for) note_stranger();
        const auto grants_of = [](const process& p) { return p.grants; };
        const auto [least, most] = std::ranges::minmax(processes_, {}, grants_of);
        door_findings f{.strangers_rounds = static_cast<double>(strangers_wait_.count()) / strict,
                        .least_of_most = least.grants / std::max(most.grants, 1.0),
                        .grants = stranger_grants_};
        for (const process& p : processes_) {
            f.grants += p.grants;
            f.our_rounds = std::max(f.our_rounds, static_cast<double>(p.longest_wait.count()) / strict);
        }
        f.strangers_share = stranger_grants_ / std::max(f.grants, 1.0);
        return f;
    }

    const door_terms terms_;
    core::random draws_;
    instant now_{};
    std::priority_queue<event> events_;
    std::uint64_t event_count_ = 0;
    std::vector<process> processes_;
    std::deque<entry> queue_;
    holder has_ = holder::nobody;
    std::optional<opening> opening_;
    std::optional<instant> stranger_asked_; ///< of a call that is not over
    nanoseconds strangers_wait_{};
    double stranger_grants_ = 0;
};

} // namespace redlock::test
