#include "session/watched_node.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <utility>

// A node with many replies to come leaves those that have come unread until they are worth waking up for.

namespace redlock::test {
namespace {

using namespace std::chrono_literals;

struct busy_node {
    watched_node node{node::node_settings{}};

    /// Connects, and learns that the server takes its time to answer.
    busy_node() {
        node.start();
        node.serve();
        ask_for(100);
        node.pass(10ms);
        node.serve();
        BOOST_REQUIRE(node.replies() == 100u);
    }
    ~busy_node() {
        node.finish();
        BOOST_TEST(node.broken() == "");
    }

    void ask_for(std::size_t replies) {
        for (std::size_t i = 0; i < replies; ++i)
            node.submit(ask::echo, 40ms);
        node.flush();
        run();
    }
    void run() {
        while (node.run_one())
            continue;
    }
    /// The server sends one reply more.
    bool answer_one() {
        const std::string answer = node.server().answer();
        if (answer.empty()) return false;
        node.world().wire()->send(answer);
        run();
        return true;
    }
};

BOOST_FIXTURE_TEST_SUITE(low_water, busy_node)

BOOST_AUTO_TEST_CASE(replies_are_read_many_at_a_time) {
    ask_for(200);
    std::size_t reads = 0;
    for (std::size_t heard = node.replies(); answer_one();) {
        reads += node.replies() != heard;
        heard = node.replies();
    }
    BOOST_TEST(node.replies() == 300u);
    BOOST_TEST(reads > 64u); // the last ones, as they come
    BOOST_TEST(reads < 100u);
}

BOOST_AUTO_TEST_CASE(few_replies_are_read_as_they_come) {
    ask_for(60);
    for (std::size_t heard = node.replies(); answer_one(); ++heard)
        BOOST_REQUIRE(node.replies() == heard + 1);
}

BOOST_AUTO_TEST_CASE(what_a_server_sent_before_it_fell_silent_is_read_before_it_is_too_late) {
    ask_for(200);
    for (int i = 0; i < 6; ++i)
        answer_one();
    BOOST_TEST(node.replies() == 101u); // the others are below the mark
    node.pass(100ms);
    BOOST_TEST(node.replies() == 106u);
}

BOOST_AUTO_TEST_CASE(what_comes_while_overdue_replies_are_read_is_read_too) {
    ask_for(300);
    answer_one();
    const std::size_t before = node.replies();
    const auto answers = [this](int count) {
        std::string all;
        for (int i = 0; i < count; ++i)
            all += node.server().answer();
        return all;
    };
    node.world().wire()->send(answers(6));
    const std::string more = answers(10);
    node.then = [&, sent = false]() mutable {
        if (node.replies() == before + 3 && !std::exchange(sent, true)) node.world().wire()->send(more);
    };
    node.pass(120ms);
    node.then = nullptr;
    BOOST_TEST(node.replies() == before + 16);
}

BOOST_AUTO_TEST_CASE(a_server_that_missed_a_deadline_is_ready_once_it_has_caught_up) {
    ask_for(300);
    answer_one();
    node.pass(60ms);
    for (int i = 1; i < 300; ++i) {
        BOOST_TEST((node.state() == node::health::suspect));
        answer_one();
    }
    BOOST_TEST((node.state() == node::health::ready));
}

BOOST_AUTO_TEST_CASE(replies_that_nobody_awaits_any_more_hold_nothing_up) {
    ask_for(300);
    answer_one();
    node.pass(60ms);
    for (int i = 0; i < 100; ++i)
        answer_one();
    node.world().wire()->send(">2\r\n+invalidate\r\n*1\r\n+k\r\n");
    run();
    BOOST_TEST(!node.world().wire()->unread());
}

BOOST_AUTO_TEST_CASE(what_was_left_unread_is_read_by_a_client_that_stood_still_for_long) {
    ask_for(300);
    answer_one();
    const std::size_t before = node.replies();
    std::string sent;
    for (int i = 0; i < 20; ++i)
        sent += node.server().answer();
    node.world().wire()->send(sent);
    run();
    BOOST_TEST(node.replies() == before);
    node.world().pass(200ms);
    node.settle();
    BOOST_TEST(node.replies() == before + 20);
}

BOOST_AUTO_TEST_CASE(what_a_server_sent_before_it_went_away_is_read) {
    ask_for(200);
    for (int i = 0; i < 6; ++i)
        answer_one();
    node.world().wire()->end(boost::asio::error::eof);
    node.settle();
    BOOST_TEST(node.replies() == 106u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
