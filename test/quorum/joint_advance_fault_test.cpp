// Joint commands for new fencing tokens that nodes do not take, lose, or that are let go of.

#include "joint_advance_fixture.hpp"

namespace redlock::test {

BOOST_FIXTURE_TEST_SUITE(joint_advance_fault_suite, joint_advances_fixture)

BOOST_AUTO_TEST_CASE(where_the_hash_is_not_known_they_go_one_by_one_and_by_the_text_the_next_time) {
    advance(3);
    for (unsigned node = 0; node < 3; ++node) {
        BOOST_TEST(asks(node, "EVAL\r\n"));
        answer(node, all_raised(3));
    }
    advance(3);
    BOOST_TEST(asks(1, "EVALSHA\r\n"));
    answer(1, "-NOSCRIPT No matching script.\r\n");
    for (std::size_t i = 0; i < 3; ++i) {
        BOOST_TEST(asks_alone(1, i));
        answer(1, ":2000000000000000\r\n");
    }
    answer(0, all_raised(3));
    BOOST_TEST(confirmed() == 3u);
    answer(2, all_raised(3));
    advance(3);
    BOOST_TEST(asks_for_several(1));
    BOOST_TEST(asks(1, "EVAL\r\n"));
}

BOOST_AUTO_TEST_CASE(a_node_that_does_not_take_it_has_them_one_by_one_from_then_on) {
    for (const char* refusal :
         {"-NOPERM no permissions to run the 'mget' command\r\n", "-ERR unknown command 'EVAL'\r\n",
          ":2000000000000000\r\n", "$-1\r\n", "*0\r\n", "*2\r\n:1\r\n:1\r\n",
          "*4\r\n:1\r\n:1\r\n:1\r\n:1\r\n", "*33\r\n"}) {
        joint_advances_fixture q;
        std::string text = refusal;
        if (text == "*33\r\n")
            for (int i = 0; i < 33; ++i)
                text += ":1\r\n";
        q.advance(3);
        q.answer(0, text);
        for (std::size_t i = 0; i < 3; ++i) {
            BOOST_TEST(q.asks_alone(0, i));
            q.answer(0, ":2000000000000000\r\n");
        }
        BOOST_TEST(q.confirmed() == 0u);
        q.answer(1, all_raised(3));
        BOOST_TEST(q.confirmed() == 3u);
        q.answer(2, all_raised(3));
        BOOST_TEST(q.rests());
        q.advance(3);
        BOOST_TEST(!q.asks_for_several(0));
        BOOST_TEST(q.asks_for_several(1));
    }
}

BOOST_AUTO_TEST_CASE(an_answer_that_is_lost_or_refused_for_the_moment_is_that_of_a_node_that_fails) {
    for (const bool loads : {false, true}) {
        joint_advances_fixture q;
        q.advance(3);
        for (unsigned node : {0u, 1u})
            q.turn([&] {
                if (loads) return q.nodes[node]->answer("-LOADING Redis is loading the dataset\r\n");
                q.nodes[node]->fail(errc::node_timeout);
            });
        for (std::size_t i = 0; i < 3; ++i)
            BOOST_TEST((q.of[i].decided == engine::outcome::inconclusive));
        q.answer(2, all_raised(3));
        BOOST_TEST(q.rests());
        q.advance(3);
        BOOST_TEST(q.asks_for_several(0));
    }
}

BOOST_AUTO_TEST_CASE(without_any_node_all_of_them_end_at_once) {
    for (const auto& node : nodes)
        node->health = node::health::unavailable;
    advance(3);
    for (std::size_t i = 0; i < 3; ++i)
        BOOST_TEST((of[i].decided == engine::outcome::inconclusive));
    BOOST_TEST(rests());
}

BOOST_AUTO_TEST_CASE(who_is_let_go_of_is_not_asked_for_and_not_sent_again) {
    turn([&] {
        for (std::size_t i = 0; i < 4; ++i)
            advance_in_turn(i, key_of(i));
        of[1].errand.reset();
    });
    BOOST_TEST(asks_for_several(0));
    BOOST_TEST(!asks(0, key_of(1)));
    for (unsigned node = 0; node < 3; ++node)
        answer(node, all_raised(3));
    BOOST_TEST(confirmed() == 3u);
    advance(3);
    turn([&] { of[1].errand.reset(); });
    answer(0, "-NOSCRIPT No matching script.\r\n");
    for (const std::size_t i : {0u, 2u}) {
        BOOST_TEST(asks_alone(0, i));
        answer(0, ":2000000000000000\r\n");
    }
    for (unsigned node : {1u, 2u})
        answer(node, all_raised(3));
    BOOST_TEST(!of[1].decided.has_value());
    BOOST_TEST(rests());
}

BOOST_AUTO_TEST_CASE(a_release_in_the_same_turn_comes_behind_it_and_knows_that_the_value_may_have_changed) {
    turn([&] {
        for (std::size_t i = 0; i < 3; ++i)
            advance_in_turn(i, key_of(i));
        engine().release(of[1].claim, clock + 1s, {});
    });
    BOOST_TEST(asks_for_several(0));
    answer(0, all_raised(3));
    BOOST_TEST(asks(0, text_of(redis::script::release_retold)));
    BOOST_TEST(asks(0, key_of(1)));
}

BOOST_AUTO_TEST_CASE(readers_and_long_keys_go_alone) {
    turn([&] {
        advance_in_turn(0, "book", mode::read);
        advance_in_turn(1, std::string(257, 'k'));
        advance_in_turn(2, std::string(256, 'k'));
    });
    for (int i = 0; i < 3; ++i) {
        BOOST_TEST(!asks_for_several(0));
        answer(0, ":2000000000000000\r\n");
    }
    turn([&] {
        advance_in_turn(1, key_of(1));
        advance_in_turn(2, std::string(256, 'k'));
    });
    while (!nodes[1]->asked().empty() && !asks_for_several(1))
        answer(1, ":2000000000000000\r\n");
    BOOST_TEST(asks_for_several(1));
}

BOOST_AUTO_TEST_CASE(of_those_that_were_not_sent_yet_a_client_that_is_gone_leaves_nothing) {
    for (std::size_t i = 0; i < 3; ++i)
        advance_in_turn(i, key_of(i));
    BOOST_TEST(!quorum().pending_advances().empty());
    for (auto& advance : of)
        advance.errand.reset();
    quorum().abandon();
    BOOST_TEST(quorum().pending_advances().empty());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace redlock::test
