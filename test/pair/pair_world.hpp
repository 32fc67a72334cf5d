#pragma once

#include "core/instant.hpp"
#include "core/random.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <queue>
#include <string>
#include <utility>
#include <vector>

// Two services that grant one key, a network, and time, of which a seed makes everything. For the rules of
// the double lock alone: what stands between them and real servers is tested elsewhere.

namespace redlock::test {

using namespace std::chrono_literals;
using core::instant;
using core::nanoseconds;

/// What contenders of the model can do wrong.
enum class flaw : std::uint8_t {
    none,
    larger_validity,      ///< the later of the two sendings counts
    token_of_first,       ///< fencing tokens are those of the first
    first_kept,           ///< the first is not given back when the second refuses
    lost_only_when_both,  ///< a lease goes on that one of the two has lost
    confirmed_by_either,  ///< a renewal counts that only one has confirmed
    late_success_kept,    ///< what was granted too late is not given back
    released_first_first, ///< the first is given back before the second
};

/// Who has the key, for how long, and the fencing token.
struct model_service {
    struct tenure {
        std::uint64_t token;
        instant expires;
    };
    std::optional<tenure> held;
    std::uint64_t fence = 0;
    instant stalled_until{};

    bool is_held(instant now) const { return held && held->expires > now; }
    bool acquire(std::uint64_t token, nanoseconds life, instant now) {
        if (is_held(now)) return false;
        held = {token, now + life};
        ++fence;
        return true;
    }
    bool renew(std::uint64_t token, nanoseconds life, instant now) {
        if (!is_held(now) || held->token != token) return false;
        held->expires = now + life;
        return true;
    }
    void release(std::uint64_t token) {
        if (held && held->token == token) held.reset();
    }
};

struct model_answer {
    bool yes;
    std::uint64_t fence;
};

class pair_world {
public:
    pair_world(std::uint64_t seed, flaw planted_flaw) : planted(planted_flaw), draws(seed) {}

    void after(nanoseconds time, std::function<void()> what) {
        events_.push({now + time, ++order_, std::move(what)});
    }
    void run_until(instant end) {
        while (!events_.empty() && events_.top().at <= end) {
            event next = events_.top();
            events_.pop();
            now = next.at;
            next.what();
        }
        now = end;
    }
    bool chance(double p) { return draws.fraction() < p; }
    nanoseconds between(nanoseconds low, nanoseconds high) { return draws.between(low, high); }

    /// A request of somebody to a service: lost, late, or its answer is. Those of one client to one service
    /// keep their order.
    void call(int client, unsigned side, const std::function<model_answer(model_service&)>& request,
              std::function<void(model_answer)> answered) {
        if (faulty && chance(0.03)) return;
        instant& last = arrivals_[{client, side}];
        last = std::max({last, now + trip(), services[side].stalled_until});
        after(last - now, [this, side, request, answered = std::move(answered)] {
            const model_answer a = request(services[side]);
            if (faulty && chance(0.03)) return;
            after(trip(), [answered, a] { answered(a); });
        });
    }

    /// Somebody was granted the key until then, unless he gives it back or loses it before: `ends` says when.
    void granted(std::uint64_t fence, const std::function<bool()>& is_valid) {
        std::erase_if(valid_, [](const auto& still) { return !still(); });
        overlaps += valid_.size();
        disorder += fence <= highest_;
        highest_ = std::max(highest_, fence);
        valid_.push_back(is_valid);
        ++grants;
    }

    const flaw planted;
    core::random draws;
    instant now{1h};
    model_service services[2];
    bool faulty = true;
    std::size_t overlaps = 0, disorder = 0, grants = 0, waits_at_second = 0;

private:
    struct event {
        instant at;
        std::uint64_t order;
        std::function<void()> what;
        bool operator<(const event& other) const {
            return std::pair(at, order) > std::pair(other.at, other.order);
        }
    };
    nanoseconds trip() { return faulty && chance(0.05) ? between(20ms, 60ms) : between(100us, 3ms); }

    std::priority_queue<event> events_;
    std::uint64_t order_ = 0;
    std::map<std::pair<int, unsigned>, instant> arrivals_;
    std::vector<std::function<bool()>> valid_;
    std::uint64_t highest_ = 0;
};

} // namespace redlock::test
