#pragma once

#include "turn/live_list.hpp"

#include <redlock/error.hpp>

namespace redlock::engine {
class failure;
}

namespace redlock::turn {

/// No error. Made once: a copy of one that was made just before waits for its parts to reach the cache.
extern const boost::system::error_code success;

/// As an error code; 0 is no error.
inline boost::system::error_code code_of(errc e) noexcept {
    return e == errc{} ? success : make_error_code(e);
}

/// Someone who waits for something to come out. Leaves the queue when destroyed.
class outcome_waiter : public list_hook {
public:
    /// Once.
    virtual void answered(const boost::system::error_code& outcome) noexcept = 0;
    /// Before that, of a failure of which there is more to say, for one who wants to know.
    virtual void hears_of(const boost::system::error_code& /*outcome*/,
                          const engine::failure& /*more*/) noexcept {}

protected:
    ~outcome_waiter() = default;
};

using outcome_waiters = live_list<outcome_waiter>;

/// Takes all of them off and answers each. The last answer may destroy whoever held the list.
template <class Waiter>
void answer_all(live_list<Waiter>& all, const boost::system::error_code& outcome) noexcept {
    live_list<Waiter> taken;
    taken.swap(all);
    while (!taken.empty()) {
        Waiter& w = taken.front();
        taken.pop_front();
        w.answered(outcome);
    }
}
/// Answers each after it has heard more of the failure.
template <class Waiter>
void answer_all(live_list<Waiter>& all, const boost::system::error_code& outcome,
                const engine::failure& more) noexcept {
    for (Waiter& w : all)
        w.hears_of(outcome, more);
    answer_all(all, outcome);
}
template <class Waiter>
void answer(live_list<Waiter>& all, const boost::system::error_code& outcome) noexcept {
    if (!all.empty()) answer_all(all, outcome);
}

} // namespace redlock::turn
