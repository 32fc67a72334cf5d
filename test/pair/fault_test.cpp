// Double locks whose nodes or whose database fail, at every step.

#include "pair_fixture.hpp"
#include "support/fault_proxy.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/test/data/test_case.hpp>

#include <deque>
#include <memory>
#include <optional>

namespace redlock::test {
namespace {

namespace asio = boost::asio;
namespace data = boost::unit_test::data;

enum class fault_of_side { refused, killed, stopped, replies_lost, requests_lost };
enum class side_of_pair { nodes, database };

constexpr fault_of_side faults_of_sides[] = {fault_of_side::refused, fault_of_side::killed,
                                             fault_of_side::stopped, fault_of_side::replies_lost,
                                             fault_of_side::requests_lost};
constexpr side_of_pair sides[] = {side_of_pair::nodes, side_of_pair::database};

std::ostream& operator<<(std::ostream& out, fault_of_side f) { return out << "fault " << int(f); }
std::ostream& operator<<(std::ostream& out, side_of_pair s) { return out << "side " << int(s); }

struct pair_fault_test_fixture : pair_fixture {
    pair_fault_test_fixture() {
        for (redis_server& node : nodes)
            to_nodes.emplace_back(node.port());
        // The table is there, and everybody connects.
        client ready = make_client();
        BOOST_REQUIRE(run_until([&] { return !try_lock(ready); }));
    }
    /// With networks of its own.
    config distant() {
        config c;
        for (const fault_proxy& way : to_nodes)
            c.nodes.push_back(way.uri());
        c.backup = postgres_server::uri_over(to_database.port());
        c.node_timeout = 300ms;
        return c;
    }
    template <class Do>
    void for_each_way(side_of_pair of, Do what) {
        if (of == side_of_pair::database) return what(to_database);
        for (fault_proxy& way : to_nodes)
            what(way);
    }
    void disturb(side_of_pair of, fault_of_side how) {
        switch (how) {
        case fault_of_side::refused:
            return for_each_way(of, [](fault_proxy& way) { way.refuse(); });
        case fault_of_side::replies_lost:
            return for_each_way(of, [](fault_proxy& way) { way.lose(direction::to_client); });
        case fault_of_side::requests_lost:
            return for_each_way(of, [](fault_proxy& way) { way.black_hole(); });
        case fault_of_side::stopped:
            if (of == side_of_pair::database) return database.stop();
            for (redis_server& node : nodes)
                node.stop();
            return;
        case fault_of_side::killed:
            if (of == side_of_pair::database) return database.crash();
            for (redis_server& node : nodes)
                node.kill();
            return;
        }
    }
    void repair(side_of_pair of, fault_of_side how) {
        for_each_way(of, [](fault_proxy& way) { way.pass(); });
        if (how == fault_of_side::stopped) {
            database.resume();
            for (redis_server& node : nodes)
                node.resume();
        }
        if (how != fault_of_side::killed) return;
        if (of == side_of_pair::database) return database.start();
        for (redis_server& node : nodes)
            node.restart();
    }

    std::deque<fault_proxy> to_nodes;
    fault_proxy to_database{database.port()};
};

BOOST_FIXTURE_TEST_SUITE(pair_fault_suite, pair_fault_test_fixture)

// Whatever has been taken of the other is given back, and what comes too late.
BOOST_DATA_TEST_CASE_F(pair_fault_test_fixture, no_lock_is_granted_by_one_alone,
                       data::make(sides) * data::make(faults_of_sides), of, how) {
    client locks(context.get_executor(), distant());
    BOOST_REQUIRE(run_until([&] { return !try_lock(locks); }));
    disturb(of, how);
    BOOST_TEST(try_lock(locks, "wanted") == errc::no_quorum);
    if (of == side_of_pair::database)
        BOOST_TEST(run_until([&] { return !is_on_some_node("wanted"); }));
    else
        BOOST_TEST(run_until([&] { return held_rows() == "0"; }));
    repair(of, how);
    BOOST_TEST(becomes_free("wanted"));
    BOOST_TEST(run_until([&] { return !try_lock(locks, "wanted"); }));
}

// The stop is requested before anybody else can have it.
BOOST_DATA_TEST_CASE_F(pair_fault_test_fixture, a_lease_ends_that_one_of_the_two_does_not_renew,
                       data::make(sides) * data::make(faults_of_sides), of, how) {
    client locks(context.get_executor(), distant());
    BOOST_REQUIRE(run_until([&] { return !try_lock(locks); }));
    lease held;
    // A busy machine may miss the short deadline before there is anything to lose.
    BOOST_REQUIRE(run_until([&] {
        outcome<lease> asked;
        locks.async_lock("key", patiently(1500ms), asked.handler());
        complete(asked);
        if (!asked.error()) held = std::move(asked.value());
        return !asked.error();
    }));
    disturb(of, how);
    BOOST_TEST(run_until([&] { return held.stop_token().stop_requested(); }));
    outcome<> released;
    held.async_unlock(released.handler());
    complete(released);
    BOOST_TEST(released.error());
    repair(of, how);
    BOOST_TEST(becomes_free());
    BOOST_TEST(run_until([&] { return !try_lock(locks); }));
}

BOOST_DATA_TEST_CASE_F(pair_fault_test_fixture, a_release_that_one_does_not_hear_is_made_up_for,
                       data::make(sides), of) {
    client locks(context.get_executor(), distant());
    lease held;
    BOOST_REQUIRE(run_until([&] { return !try_lock(locks); }));
    held = lock(locks);
    disturb(of, fault_of_side::refused);
    BOOST_TEST(unlock(held) == errc::no_quorum);
    repair(of, fault_of_side::refused);
    BOOST_TEST(becomes_free());
}

BOOST_AUTO_TEST_CASE(a_failure_names_whoever_did_not_do_it) {
    client locks(context.get_executor(), distant());
    BOOST_REQUIRE(run_until([&] { return !try_lock(locks); }));
    to_database.refuse();
    const std::string why = run([](client& of) -> asio::awaitable<std::string> {
        try {
            const lease granted = co_await of.async_lock("key", once());
        } catch (const boost::system::system_error& error) {
            co_return error.what();
        }
        co_return "nothing";
    }(locks));
    BOOST_TEST(why.find("the database has not granted the lock \"key\"") != why.npos, why);
}

// By cancellation, by the end of the client and by its closing, behind so many handlers.
BOOST_AUTO_TEST_CASE(a_lock_that_is_interrupted_anywhere_leaves_nothing_behind) {
    using asio::cancellation_type;
    enum class way { terminal, partial, total, closed, gone };
    for (const way how : {way::terminal, way::partial, way::total, way::closed, way::gone})
        for (int steps = 0; steps < 14; ++steps) {
            asio::cancellation_signal cancel;
            std::optional<client> locks(std::in_place, context.get_executor(), settings());
            BOOST_REQUIRE(!try_lock(*locks));
            outcome<lease> result;
            outcome<> closed;
            locks->async_lock("wanted", fenced(),
                              asio::bind_cancellation_slot(cancel.slot(), result.handler()));
            for (int i = 0; i < steps && !result.done(); ++i)
                context.run_one_for(1s);
            if (how == way::terminal) cancel.emit(cancellation_type::terminal);
            if (how == way::partial) cancel.emit(cancellation_type::partial);
            if (how == way::total) cancel.emit(cancellation_type::total);
            if (how == way::closed) locks->async_close(closed.handler());
            if (how == way::gone) locks.reset();
            complete(result);
            BOOST_TEST(result.completions() == 1);
            result.drop_values();
            BOOST_TEST(becomes_free("wanted"), "behind " << steps << " steps, way " << int(how));
        }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
