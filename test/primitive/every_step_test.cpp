// Every operation on several keys or permits, interrupted behind every handler that runs for it.

#include "lease/every_step.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/data/test_case.hpp>

#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace redlock::test {
namespace {

namespace asio = boost::asio;
namespace data = boost::unit_test::data;

enum class task { lock_all, with_lock_all, unlock_all, wait_lost, permit, kept_unlock };
enum class scene { free, others_have_it, held_here, on_its_way };

constexpr task takers[] = {task::lock_all, task::with_lock_all, task::permit};
constexpr task others[] = {task::unlock_all, task::wait_lost, task::kept_unlock};
constexpr scene scenes[] = {scene::free, scene::others_have_it, scene::held_here, scene::on_its_way};

std::ostream& operator<<(std::ostream& out, task t) { return out << "task " << static_cast<int>(t); }
std::ostream& operator<<(std::ostream& out, scene s) { return out << "scene " << static_cast<int>(s); }

// More than any of them takes.
constexpr int most_steps = 80;

const std::vector<std::string> wanted{"wanted:0", "wanted:1", "wanted:2"};
const std::vector<std::string> held_before{"held:0", "held:1"};

struct ending : step_ending {
    lease granted;
    lease_set all;
};

lock_options with_permits() {
    lock_options options = patiently();
    options.permits = static_cast<unsigned>(wanted.size());
    return options;
}

lock_options kept() {
    lock_options options = patiently();
    options.keep = 1h;
    return options;
}

/// With something under way.
struct subject : interrupted_client {
    explicit subject(const lease_fixture& f) : interrupted_client(f.settings()) {}

    void start(task what, interruption how) {
        // The handler of a coroutine in a slot must not outlive the context, see docs/traps.md.
        const bool cancellable = what != task::with_lock_all || how != interruption::loop_gone;
        const asio::cancellation_slot slot = cancellable ? cancel.slot() : asio::cancellation_slot();
        const auto bound = [slot](auto handler) {
            return asio::bind_cancellation_slot(slot, std::move(handler));
        };
        switch (what) {
        case task::lock_all:
            return locks->async_lock_all(wanted, patiently(), bound(noting(end, &ending::all)));
        case task::with_lock_all:
            return locks->async_with_lock(wanted, patiently(), waiting_under<lease_set>(),
                                          bound(noting_exception(end)));
        case task::permit:
            return locks->async_lock("wanted", with_permits(), bound(noting(end, &ending::granted)));
        case task::unlock_all:
            return held.async_unlock(bound(noting(end)));
        case task::wait_lost:
            return held.async_wait_lost(bound(noting(end)));
        case task::kept_unlock:
            return to_keep.async_unlock(bound(noting(end)));
        }
    }

    template <class Result>
    Result expect(outcome<Result>& got) {
        settle();
        BOOST_REQUIRE(got.done());
        BOOST_REQUIRE(!got.error());
        return std::move(got.value());
    }
    lease_set lock_all(const std::vector<std::string>& keys) {
        outcome<lease_set> got;
        locks->async_lock_all(keys, patiently(), got.handler());
        return expect(got);
    }
    lease lock_kept() {
        outcome<lease> got;
        locks->async_lock("kept", kept(), got.handler());
        return expect(got);
    }

    std::shared_ptr<ending> end = std::make_shared<ending>();
    lease_set held;
    lease_set in_the_way;
    lease to_keep;
};

struct primitive_step_fixture : lease_fixture {
    // False when there is no later point at which it could be interrupted.
    bool interrupt_after(int steps, task what, scene where, interruption how) {
        BOOST_TEST_CONTEXT(what << ", " << where << ", " << how << " after " << steps << " steps") {
            subject s(*this);
            arrange(s, where);
            s.start(what, how);
            if (where == scene::held_here || where == scene::on_its_way) {
                s.settle();
                s.in_the_way = lease_set();
                for (const std::string& key : wanted)
                    if (where == scene::on_its_way) hand->lose(prefix + key);
            }
            const bool more = run_steps(s, *s.end, steps);
            s.interrupt(how);
            s.settle();
            expect_one_ending(s, what, how);
            expect_nothing_left(s, what, where, how);
            return more;
        }
        return false;
    }

    void arrange(subject& s, scene where) {
        s.held = s.lock_all(held_before);
        s.to_keep = s.lock_kept();
        if (where == scene::held_here) s.in_the_way = s.lock_all(wanted);
        if (where == scene::others_have_it || where == scene::on_its_way)
            for (const std::string& key : wanted)
                hold(24h, key);
    }

    void expect_one_ending(subject& s, task what, interruption how) {
        if (!expect_one_completion(s.end, how)) return;
        const error_code e = s.end->error;
        const bool decided = !e && what != task::with_lock_all && what != task::wait_lost;
        BOOST_TEST((decided || is_of(how, e)), "ended with " << e.message());
        BOOST_TEST(bool(s.end->all) == (!e && what == task::lock_all));
        BOOST_TEST(bool(s.end->granted) == (!e && what == task::permit));
        if (!ends_leases(how) && s.end->all) BOOST_TEST(s.end->all.valid());
        if (!ends_leases(how) && s.end->granted) BOOST_TEST(s.end->granted.valid());
    }

    /// Of what a client had that was closed, also while its leases are there.
    void expect_nothing_held(task what, scene where) {
        for (const std::string& key : wanted)
            BOOST_TEST(is_held(key) == (where == scene::others_have_it));
        for (const std::string& key : held_before)
            BOOST_TEST(!is_held(key));
        if (what != task::kept_unlock) BOOST_TEST(!is_held("kept"));
    }

    void expect_nothing_left(subject& s, task what, scene where, interruption how) {
        for (const std::string& key : wanted)
            BOOST_TEST(waiting(key) == 0u);
        if (how == interruption::loop_gone) {
            pass(48h); // as when the process had died
        } else {
            if (how == interruption::client_closed) expect_nothing_held(what, where);
            s.end->granted = lease();
            s.end->all = lease_set();
            s.held = lease_set();
            s.settle();
            for (const std::string& key : wanted)
                lose(key); // what the test holds
            // An unlock that was asked for keeps the key also when nobody waits for its end.
            if (what == task::kept_unlock && s.end->error != errc::lease_lost && s.end->error != errc::closed)
                BOOST_TEST(is_held("kept"));
            pass(2h);
            s.to_keep = lease();
            s.settle();
            expect_idle(s, how);
        }
        for (const std::string& key : wanted)
            BOOST_TEST(!is_held(key));
        for (const std::string& key : held_before)
            BOOST_TEST(!is_held(key));
        BOOST_TEST(!is_held("kept"));
    }

    void interrupt_everywhere(task what, scene where, interruption how) {
        const int steps = test::interrupt_everywhere(
            [&](int behind) { return interrupt_after(behind, what, where, how); }, most_steps);
        BOOST_TEST(steps > 0);
    }
};

BOOST_FIXTURE_TEST_SUITE(every_primitive_step_suite, primitive_step_fixture,
                         *boost::unit_test::precondition(engine_in_hand))

BOOST_DATA_TEST_CASE_F(primitive_step_fixture, taking_can_be_interrupted_anywhere,
                       data::make(takers) * data::make(scenes) * data::make(interruptions), what, where,
                       how) {
    interrupt_everywhere(what, where, how);
}

BOOST_DATA_TEST_CASE_F(primitive_step_fixture, giving_back_can_be_interrupted_anywhere,
                       data::make(others) * data::make(interruptions), what, how) {
    interrupt_everywhere(what, scene::free, how);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
