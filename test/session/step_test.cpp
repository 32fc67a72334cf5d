#include "session/watched_node.hpp"

#include <boost/asio/error.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <ostream>

// Everything that can happen to a node while it does all that it ever does, at every point at which it can
// happen.

namespace redlock::test {
namespace {

namespace data = boost::unit_test::data;
namespace error = boost::asio::error;
using namespace std::chrono_literals;
using node::health;

/// A node's life with a peer in good order: connecting with requests that wait for it, serving, a deadline
/// that passes, a socket that is full for a while, an idle time, a broken connection and the next one. It
/// goes on whatever became of the node; `at_every_point` is called between any two handlers.
template <class Function>
void live(watched_node& node, Function at_every_point) {
    const auto run = [&] {
        do
            at_every_point();
        while (node.alive() && node.run_one());
    };
    const auto serve = [&](std::size_t piece) {
        run();
        const auto wire = node.world().wire();
        if (!wire) return; // it was stopped before it was started
        wire->accept();
        run();
        for (std::string answer = node.server().answer(); !answer.empty(); answer = node.server().answer()) {
            for (std::size_t sent = 0; sent < answer.size(); sent += piece) {
                wire->send(answer.substr(sent, piece));
                run();
            }
        }
    };
    at_every_point();
    node.submit(ask::echo, 1s);
    if (node.alive()) node.start();
    node.submit(ask::subscription, 1s);
    serve(40);
    node.submit(ask::echo, 1s);
    node.submit(ask::subscription, 1s);
    node.flush();
    serve(9);
    node.submit(ask::echo, 10ms);
    node.flush();
    node.pass(20ms);
    node.submit(ask::cleanup, 1s);
    node.flush();
    serve(100);
    if (!node.world().wire()) return;
    node.world().wire()->admit(10);
    node.submit(ask::echo, 1s, 100);
    node.flush();
    run();
    node.world().wire()->admit(std::string::npos);
    serve(100);
    node.pass(1100ms); // long enough for a PING
    serve(100);
    node.submit(ask::echo, 1s);
    node.world().wire()->reset();
    run();
    node.pass(50ms);
    serve(100);
    node.submit(ask::echo, 1s);
    node.flush();
    serve(100);
}

enum class way { resp3, resp2, listening };
std::ostream& operator<<(std::ostream& out, way w) {
    constexpr const char* names[]{"RESP3", "RESP2", "only listening"};
    return out << names[static_cast<int>(w)];
}
constexpr way all_ways[]{way::resp3, way::resp2, way::listening};

/// One that flushes as the lock layer does.
struct living_node {
    explicit living_node(way w) : node(settings(w), "redis://me:secret@node/3") {
        node.resp3 = w == way::resp3;
        node.then = [this] { node.flush(); };
    }
    static node::node_settings settings(way w) {
        node::node_settings chosen;
        chosen.only_listens = w == way::listening;
        return chosen;
    }
    watched_node node;
};

int count_points(way w) {
    living_node living(w);
    watched_node& node = living.node;
    int points = 0;
    live(node, [&] { ++points; });
    BOOST_TEST(node.broken() == "");
    BOOST_TEST(node.replies() > 5U);
    BOOST_TEST((node.state() == health::ready));
    return points;
}

BOOST_AUTO_TEST_SUITE(step_suite)

// Connecting, reading, writing and waiting to write: each call that the node ever makes fails, in each way.
BOOST_DATA_TEST_CASE(every_step_of_a_nodes_input_and_output_can_fail, data::make(all_ways), how) {
    const boost::system::error_code ways_to_fail[]{error::connection_reset, error::eof, error::timed_out,
                                                   error::would_block, error::no_buffer_space};
    int total = 0;
    for (const auto& failure : ways_to_fail) {
        bool came_to_it = true;
        for (int failing = 0; came_to_it; ++failing) {
            living_node living(how);
            watched_node& node = living.node;
            int step = 0;
            node.world().fault = [&] { return step++ == failing ? failure : boost::system::error_code(); };
            live(node, [] {});
            came_to_it = step > failing;
            total += came_to_it;
            // The rest of its life is as if nothing had been.
            const auto before = node.replies();
            for (int i = 0; i < 30 && node.replies() == before; ++i) {
                node.serve();
                node.submit(ask::echo, 1s);
                node.flush();
                node.serve();
                node.pass(100ms);
            }
            node.expect_served(before);
            node.stop();
            node.settle();
            node.finish();
            BOOST_TEST(node.broken() == "", "step " << failing << ", " << failure << ": " << node.broken());
        }
    }
    BOOST_TEST(total > 100);
    BOOST_TEST_MESSAGE(how << ": " << total << " failures");
}

BOOST_DATA_TEST_CASE(a_node_can_be_stopped_at_every_point, data::make(all_ways), how) {
    const int points = count_points(how);
    for (int last = 1; last <= points; ++last) {
        living_node living(how);
        watched_node& node = living.node;
        int point = 0;
        live(node, [&] {
            if (++point == last) node.stop();
        });
        node.settle();
        node.finish();
        BOOST_TEST(node.broken() == "", "point " << last << ": " << node.broken());
    }
}

BOOST_DATA_TEST_CASE(a_node_can_be_destroyed_at_every_point, data::make(all_ways), how) {
    const int points = count_points(how);
    for (int last = 1; last <= points; ++last) {
        living_node living(how);
        watched_node& node = living.node;
        int point = 0;
        live(node, [&] {
            if (++point == last) node.destroy();
        });
        node.finish();
        BOOST_TEST(node.broken() == "", "point " << last << ": " << node.broken());
    }
}

// The confirmation of a subscription is passed over when the reply to the command behind it comes.
BOOST_AUTO_TEST_CASE(a_node_can_be_stopped_when_a_confirmation_is_passed_over) {
    for (const bool stopped : {true, false}) {
        living_node living(way::resp3);
        watched_node& node = living.node;
        node.start();
        node.serve();
        node.submit(ask::subscription, 1s);
        node.flush();
        node.taint();
        node.then = [&] { stopped ? node.stop() : node.destroy(); };
        node.world().wire()->send(":1\r\n");
        node.settle();
        node.finish();
        BOOST_TEST(node.broken() == "");
    }
}

// It would otherwise be owed until an event is read that somebody waits for.
BOOST_AUTO_TEST_CASE(that_a_channel_is_listened_to_is_acknowledged_at_once) {
    living_node living(way::resp3);
    watched_node& node = living.node;
    node.start();
    node.serve();
    const auto wire = node.world().wire();
    BOOST_TEST(wire->acknowledgements() == 0u);
    node.submit(ask::subscription, 1s);
    node.flush();
    node.serve();
    BOOST_TEST(wire->acknowledgements() == 1u);
    node.submit(ask::echo, 1s);
    node.flush();
    node.serve();
    wire->send(">3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$3\r\ndel\r\n");
    node.settle();
    BOOST_TEST(wire->acknowledgements() == 1u);
    node.finish();
    BOOST_TEST(node.broken() == "");
}

// From inside the calls that the node makes.
BOOST_DATA_TEST_CASE(a_node_can_be_stopped_or_destroyed_in_every_call, data::make(all_ways), how) {
    for (const bool stopped : {true, false}) {
        bool came_to_it = true;
        int last = 1;
        for (; came_to_it; ++last) {
            living_node living(how);
            watched_node& node = living.node;
            int call = 0;
            node.then = [&] {
                node.flush();
                if (++call == last) stopped ? node.stop() : node.destroy();
            };
            live(node, [] {});
            node.then = nullptr;
            node.finish();
            came_to_it = call >= last;
            BOOST_TEST(node.broken() == "", "call " << last << ": " << node.broken());
        }
        BOOST_TEST(last > 20);
    }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
