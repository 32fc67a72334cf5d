#pragma once

#include "lease/runtime.hpp"

#include <boost/system/error_code.hpp>

#include <chrono>

namespace redlock::lock {

/// Someone who waits for something to happen to a lease. Leaves the queue when destroyed.
class lease_waiter : public list_hook {
public:
    /// Once.
    virtual void lease_answered(const boost::system::error_code& outcome) noexcept = 0;

    /// It is about to be answered: begins to bring it near, with what stands before and behind it.
    void fetch_ahead() const noexcept {
        const char* const self = reinterpret_cast<const char*>(this);
        for (const int at : {-96, 0, 64})
            __builtin_prefetch(self + at, 1);
    }

    std::chrono::milliseconds wanted_ttl{0}; ///< of one who waits for an extension

protected:
    ~lease_waiter() = default;
};

using lease_waiters = live_list<lease_waiter>;

/// Takes all of them off and answers each. The last answer may destroy whoever held the list.
void answer_all(lease_waiters& all, const boost::system::error_code& outcome) noexcept;
inline void answer(lease_waiters& all, const boost::system::error_code& outcome) noexcept {
    if (!all.empty()) answer_all(all, outcome);
}

} // namespace redlock::lock
