// A contest that stands in the queues of the nodes.

#include "queue_fixture.hpp"

namespace redlock::test {
namespace {

BOOST_FIXTURE_TEST_SUITE(queue_suite, queue_fixture)

BOOST_AUTO_TEST_CASE(who_is_refused_enters_the_queues_of_all_nodes) {
    wait_for_it();
    for (unsigned node = 0; node < 3; ++node) {
        BOOST_TEST(enters(node));
        BOOST_TEST(asks(node, "\r\n$3\r\n500\r\n"));  // the life at first: the lease is renewed
        BOOST_TEST(asks(node, "\r\n$4\r\n9000\r\n")); // of how many are ahead nothing is known
        BOOST_TEST(entered_with(node) == entered_with(0));
    }
    BOOST_TEST((entered_with(0) != static_cast<const redis::claim&>(*claimed).token()));
    held_everywhere();
    BOOST_TEST(nothing_is_asked());
    BOOST_TEST(!listener.over);
    BOOST_TEST(quorum().window().inside() == 0u);
}

BOOST_AUTO_TEST_CASE(a_majority_that_hands_the_key_over_grants_it) {
    for (const bool waited_for : {false, true}) {
        queue_fixture q;
        q.wait_for_it();
        const core::instant entered = q.clock;
        const std::string token = q.entered_with(0);
        q.held_everywhere();
        q.clock += 20ms;
        q.handed(0, token, entered, 15ms, waited_for ? q.other_token(3) : "");
        BOOST_TEST(!q.listener.granted.has_value());
        q.handed(2, token, entered, 10ms);
        BOOST_REQUIRE(q.listener.granted.has_value());
        BOOST_TEST(q.listener.over);
        const auto& claim = static_cast<const redis::claim&>(*q.listener.granted->claim);
        BOOST_TEST(claim.token() == token);
        BOOST_TEST(claim.waited_for);
        BOOST_TEST(claim.others_wait() == waited_for);
        BOOST_TEST((q.listener.granted->sent_at == entered + 9ms)); // of an age without its fraction
        BOOST_TEST((q.listener.granted->ttl == 500ms));
        BOOST_TEST(q.listener.granted->had_to_wait);
        BOOST_TEST(q.listener.granted->fencing_token == 0u);
        BOOST_TEST(q.quorum().counts().directed_handovers == 1u);
        BOOST_TEST(q.quorum().stands().empty());
        BOOST_TEST(q.nothing_is_asked()); // its place at the third goes with the release
    }
}

BOOST_AUTO_TEST_CASE(an_answer_that_the_key_is_its_own_is_a_vote_too) {
    wait_for_it();
    const core::instant entered = clock;
    clock += 3ms;
    answer(0, "*1\r\n:1\r\n");
    answer(1, "*1\r\n:1\r\n");
    BOOST_REQUIRE(listener.granted.has_value());
    BOOST_TEST((listener.granted->sent_at == entered));
    answer(2, held(0));
    BOOST_TEST(nothing_is_asked());
    BOOST_TEST(quorum().stands().empty());
}

BOOST_AUTO_TEST_CASE(with_fencing_it_asks_for_its_token_then) {
    wait_for_it(true);
    const std::string token = entered_with(0);
    held_everywhere();
    handed(0, token, clock);
    handed(1, token, clock);
    BOOST_TEST(!listener.granted.has_value());
    for (unsigned node = 0; node < 3; ++node)
        BOOST_TEST(asks(node, ":redlock-fence"));
    answer(0, ":2000000000000009\r\n");
    answer(1, ":2000000000000009\r\n");
    BOOST_REQUIRE(listener.granted.has_value());
    BOOST_TEST(listener.granted->fencing_token == 2'000'000'000'000'009u);
    BOOST_TEST(static_cast<const redis::claim&>(*listener.granted->claim).token() == token);
}

BOOST_AUTO_TEST_CASE(it_shows_itself_sooner_the_nearer_it_is) {
    wait_for_it();
    held_everywhere(5);
    pass(1s - 1ns);
    BOOST_TEST(!enters(1));
    pass(1ns);
    for (unsigned node = 0; node < 3; ++node) {
        BOOST_TEST(enters(node));
        BOOST_TEST(asks(node, "\r\n$4\r\n3000\r\n")); // three times of that
        BOOST_TEST(asks(node, "\r\n$1\r\n1\r\n"));    // which takes the place of the entry before
    }
}

BOOST_AUTO_TEST_CASE(at_its_end_it_leaves_the_queues) {
    wait_for_it();
    const std::string token = entered_with(0);
    held_everywhere(5);
    BOOST_TEST(!quorum().stands().empty());
    clock += 10s;
    turn([] {});
    // After a last try, for which all are asked once more.
    unsigned left = 0;
    for (int i = 0; i < 6; ++i)
        for (unsigned node = 0; node < 3; ++node) {
            left += leaves(node) && asks(node, token);
            if (!nodes[node]->asked().empty())
                answer(node, asks(node, "\r\nSET\r\n") ? "$27\r\n" + other_token() + "\r\n" : ":0\r\n");
        }
    BOOST_TEST(left == 3u);
    BOOST_TEST((listener.refused == errc::wait_timeout));
    BOOST_TEST(listener.over);
    BOOST_TEST(quorum().stands().empty());
    BOOST_TEST(quorum().quiet());
}

BOOST_AUTO_TEST_CASE(who_is_cancelled_gives_back_what_it_was_handed_and_leaves_all_queues) {
    engine::contest* contest = nullptr;
    turn([&] {
        claimed = claim();
        contest = &engine().contend({.claim = claimed,
                                     .claimed_at = clock,
                                     .life = 1000ms,
                                     .ttl = 1s,
                                     .renews = true,
                                     .fencing = false,
                                     .waits = true,
                                     .wait_until = clock + 10s,
                                     .not_before = core::instant::min()},
                                    listener);
        contest->start();
    });
    answer_each("---", {}, "$27\r\n" + other_token() + "\r\n");
    answer(2, ":0\r\n");
    const std::string token = entered_with(0);
    held_everywhere();
    handed(0, token, clock);
    clock += 1ms;
    turn([&] { contest->cancel(errc{}); });
    BOOST_TEST((listener.refused == errc{}));
    for (unsigned node = 0; node < 3; ++node) {
        BOOST_TEST(leaves(node));
        BOOST_TEST(asks(node, token));
    }
    // A node that does not answer is told once more while it may have an entry.
    for (unsigned node = 0; node < 3; ++node)
        turn([&] { nodes[node]->fail(errc::node_timeout); });
    const auto is_told_again = [&](unsigned node) {
        turn([&] { scripted_quorum::listener().on_node_ready(node, true); });
        bool told = false;
        while (!nodes[node]->asked().empty()) {
            told |= leaves(node);
            turn([&] { nodes[node]->fail(errc::node_unavailable); });
        }
        return told;
    };
    clock += 50ms + 500ms + 9s - 2ms;
    BOOST_TEST(is_told_again(0));
    clock += 1ms;
    BOOST_TEST(!is_told_again(1));
}

BOOST_AUTO_TEST_CASE(who_came_before_and_has_votes_is_given_way_to) {
    wait_for_it();
    const std::string token = entered_with(0);
    held_everywhere();
    handed(0, token, clock);
    pass(2ms); // it looks why the others do not follow
    BOOST_TEST(enters(1));
    BOOST_TEST(enters(2));
    // An older one, and one that nobody knows: neither has a majority.
    answer(1, held(0, "10000", true, 2));
    answer(2, held(0, "10000", true, core::lock_token::highest_ticket));
    BOOST_TEST(quorum().counts().yields == 1u);
    for (unsigned node = 0; node < 3; ++node) {
        BOOST_TEST(leaves(node));
        BOOST_TEST(asks(node, token));
        answer(node, ":2\r\n");
        BOOST_TEST(enters(node)); // once more, with another token
        BOOST_TEST(entered_with(node) != token);
    }
    // What comes for the token that it has no more is none of its votes.
    const std::string second = entered_with(1);
    answer(1, held(0));
    answer(2, held(0));
    handed(1, token, clock);
    handed(2, token, clock);
    BOOST_TEST(!listener.granted.has_value());
    handed(1, second, clock);
    handed(2, second, clock);
    BOOST_REQUIRE(listener.granted.has_value());
    BOOST_TEST(static_cast<const redis::claim&>(*listener.granted->claim).token() == second);
}

BOOST_AUTO_TEST_CASE(a_node_without_an_answer_is_asked_again_after_a_timeout) {
    wait_for_it();
    answer(0, held(5));
    answer(1, held(5));
    turn([&] { nodes[2]->fail(errc::node_timeout); });
    pass(50ms - 1ns);
    BOOST_TEST(nodes[2]->asked().empty());
    pass(1ns);
    BOOST_TEST(enters(2));
}

BOOST_AUTO_TEST_CASE(a_node_that_is_back_is_entered_again_at_once) {
    wait_for_it();
    held_everywhere(5);
    quorum().session_of(1).set_hearing(redis::session::hearing::no);
    turn([&] { scripted_quorum::listener().on_node_ready(1, false); });
    BOOST_TEST(asks(1, "SUBSCRIBE"));
    answer(1, ">3\r\n$9\r\nsubscribe\r\n$1\r\nx\r\n:1\r\n");
    BOOST_TEST(enters(1));
    BOOST_TEST(nodes[0]->asked().empty());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
