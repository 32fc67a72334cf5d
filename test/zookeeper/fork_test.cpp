// A client belongs to the process that made it, and so does its session: a child that was forked has a copy
// of both, and of the connection.

#include "../client/forked_child.hpp"
#include "zookeeper_fixture.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>

#include <chrono>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string>

namespace redlock::test {
namespace {

namespace data = boost::unit_test::data;

std::ptrdiff_t open_descriptors() {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"),
                         std::filesystem::directory_iterator());
}

// Asio wants a child to tell its context before that runs. One that does not is no reason for harm.
const bool told_or_not[] = {true, false};

struct fork_fixture : zookeeper_fixture {
    fork_fixture() : zookeeper_fixture(*shared_patient_server::server) {
        {
            // From then on the context and the library have the descriptors that they keep.
            client first = make_client();
            BOOST_REQUIRE(!try_lock(first));
            close(first);
        }
        descriptors = open_descriptors();
        locks.emplace(context.get_executor(), short_of_patience());
        BOOST_REQUIRE(!try_lock(*locks));
    }

    /// An event that a child has taken, one that was not told, costs as much.
    config short_of_patience() const {
        config c = settings();
        c.node_timeout = 5s;
        return c;
    }
    void tell(bool really) {
        if (really) context.notify_fork(boost::asio::io_context::fork_child);
    }
    void ends_well(forked_child& child) {
        BOOST_REQUIRE(run_until([&] { return child.ended(); }));
        BOOST_TEST(child.verdict() == "");
    }
    void connection_goes_on() { BOOST_TEST(locks->metrics().nodes.at(0).disconnects == 0u); }

    std::ptrdiff_t descriptors = 0; ///< without those of a client
    std::optional<client> locks;
};

BOOST_AUTO_TEST_SUITE(fork_suite, *boost::unit_test::fixture<shared_patient_server>())

BOOST_DATA_TEST_CASE_F(fork_fixture, a_child_does_the_parents_lease_no_harm, data::make(told_or_not), told) {
    std::optional<lease> held(lock(*locks, "key", fenced(20s)));
    const std::uint64_t token = held->fencing_token().value();
    forked_child child([&]() -> std::string {
        if (held->valid() || held->remaining() != 0ns) return "the lease is valid in the child";
        tell(told);
        // At once, or with the first event of the parent's that it takes.
        if (!run_until([&] { return held->stop_token().stop_requested(); }))
            return "stop was not requested in the child";
        if (unlock(*held) != errc::closed) return "the child unlocked";
        held.reset();
        locks.reset();
        run_until(200ms, [] { return false; });
        return {};
    });
    bool was_valid = true;
    const auto end = std::chrono::steady_clock::now() + 2 * patience;
    while (!child.ended() && std::chrono::steady_clock::now() < end) {
        inspect(*locks, "another"); // so that there are events
        was_valid = was_valid && held->valid();
    }
    BOOST_REQUIRE(child.ended());
    BOOST_TEST(child.verdict() == "");
    BOOST_TEST(was_valid);
    // Made behind the child, which takes events of every client of the context.
    client others = make_client();
    BOOST_TEST(!check(others, token));
    BOOST_TEST(try_lock(others) == errc::held);
    const auto renewals = locks->metrics().renewals;
    BOOST_TEST(run_until([&] { return locks->metrics().renewals > renewals; }));
    connection_goes_on();
    BOOST_TEST(!unlock(*held));
    BOOST_TEST(!try_lock(others));
}

// A session that the child ended would take the parent's nodes away.
BOOST_DATA_TEST_CASE_F(fork_fixture, a_child_that_only_lets_go_sends_nothing, data::make(told_or_not), told) {
    std::optional<lease> held(lock(*locks));
    forked_child child([&]() -> std::string {
        tell(told);
        held.reset();
        locks.reset();
        const auto left = open_descriptors() - descriptors - 1; // the pipe to the parent
        if (left != 0) return std::to_string(left) + " descriptors are left in the child";
        run_until(200ms, [] { return false; });
        return {};
    });
    ends_well(child);
    client others = make_client();
    BOOST_TEST(held->valid());
    BOOST_TEST(try_lock(others) == errc::held);
    connection_goes_on();
    BOOST_TEST(!unlock(*held));
    BOOST_TEST(!try_lock(others));
}

BOOST_DATA_TEST_CASE_F(fork_fixture, calls_end_with_closed_in_the_child_alone, data::make(told_or_not),
                       told) {
    client other = make_client();
    lease held = lock(*locks);
    outcome<lease> waiting;
    other.async_lock("key", patiently(), waiting.handler());
    BOOST_REQUIRE(run_until([&] { return inspect(*locks).waiting == 1; }));
    forked_child child([&]() -> std::string {
        tell(told);
        outcome<lease> anew;
        locks->async_lock("another", patiently(), anew.handler());
        outcome<> closed;
        other.async_close(closed.handler());
        if (!run_until([&] { return waiting.done() && anew.done() && closed.done(); }))
            return "not every call has ended in the child";
        if (waiting.error() != errc::closed)
            return "a call that waited ended with " + waiting.error().message();
        if (anew.error() != errc::closed) return "a new call ended with " + anew.error().message();
        return {};
    });
    ends_well(child);
    BOOST_TEST(!waiting.done());
    BOOST_TEST(inspect(*locks).waiting.value() == 1u);
    BOOST_TEST(!try_lock(*locks, "another"));
    connection_goes_on();
    BOOST_TEST(!unlock(held));
    complete(waiting);
    BOOST_TEST(!waiting.error());
}

BOOST_FIXTURE_TEST_CASE(a_child_makes_a_client_of_its_own, fork_fixture) {
    lease held = lock(*locks);
    forked_child child([&]() -> std::string {
        tell(true);
        client own = make_client();
        if (try_lock(own) != errc::held) return "the child has the parent's key";
        lease childs = lock(own, "another");
        if (!childs.valid()) return "the child cannot lock";
        if (unlock(childs)) return "the child cannot unlock";
        close(own);
        return {};
    });
    ends_well(child);
    BOOST_TEST(held.valid());
    connection_goes_on();
    BOOST_TEST(!unlock(held));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
