// Every call of those who read, write, or take a lock as an owner, interrupted behind every handler that runs
// for it.

#include "lease/every_step.hpp"

#include <redlock/owner.hpp>

#include <boost/test/data/test_case.hpp>

#include <memory>
#include <ostream>
#include <string>

namespace redlock::test {
namespace {

namespace asio = boost::asio;
namespace data = boost::unit_test::data;

enum class call {
    read,
    write,
    fenced_write,
    own,
    own_behind,
    own_again,
    read_unlock,
    read_extend,
    own_unlock
};
/// Who has the key when it is asked for: nobody, somebody else, this client, or that one until just now.
enum class at_first { nobody, another, this_client, nobody_any_more };

constexpr call takings[] = {call::read, call::write, call::fenced_write, call::own, call::own_behind};
constexpr call on_leases[] = {call::own_again, call::read_unlock, call::read_extend, call::own_unlock};
constexpr at_first beginnings[] = {at_first::nobody, at_first::another, at_first::this_client,
                                   at_first::nobody_any_more};

std::ostream& operator<<(std::ostream& out, call c) { return out << "call " << static_cast<int>(c); }
std::ostream& operator<<(std::ostream& out, at_first a) { return out << "where " << static_cast<int>(a); }

// More than any of them takes.
constexpr int most_kind_steps = 60;

struct kind_ending : step_ending {
    lease granted;
};

lock_options in_mode(mode m) {
    lock_options options = patiently();
    options.mode = m;
    return options;
}

/// With something under way.
struct kind_caller : interrupted_client {
    explicit kind_caller(const lease_fixture& f) : interrupted_client(f.settings()) {
        reads = lock("read", in_mode(mode::read));
        outer = lock("owned", owned(me));
        inner = lock("owned", owned(me));
    }

    static lock_options owned(const owner& by) {
        lock_options options = patiently();
        options.owner = &by;
        return options;
    }

    void start(call what) {
        const auto bound = [&](auto handler) {
            return asio::bind_cancellation_slot(cancel.slot(), std::move(handler));
        };
        const auto take = [&](const std::string& key, const lock_options& options) {
            locks->async_lock(key, options, bound(noting(end, &kind_ending::granted)));
        };
        lock_options fenced = in_mode(mode::write);
        fenced.fencing = true;
        switch (what) {
        case call::read:
            return take("wanted", in_mode(mode::read));
        case call::write:
            return take("wanted", in_mode(mode::write));
        case call::fenced_write:
            return take("wanted", fenced);
        case call::own:
            return take("wanted", owned(me));
        case call::own_behind: // another call of the owner asks already
            locks->async_lock("wanted", owned(me), first.handler());
            return take("wanted", owned(me));
        case call::own_again:
            return take("owned", owned(me));
        case call::read_unlock:
            return reads.async_unlock(bound(noting(end)));
        case call::read_extend:
            return reads.async_extend(2 * long_ttl, bound(noting(end)));
        case call::own_unlock:
            return inner.async_unlock(bound(noting(end)));
        }
    }

    lease lock(const std::string& key, const lock_options& options) {
        outcome<lease> got;
        locks->async_lock(key, options, got.handler());
        settle();
        BOOST_REQUIRE(got.done());
        BOOST_REQUIRE(!got.error());
        return std::move(got.value());
    }

    std::shared_ptr<kind_ending> end = std::make_shared<kind_ending>();
    const owner me;
    lease reads;
    lease outer;
    lease inner;
    lease in_the_way;
    outcome<lease> first;
};

struct kind_step_fixture : lease_fixture {
    // False when there is no later point at which it could be interrupted.
    bool interrupt_after(int steps, call what, at_first who, interruption how) {
        BOOST_TEST_CONTEXT(what << ", " << who << ", " << how << " after " << steps << " steps") {
            kind_caller c(*this);
            // Who reads waits for those who write, all others for whoever there is.
            const mode opponent = what == call::read || what >= call::own ? mode::write : mode::read;
            lease of_another;
            if (who == at_first::another || who == at_first::nobody_any_more)
                of_another = lease_fixture::lock(other, "wanted", in_mode(opponent));
            if (who == at_first::this_client) c.in_the_way = c.lock("wanted", in_mode(opponent));
            c.start(what);
            if (who == at_first::this_client || who == at_first::nobody_any_more) {
                c.settle();
                c.in_the_way = lease();
                if (who == at_first::nobody_any_more) of_another = lease();
                if (who == at_first::nobody_any_more) lease_fixture::settle();
            }
            const bool more = run_steps(c, *c.end, steps);
            c.interrupt(how);
            c.settle();
            expect_one_ending(c, what, how);
            of_another = lease();
            lease_fixture::settle();
            expect_nothing_left(c, how);
            return more;
        }
        return false;
    }

    void expect_one_ending(kind_caller& c, call what, interruption how) {
        if (!expect_one_completion(c.end, how)) return;
        const error_code e = c.end->error;
        BOOST_TEST((!e || is_of(how, e)), "ended with " << e.message());
        BOOST_TEST(bool(c.end->granted) == (!e && what <= call::own_again));
        if (ends_leases(how)) return;
        if (c.end->granted) BOOST_TEST(c.end->granted.valid());
        // What it does not concern stays as it is.
        BOOST_TEST(c.outer.valid());
        BOOST_TEST(c.inner.valid() == (what != call::own_unlock));
        BOOST_TEST(c.reads.valid() == (what != call::read_unlock));
    }

    void expect_nothing_left(kind_caller& c, interruption how) {
        if (how == interruption::loop_gone) {
            pass(48h); // as when the process had died
        } else {
            if (how == interruption::client_closed) expect_nobody_has_anything();
            c.end->granted = lease();
            c.settle();
            c.first.drop_values();
            c.settle();
            c.reads = lease();
            c.outer = lease();
            c.inner = lease();
            c.settle();
            expect_idle(c, how);
        }
        expect_nobody_has_anything();
    }

    void expect_nobody_has_anything() {
        BOOST_TEST(waiting("wanted") == 0u);
        for (const char* const key : {"wanted", "read", "owned"}) {
            BOOST_TEST(!is_held(key), key << " is held");
            BOOST_TEST(!try_lock(other, key, in_mode_once(mode::write)));
        }
    }

    static lock_options in_mode_once(mode m) {
        lock_options options = once();
        options.mode = m;
        return options;
    }

    void interrupt_everywhere(call what, at_first who, interruption how) {
        const int steps = test::interrupt_everywhere(
            [&](int behind) { return interrupt_after(behind, what, who, how); }, most_kind_steps);
        BOOST_TEST(steps > 0);
    }

    client other = make_client();
};

BOOST_FIXTURE_TEST_SUITE(every_kind_step_suite, kind_step_fixture,
                         *boost::unit_test::precondition(engine_in_hand))

BOOST_DATA_TEST_CASE_F(kind_step_fixture, who_reads_writes_or_owns_can_be_interrupted_anywhere,
                       data::make(takings) * data::make(beginnings) * data::make(interruptions), what, who,
                       how) {
    interrupt_everywhere(what, who, how);
}

BOOST_DATA_TEST_CASE_F(kind_step_fixture, what_is_done_with_such_a_lease_can_be_interrupted_anywhere,
                       data::make(on_leases) * data::make(interruptions), what, how) {
    interrupt_everywhere(what, at_first::nobody, how);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
