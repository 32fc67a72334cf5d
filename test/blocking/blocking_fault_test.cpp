// The face for threads, on real nodes and in a child that was forked.

#include "support/eventually.hpp"
#include "support/node_set.hpp"

#include <redlock/blocking.hpp>

#include <boost/system/system_error.hpp>
#include <boost/test/unit_test.hpp>

#include <sys/wait.h>
#include <unistd.h>

namespace redlock::test {
namespace {

using namespace std::chrono_literals;

struct blocking_fault_fixture {
    blocking::client client() { return blocking::client({.nodes = nodes.uris(), .node_timeout = 10s}); }
    template <class Body>
    static boost::system::error_code failure_of(Body body) {
        try {
            body();
        } catch (const boost::system::system_error& e) {
            return e.code();
        }
        return {};
    }

    node_set nodes{3};
    blocking::client locks = client();
};

BOOST_FIXTURE_TEST_SUITE(threads_and_nodes, blocking_fault_fixture)

BOOST_AUTO_TEST_CASE(a_key_is_on_the_nodes_as_long_as_it_is_held) {
    blocking::lease held = locks.lock("key");
    BOOST_TEST(eventually([&] { return nodes.holders("key") == 3; }));
    held.unlock();
    BOOST_TEST(eventually([&] { return nodes.holders("key") == 0; }));
    held = locks.lock("key");
    {
        blocking::client other = client();
        held = other.lock("another");
        BOOST_TEST(eventually([&] { return nodes.holders("key") == 0; }));
    }
    BOOST_TEST(nodes.holders("another") == 0);
    BOOST_TEST(failure_of([&] { held.unlock(); }) == errc::closed);
}

BOOST_AUTO_TEST_CASE(a_majority_that_is_away_is_no_quorum) {
    nodes[0].stop();
    nodes[1].stop();
    BOOST_TEST(failure_of([&] { static_cast<void>(locks.lock("key", {.wait = 0ms})); }) == errc::no_quorum);
}

BOOST_AUTO_TEST_CASE(a_child_that_was_forked_has_nothing_and_takes_nothing_away) {
    blocking::lease held = locks.lock("key", {.ttl = 600s});
    const int child = ::fork();
    BOOST_REQUIRE(child >= 0);
    if (child == 0) {
        int faults = held.valid() ? 1 : 0;
        faults += failure_of([&] { static_cast<void>(locks.lock("other")); }) == errc::closed ? 0 : 2;
        faults += failure_of([&] { held.unlock(); }) == errc::closed ? 0 : 4;
        {
            const blocking::lease gone = std::move(held);
            const blocking::client closed = std::move(locks);
        }
        ::_exit(faults);
    }
    int status = -1;
    BOOST_REQUIRE(::waitpid(child, &status, 0) == child);
    BOOST_TEST(status == 0);
    BOOST_TEST(held.valid());
    BOOST_TEST(nodes.holders("key") >= 2);
    held.unlock();
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
