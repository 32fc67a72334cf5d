#pragma once

#include "sim/checker.hpp"
#include "sim/dice.hpp"
#include "sim/host.hpp"
#include "sim/lock_kind.hpp"

#include <redlock/leadership.hpp>
#include <redlock/lease_set.hpp>
#include <redlock/lock_options.hpp>

#include <boost/asio/cancellation_signal.hpp>
#include <boost/system/error_code.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace redlock::lock {
class held_lease;
}

namespace redlock::sim {

class process;
class visit;

/// Told how a visit came out.
class visit_listener {
public:
    /// Nothing of it is under way any more.
    virtual void visit_over(const visit& v) = 0;

protected:
    ~visit_listener() = default;
};

/// One call for a lock of any kind, as users make it, and what was granted until that is given back: all of
/// it through the public side of the library. Its handlers share it.
class visit final : public std::enable_shared_from_this<visit> {
public:
    struct plan {
        lock_kind kind;
        std::vector<std::string> keys; ///< one, if it is not for a set
        lock_options options;
    };

    visit(process& in, visit_listener& told, std::uint64_t seed, plan wanted);
    visit(const visit&) = delete;
    visit& operator=(const visit&) = delete;

    void start(nanoseconds after);
    /// Gives back what it holds soon.
    void wind_down();

private:
    enum class phase { planned, waiting, holding, giving_back, over };

    void call();
    void cancel();
    template <class Granted>
    void answered(const boost::system::error_code& outcome, Granted granted);
    void refused(const boost::system::error_code& why);
    void granted();
    void look_at_set();
    void tell_checker(std::size_t index);
    /// Null for a lease that is over.
    const lock::held_lease* held_by(const lease& l) const;
    /// Of the lock, with the prefix.
    std::string full_key(std::size_t index) const;
    void hold();
    void stop_requested();
    void extend();
    void downgrade();
    void proclaim();
    /// What this one says of itself, each time anew.
    std::string next_value();
    void give_back();
    void let_go();
    void given_back(const boost::system::error_code& outcome);
    nanoseconds kept_until() const;
    void end();
    void later(nanoseconds after, void (visit::*what)());
    template <class... Arguments>
    void note(const char* what, const Arguments&... arguments) const;
    lease& one() { return plan_.kind == lock_kind::lead ? leads_ : lease_; }
    lease& at(std::size_t index) { return set_ ? set_[index] : one(); }

    process& process_;
    visit_listener* told_;
    dice dice_;
    const plan plan_;
    phase phase_ = phase::planned;
    std::vector<checker::operation> operations_; ///< one for each key
    std::vector<std::string> names_;             ///< of what was granted, as the servers know it
    std::vector<std::string> tokens_;
    time::instant called_at_{};
    nanoseconds granted_at_{};
    nanoseconds unlocked_at_{};
    boost::asio::cancellation_signal cancellation_;
    lease lease_;
    lease_set set_;
    leadership leads_;
    unsigned proclaimed_ = 0; ///< so many values
    std::optional<std::stop_callback<std::function<void()>>> on_stop_;
    alarm next_;
    alarm impatience_;
};

} // namespace redlock::sim
