#include "contest_fixture.hpp"
#include "core/flow/command_time.hpp"
#include "core/quorum/arbitration.hpp"

namespace redlock::test {
namespace {

BOOST_AUTO_TEST_SUITE(nodes_suite)

BOOST_AUTO_TEST_CASE(round_trips_are_those_to_a_majority_and_no_more_than_a_part_of_the_timeout) {
    scripted_quorum q;
    q.nodes[0]->trip = 3ms;
    q.nodes[1]->trip = 1ms;
    q.nodes[2]->trip = 40ms;
    BOOST_TEST((q.quorum().round_trip() == 3ms));
    q.nodes[0]->health = node::health::unavailable;
    BOOST_TEST((q.quorum().round_trip() == core::nanoseconds(50ms) / 8));
}

BOOST_AUTO_TEST_CASE(commands_have_the_time_that_those_to_a_majority_take) {
    scripted_quorum q(5);
    const auto timeout_once = [&](unsigned node, std::chrono::milliseconds least) {
        q.nodes[node]->least = least;
        q.turn([&] { q.listener().on_node_ready(node, true); });
        return q.quorum().node_timeout();
    };
    const auto time_for = [](std::chrono::milliseconds least) { return core::command_time(50ms, least); };
    BOOST_TEST((timeout_once(0, 0ms) == 50ms));
    // Of as many as are known, at first.
    BOOST_TEST((timeout_once(3, 20ms) == time_for(20ms)));
    BOOST_TEST((timeout_once(1, 40ms) == time_for(40ms)));
    BOOST_TEST((timeout_once(2, 60ms) == time_for(60ms)));
    BOOST_TEST((time_for(60ms) > time_for(40ms)));
    // The farthest of five are not needed.
    BOOST_TEST((timeout_once(0, 90ms) == time_for(60ms)));
    BOOST_TEST((timeout_once(4, 80ms) == time_for(60ms)));
    // It never falls: deadlines would overtake each other.
    BOOST_TEST((timeout_once(4, 1ms) == time_for(60ms)));
}

BOOST_AUTO_TEST_CASE(the_arbiter_of_a_key_is_the_highest_in_its_order) {
    scripted_quorum q(5);
    for (int i = 0; i < 100; ++i) {
        const std::string key = "key" + std::to_string(i);
        const auto rank = [&](unsigned node) {
            return core::arbitration_rank(key, q.nodes[node]->info.run_id);
        };
        for (const core::node_set among : {core::node_set::all_of(5), core::node_set::all_of(3)}) {
            unsigned highest = 0;
            for (const unsigned node : among)
                if (rank(node) > rank(highest)) highest = node;
            BOOST_TEST((q.quorum().arbiter_of(key, among) == highest));
        }
    }
    BOOST_TEST(!q.quorum().arbiter_of("key", {}).has_value());
}

BOOST_AUTO_TEST_CASE(two_nodes_that_are_one_server_are_told_from_each_other) {
    scripted_quorum q;
    node::server_info same = q.nodes[0]->info;
    BOOST_TEST(q.listener().same_server(1, same) == q.nodes[0]->name());
    BOOST_TEST(q.listener().same_server(0, same).empty());
    q.nodes[0]->health = node::health::unavailable;
    BOOST_TEST(q.listener().same_server(1, same).empty());
    q.nodes[0]->health = node::health::connecting;
    BOOST_TEST(q.listener().same_server(1, same).empty());
    q.nodes[0]->health = node::health::suspect;
    BOOST_TEST(q.listener().same_server(1, same) == q.nodes[0]->name());
    same.run_id.clear();
    BOOST_TEST(q.listener().same_server(1, same).empty());
}

BOOST_AUTO_TEST_CASE(what_is_known_of_a_server_is_forgotten_with_the_connection_to_it) {
    scripted_quorum q;
    redis::session& known = q.quorum().session_of(1);
    known.cannot_join_releases();
    known.set_wakeup(wakeup::client_tracking);
    q.turn([&] { q.listener().on_node_ready(1, false); });
    BOOST_TEST(!known.joins_releases());
    BOOST_TEST((known.wakeup() == wakeup::client_tracking));
    q.turn([&] { q.listener().on_node_ready(1, true); });
    BOOST_TEST(known.joins_releases());
    BOOST_TEST((known.wakeup() == wakeup::timed)); // what the client is set to
}

struct hears_nothing final : engine::answer_listener<engine::no_report> {
    void told(const boost::system::error_code&, engine::no_report&&,
              const engine::failure*) noexcept override {
        BOOST_ERROR("what was abandoned has an answer");
    }
};

BOOST_AUTO_TEST_CASE(of_what_is_abandoned_nothing_is_left_and_nobody_hears) {
    contest_fixture q;
    hears_nothing nobody;
    q.contend(false);
    q.answer_each("++?", "$-1\r\n", {});
    BOOST_TEST(!q.quorum().stragglers().empty());
    q.listener = {};
    q.contend(false, true);
    q.answer_each("--?", {}, "$5\r\nother\r\n");
    BOOST_TEST(!q.quorum().watched().empty());
    engine::question_pointer question;
    const auto release = [&] { q.engine().release(q.claim(), q.clock + 1s, {}); };
    q.turn([&] {
        for (int i = 0; i < 4; ++i)
            release();
        question = q.engine().check("k", 1, nobody);
        question->start();
    });
    BOOST_TEST((!q.quorum().releases().empty() && !q.quorum().joint_releases().empty()));
    BOOST_TEST((!q.quorum().questions().empty() && !q.quorum().contests_under_way().empty()));
    release();
    BOOST_TEST(!q.quorum().pending_releases().empty());
    q.quorum().abandon();
    BOOST_TEST((q.quorum().stragglers().empty() && q.quorum().watched().empty()));
    BOOST_TEST((q.quorum().releases().empty() && q.quorum().joint_releases().empty()));
    BOOST_TEST((q.quorum().contests_under_way().empty() && q.quorum().questions().empty()));
    BOOST_TEST(q.quorum().pending_releases().empty());
    BOOST_TEST(q.quorum().quiet());
    BOOST_TEST(!q.listener.over);
    question.release(); // it is gone
}

BOOST_AUTO_TEST_CASE(only_a_server_that_cannot_push_needs_a_second_connection_and_only_to_hear_of_keys) {
    for (const bool listens : {false, true}) {
        scripted_quorum q(3, listens ? wakeup::automatic : wakeup::timed);
        q.nodes[1]->info.protocol = 2;
        for (const std::uint32_t node : {0u, 1u})
            q.turn([&] { q.listener().on_node_ready(node, true); });
        BOOST_TEST((q.started_ears == (listens ? std::vector{1u} : std::vector<std::uint32_t>())));
    }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
