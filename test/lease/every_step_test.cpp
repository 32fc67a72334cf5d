// Every operation, interrupted behind every handler that runs for it.

#include "every_step.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/data/test_case.hpp>

#include <memory>
#include <ostream>

namespace redlock::test {
namespace {

namespace asio = boost::asio;
namespace data = boost::unit_test::data;

enum class task { lock, fenced, longer, with_lock, unlock, drop, extend, wait_lost, inspect, check, broken };
enum class scene { free, held, on_its_way, handed_on };

constexpr task takers[] = {task::lock, task::fenced, task::longer, task::with_lock};
constexpr scene scenes[] = {scene::free, scene::held, scene::on_its_way, scene::handed_on};
constexpr task others[] = {task::unlock,  task::drop,  task::extend, task::wait_lost,
                           task::inspect, task::check, task::broken};

std::ostream& operator<<(std::ostream& out, task t) { return out << "task " << static_cast<int>(t); }
std::ostream& operator<<(std::ostream& out, scene s) { return out << "scene " << static_cast<int>(s); }

// More than any of them takes.
constexpr int most_steps = 40;

struct ending : step_ending {
    lease granted;
};

lock_options options_of(task what) {
    lock_options options = patiently();
    options.fencing = what == task::fenced;
    if (what == task::longer) options.ttl = 2 * long_ttl; // also when it is handed over
    return options;
}

/// With something under way.
struct subject : interrupted_client {
    explicit subject(const lease_fixture& f) : interrupted_client(f.settings()) {}

    void start(task what, interruption how) {
        // The handler of a coroutine in a slot must not outlive the context, see docs/traps.md.
        const bool cancellable = what != task::with_lock || how != interruption::loop_gone;
        const asio::cancellation_slot slot = cancellable ? cancel.slot() : asio::cancellation_slot();
        const auto note = noting(end);
        const auto bound = [slot](auto handler) {
            return asio::bind_cancellation_slot(slot, std::move(handler));
        };
        switch (what) {
        case task::lock:
        case task::fenced:
        case task::longer:
            return locks->async_lock("wanted", options_of(what), bound(noting(end, &ending::granted)));
        case task::with_lock:
            return locks->async_with_lock("wanted", patiently(), waiting_under<lease>(),
                                          bound(noting_exception(end)));
        case task::unlock:
            return held.async_unlock(bound(note));
        case task::drop:
            held = lease();
            return locks->async_lock("held", once(),
                                     bound([note](error_code failure, const lease&) { note(failure); }));
        case task::extend:
            return held.async_extend(2 * long_ttl, bound(note));
        case task::wait_lost:
            return held.async_wait_lost(bound(note));
        case task::inspect:
            return locks->async_inspect(
                "held", bound([note](error_code failure, const key_report&) { note(failure); }));
        case task::check:
            return locks->async_check("held", held.fencing_token().value(), bound(note));
        case task::broken:
            return locks->async_break(
                key_report{.key = prefix + "held", .nodes = {}, .holder = {}, .waiting = {}},
                bound([note](error_code failure, const break_report&) { note(failure); }));
        }
    }

    std::string prefix;
    std::shared_ptr<ending> end = std::make_shared<ending>();
    lease held;
};

struct every_step_test_fixture : lease_fixture {
    // False when there is no later point at which it could be interrupted.
    bool interrupt_after(int steps, task what, scene where, interruption how) {
        BOOST_TEST_CONTEXT(what << ", " << where << ", " << how << " after " << steps << " steps") {
            subject s(*this);
            s.prefix = prefix;
            arrange(s, what, where, how);
            const bool more = run_steps(s, *s.end, steps);
            const std::weak_ptr<ending> handler = s.end;
            s.interrupt(how);
            s.settle();
            expect_one_ending(s, what, how);
            expect_nothing_left(s, how);
            return more;
        }
        return false;
    }

    /// The task is started, and about to be dealt with.
    void arrange(subject& s, task what, scene where, interruption how) {
        lease before;
        const auto lock_first = [&](client& by, auto run, const char* key, bool fenced) {
            outcome<lease> got;
            lock_options options = patiently();
            options.fencing = fenced;
            by.async_lock(key, options, got.handler());
            run();
            BOOST_REQUIRE(got.done());
            return std::move(got.value());
        };
        const auto on_its_loop = [&] { s.settle(); };
        s.held = lock_first(*s.locks, on_its_loop, "held", true);
        if (where == scene::held) hold(24h, "wanted");
        if (where == scene::on_its_way)
            before = lock_first(
                other, [&] { settle(); }, "wanted", false);
        if (where == scene::handed_on)
            before = lock_first(*s.locks, on_its_loop, "wanted", what == task::fenced);
        s.start(what, how);
        if (where == scene::free || where == scene::held) return;
        s.settle();
        before = lease();
        if (where == scene::on_its_way) settle();
    }

    void expect_one_ending(subject& s, task what, interruption how) {
        if (!expect_one_completion(s.end, how)) return;
        const error_code e = s.end->error;
        const bool decided = !e && what != task::with_lock && what != task::wait_lost;
        const bool stopped_body = ends_leases(how) && what == task::with_lock;
        const bool dropped_first = what == task::broken && e == errc::invalid_option; // the report is empty
        BOOST_TEST((decided || stopped_body || dropped_first || is_of(how, e)), "ended with " << e.message());
        BOOST_TEST(bool(s.end->granted) == (!e && what <= task::longer));
        if (!ends_leases(how) && s.end->granted) BOOST_TEST(s.end->granted.valid());
        if (!ends_leases(how) && what > task::drop) BOOST_TEST(s.held.valid());
    }

    void expect_nothing_left(subject& s, interruption how) {
        BOOST_TEST(waiting("wanted") == 0u);
        BOOST_TEST(waiting("held") == 0u);
        if (how == interruption::loop_gone) {
            // As when the process had died.
            pass(48h);
        } else {
            if (how == interruption::client_closed) BOOST_TEST(!is_held("held"));
            s.end->granted = lease();
            s.held = lease();
            s.settle();
            lose("wanted"); // what the test holds
            expect_idle(s, how);
        }
        BOOST_TEST(!is_held("wanted"));
        BOOST_TEST(!is_held("held"));
    }

    void interrupt_everywhere(task what, scene where, interruption how) {
        const int steps = test::interrupt_everywhere(
            [&](int behind) { return interrupt_after(behind, what, where, how); }, most_steps);
        BOOST_TEST(steps > 0);
    }

    client other = make_client();
};

BOOST_FIXTURE_TEST_SUITE(every_step_suite, every_step_test_fixture,
                         *boost::unit_test::precondition(engine_in_hand))

BOOST_DATA_TEST_CASE_F(every_step_test_fixture, taking_a_lock_can_be_interrupted_anywhere,
                       data::make(takers) * data::make(scenes) * data::make(interruptions), what, where,
                       how) {
    interrupt_everywhere(what, where, how);
}

BOOST_DATA_TEST_CASE_F(every_step_test_fixture, everything_else_can_be_interrupted_anywhere,
                       data::make(others) * data::make(interruptions), what, how) {
    interrupt_everywhere(what, scene::free, how);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
