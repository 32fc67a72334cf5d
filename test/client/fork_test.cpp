// A client belongs to the process that made it. A child that was forked has a copy of its memory, and of its
// descriptors of one and the same connections and timer.

#include "forked_child.hpp"
#include "lock_fixture.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <stop_token>

namespace redlock::test {
namespace {

namespace data = boost::unit_test::data;

std::ptrdiff_t open_descriptors() {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"),
                         std::filesystem::directory_iterator());
}

// Asio wants a child to tell its context before that runs. One that does not is no reason for harm.
const bool told_or_not[] = {true, false};

struct fork_test_fixture : lock_fixture {
    fork_test_fixture() {
        {
            // From then on the context and the library have the descriptors that they keep.
            client first(context.get_executor(), settings());
            BOOST_REQUIRE(becomes_ready(first));
            close(first);
        }
        descriptors = open_descriptors();
        locks.emplace(context.get_executor(), settings());
        BOOST_REQUIRE(becomes_ready(*locks));
    }

    void tell(bool really) {
        if (really) context.notify_fork(asio::io_context::fork_child);
    }
    /// In the child: for as long as the parent's next renewals and deadlines take.
    void run_for_a_while(std::chrono::milliseconds time = 2s) {
        run_until(time, [] { return false; });
    }

    std::ptrdiff_t descriptors = 0; ///< without those of a client
    std::optional<client> locks;
};

BOOST_AUTO_TEST_SUITE(fork_suite)

BOOST_DATA_TEST_CASE_F(fork_test_fixture, a_child_does_the_parents_lease_no_harm, data::make(told_or_not),
                       told) {
    // What the child takes of the parent's events before it gets its turn costs the parent a deadline.
    const auto ttl = told ? 1500ms : 9000ms;
    std::optional<lease> held(lock(*locks, "key", {.ttl = ttl}));
    forked_child child([&]() -> std::string {
        if (held->valid() || held->remaining() != 0ns) return "the lease is valid in the child";
        tell(told);
        run_for_a_while(ttl * 2 / 3);
        if (!held->stop_token().stop_requested()) return "stop was not requested in the child";
        if (unlock(*held) != errc::closed) return "the child unlocked";
        held.reset();
        locks.reset();
        run_until(200ms, [] { return false; });
        return {};
    });
    bool was_valid = true;
    BOOST_REQUIRE(run_until([&] {
        was_valid = was_valid && held->valid();
        return child.ended();
    }));
    BOOST_TEST(child.verdict() == "");
    BOOST_TEST(was_valid);
    BOOST_TEST(nodes.holders("key") == 5u);
    // The connections go on.
    const auto renewals = locks->metrics().renewals;
    BOOST_TEST(run_until([&] { return locks->metrics().renewals >= renewals + 2; }));
    BOOST_TEST(!unlock(*held));
    BOOST_TEST(becomes_free("key"));
    const metrics_snapshot seen = locks->metrics();
    for (const node_metrics& node : seen.nodes)
        BOOST_TEST(node.disconnects == 0u);
}

BOOST_DATA_TEST_CASE_F(fork_test_fixture, a_child_that_only_lets_go_sends_nothing, data::make(told_or_not),
                       told) {
    std::optional<lease> held(lock(*locks, "key"));
    forked_child child([&]() -> std::string {
        tell(told);
        held.reset();
        locks.reset();
        const auto left = open_descriptors() - descriptors - 1; // the pipe to the parent
        if (left != 0) return std::to_string(left) + " descriptors are left in the child";
        run_until(200ms, [] { return false; });
        return {};
    });
    BOOST_REQUIRE(run_until([&] { return child.ended(); }));
    BOOST_TEST(child.verdict() == "");
    BOOST_TEST(held->valid());
    BOOST_TEST(nodes.holders("key") == 5u);
    BOOST_TEST(!unlock(*held));
    for (const node_metrics& node : locks->metrics().nodes)
        BOOST_TEST(node.disconnects == 0u);
}

// Both have the timer that ends the lease, and each would set it to what it has to do next itself.
BOOST_DATA_TEST_CASE_F(fork_test_fixture, the_parent_is_told_to_stop_in_time, data::make(told_or_not), told) {
    std::stop_source work;
    lease held = lock(*locks, "key", {.ttl = 1500ms, .stop_margin = 500ms, .stop = &work});
    bool stopped = false;
    bool was_valid = false;
    std::stop_callback look(work.get_token(), [&] {
        stopped = true;
        was_valid = held.valid();
    });
    forked_child child([&]() -> std::string {
        tell(told);
        run_for_a_while();
        return {};
    });
    for (auto& node : nodes)
        node.stop();
    BOOST_TEST(run_until([&] { return stopped; }));
    BOOST_TEST(was_valid);
    BOOST_REQUIRE(run_until([&] { return child.ended(); }));
    BOOST_TEST(child.verdict() == "");
}

BOOST_DATA_TEST_CASE_F(fork_test_fixture, calls_end_with_closed_in_the_child_alone, data::make(told_or_not),
                       told) {
    lease held = lock(*locks, "key");
    client other(context.get_executor(), settings());
    BOOST_REQUIRE(becomes_ready(other));
    outcome<lease> waiting;
    other.async_lock("key", patiently(), waiting.handler());
    BOOST_REQUIRE(run_until([&] { return other.metrics().refusals > 0; }));
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
    BOOST_REQUIRE(run_until([&] { return child.ended(); }));
    BOOST_TEST(child.verdict() == "");
    BOOST_TEST(!waiting.done());
    BOOST_TEST(nodes.holders("another") == 0u);
    BOOST_TEST(!unlock(held));
    BOOST_TEST(run_until([&] { return waiting.done(); }));
    BOOST_TEST(!waiting.error());
}

BOOST_AUTO_TEST_CASE(a_child_makes_a_client_of_its_own) {
    fork_test_fixture f;
    lease held = f.lock(*f.locks, "key");
    forked_child child([&]() -> std::string {
        f.tell(true);
        client own(f.context.get_executor(), f.settings());
        if (f.try_lock(own, "key") != errc::held) return "the child has the parent's key";
        lease childs = f.lock(own, "another");
        if (!childs.valid()) return "the child cannot lock";
        if (f.unlock(childs)) return "the child cannot unlock";
        f.close(own);
        return {};
    });
    BOOST_REQUIRE(f.run_until([&] { return child.ended(); }));
    BOOST_TEST(child.verdict() == "");
    BOOST_TEST(held.valid());
    BOOST_TEST(!f.unlock(held));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
