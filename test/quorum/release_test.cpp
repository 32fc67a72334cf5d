#include "core/flow/command_time.hpp"
#include "engines/redis/queue/hand_overs.hpp"
#include "node/recorder.hpp"
#include "scripted_quorum.hpp"
#include "unlocking.hpp"

#include <algorithm>

namespace redlock::test {
namespace {

void release(scripted_quorum& q, unlocking& by, core::nanoseconds life = 1s, bool lost = false) {
    q.turn([&] {
        turn::outcome_waiters told;
        told.push_back(by);
        q.engine().release(q.claim(), q.clock + life, std::move(told), lost);
    });
}

BOOST_AUTO_TEST_SUITE(release_suite)

BOOST_AUTO_TEST_CASE(a_key_is_given_back_once_a_majority_has_deleted_it_or_nothing_else_can_be_said) {
    for (const unsigned nodes : {1u, 3u, 4u, 5u})
        for (const std::string& answers : all_answers(nodes, "+-!?")) {
            scripted_quorum q(nodes);
            unlocking by;
            release(q, by);
            q.answer_each(answers, ":1\r\n", ":0\r\n");
            const auto yes = static_cast<unsigned>(std::ranges::count(answers, '+'));
            const auto no = static_cast<unsigned>(std::ranges::count(answers, '-'));
            const bool open = answers.find('?') != answers.npos;
            const unsigned needed = nodes / 2 + 1;
            BOOST_TEST_CONTEXT(answers) {
                if (yes >= needed)
                    BOOST_TEST((by.outcome == turn::success));
                else if (no > nodes - needed)
                    BOOST_TEST((by.outcome == make_error_code(errc::lease_lost)));
                else if (open)
                    BOOST_TEST(!by.outcome.has_value());
                else if (yes + no >= needed)
                    BOOST_TEST((by.outcome == turn::success));
                else
                    BOOST_TEST((by.outcome == make_error_code(errc::no_quorum)));
            }
            BOOST_TEST(q.quorum().quiet() == !open);
        }
}

// Or else it would take the key away from them where that is free for a moment.
BOOST_AUTO_TEST_CASE(who_gives_a_key_back_for_which_others_wait_knows_that_afterwards) {
    for (const bool others_wait : {false, true}) {
        scripted_quorum q;
        const engine::claim_pointer mine = q.claim();
        if (others_wait) {
            const auto& claim = static_cast<const redis::claim&>(*mine);
            claim.note_waiting(claim.ticket() + 1);
        }
        q.turn([&] { q.engine().release(mine, q.clock + 1s, {}, false); });
        BOOST_TEST(q.quorum().contests().is_contested("k", q.clock) == others_wait);
    }
}

BOOST_AUTO_TEST_CASE(a_lease_that_was_lost_before_stays_lost) {
    scripted_quorum q;
    unlocking by;
    release(q, by, 1s, true);
    q.answer_each("+++", ":1\r\n", {});
    BOOST_TEST((by.outcome == make_error_code(errc::lease_lost)));
}

BOOST_AUTO_TEST_CASE(a_node_that_does_not_answer_is_told_again_when_it_is_back) {
    scripted_quorum q;
    unlocking by;
    release(q, by);
    q.answer_each("++!", ":1\r\n", {});
    q.turn([&] { q.listener().on_node_ready(2, true); });
    BOOST_TEST(q.nodes[2]->asked().find("EVAL") != std::string_view::npos);
    BOOST_TEST(q.nodes[0]->asked().empty());
}

BOOST_AUTO_TEST_CASE(the_key_is_owed_for_as_long_as_its_last_command_may_have_been_under_way) {
    for (const bool is_over : {false, true}) {
        scripted_quorum q;
        unlocking by;
        release(q, by, 1s);
        q.answer_each("++!", ":1\r\n", {});
        // Longer than a command takes: it may have waited for its first connection.
        q.clock += 1s + core::first_connection_time - (is_over ? 0ms : 1ms);
        q.turn([&] { q.listener().on_node_ready(2, true); });
        BOOST_TEST(q.nodes[2]->asked().empty() == is_over);
    }
}

BOOST_AUTO_TEST_CASE(what_is_under_way_on_the_connection_that_stands_is_not_sent_twice) {
    scripted_quorum q;
    unlocking by;
    release(q, by);
    q.answer_each("++!", ":1\r\n", {});
    q.turn([&] { q.listener().on_node_ready(2, false); });
    BOOST_TEST(q.nodes[2]->asked().empty());
}

BOOST_AUTO_TEST_CASE(a_server_that_loads_its_data_is_told_again) {
    scripted_quorum q;
    unlocking by;
    release(q, by);
    q.answer_each("++-", ":1\r\n", "-LOADING Redis is loading the dataset in memory\r\n");
    BOOST_TEST(q.nodes[2]->asked().empty());
    q.turn([&] { q.listener().on_node_ready(2, false); });
    BOOST_TEST(q.nodes[2]->asked().find("EVAL") != std::string_view::npos);
}

BOOST_AUTO_TEST_CASE(where_most_of_them_load_their_data_it_is_said_in_their_words) {
    scripted_quorum q;
    unlocking by;
    release(q, by);
    q.answer_each("+--", ":1\r\n", "-LOADING Redis is loading the dataset in memory\r\n");
    BOOST_TEST((by.outcome == make_error_code(errc::no_quorum)));
    BOOST_TEST(by.why.find("loading the dataset") != by.why.npos);
}

BOOST_AUTO_TEST_CASE(a_server_that_refuses_for_good_is_left_alone) {
    scripted_quorum q;
    unlocking by;
    release(q, by);
    q.answer_each("++-", ":1\r\n", "-NOPERM this user has no permissions\r\n");
    q.turn([&] { q.listener().on_node_ready(2, true); });
    BOOST_TEST(q.nodes[2]->asked().empty());
}

// What it sent again, behind the release that serves the queue, would find the key another's.
BOOST_AUTO_TEST_CASE(a_command_that_is_refused_while_others_begin_to_wait_is_not_sent_in_another_form) {
    scripted_quorum q(1);
    q.nodes[0]->info.product = "valkey";
    q.nodes[0]->info.version = "9.0.0";
    q.turn([&] { q.listener().on_node_ready(0, true); });
    unlocking by;
    const engine::claim_pointer mine = q.claim();
    q.turn([&] {
        turn::outcome_waiters told;
        told.push_back(by);
        q.engine().release(mine, q.clock + 1s, std::move(told), false);
    });
    BOOST_TEST(q.nodes[0]->asked().find("DELIFEQ") != std::string_view::npos);
    const std::string token(static_cast<const redis::claim&>(*mine).token());
    const std::string news = "w|" + token + "|" + token + "|k";
    const parsed_reply message(">3\r\n$7\r\nmessage\r\n$16\r\nredlock:" + token.substr(0, 8) + "\r\n$" +
                               std::to_string(news.size()) + "\r\n" + news + "\r\n");
    q.turn([&] { q.quorum().hands().take_push(0, *message); });
    q.turn([&] { q.nodes[0]->answer("-NOPERM User u has no permissions to run the 'delifeq' command\r\n"); });
    BOOST_TEST((by.outcome == turn::success));
    BOOST_TEST(q.nodes[0]->asked().find("zpopmin") != std::string_view::npos);
    q.turn([&] { q.nodes[0]->answer(":2\r\n"); });
    BOOST_TEST(q.nodes[0]->asked().empty());
    BOOST_TEST(q.quorum().quiet());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
