#include "node/recorder.hpp"
#include "waiting_fixture.hpp"

namespace redlock::test {
namespace {

BOOST_FIXTURE_TEST_SUITE(waiting_suite, waiting_fixture)

BOOST_AUTO_TEST_CASE(a_contest_goes_on_until_the_key_is_free) {
    contend(false, true);
    serve();
    BOOST_TEST(listener.waits);
    BOOST_TEST(!listener.over);
    BOOST_TEST(quorum().window().inside() == 0u);
    pass(500ms);
    BOOST_TEST(!listener.over);
    is_free = true;
    pass(500ms);
    BOOST_TEST(listener.over);
    BOOST_REQUIRE(listener.granted.has_value());
    BOOST_TEST(listener.granted->had_to_wait);
    // Each try has a token of its own, which no release of another takes away.
    BOOST_TEST(listener.granted->claim != claimed);
    BOOST_TEST(quorum().watched().empty());
    BOOST_TEST(quorum().window().inside() == 0u);
}

BOOST_AUTO_TEST_CASE(it_gives_up_at_its_end_after_a_last_try) {
    contend(false, true);
    serve();
    pass(9900ms);
    BOOST_TEST(!listener.over);
    pass(200ms);
    BOOST_TEST((listener.refused == errc::wait_timeout));
    BOOST_TEST(listener.over);
    BOOST_TEST(quorum().window().inside() == 0u);
}

BOOST_AUTO_TEST_CASE(who_is_to_let_others_go_first_asks_for_nothing_before_then) {
    is_free = true;
    contend(false, true, clock + 30ms);
    serve();
    pass(20ms);
    BOOST_TEST(asked == 0u);
    pass(10ms);
    BOOST_TEST(asked == 3u);
    BOOST_TEST(listener.granted.has_value());
}

BOOST_AUTO_TEST_CASE(newcomers_hear_that_others_want_the_key) {
    contend(false, true);
    serve();
    BOOST_TEST(quorum().contests().is_contested("k", clock));
}

BOOST_AUTO_TEST_CASE(who_is_told_that_it_is_free_and_does_not_get_it_has_met_a_crowd) {
    contend(false, true);
    serve();
    pass(200ms);
    BOOST_TEST(!quorum().contests().is_crowded("k", clock));
    misleads = true;
    for (int i = 0; i < 100 && !quorum().contests().is_crowded("k", clock); ++i)
        pass(10ms);
    BOOST_TEST(quorum().contests().is_crowded("k", clock));
}

BOOST_AUTO_TEST_CASE(who_gets_it_without_a_race_has_met_one_less) {
    for (int i = 0; i < 2; ++i)
        quorum().contests().lost_race("k", clock);
    BOOST_TEST(quorum().contests().is_crowded("k", clock));
    contend(false, true);
    pass(100ms);
    is_free = true;
    pass(500ms);
    BOOST_REQUIRE(listener.granted.has_value());
    BOOST_TEST(!quorum().contests().is_crowded("k", clock));
    BOOST_TEST(quorum().contests().is_contested("k", clock));
}

BOOST_AUTO_TEST_CASE(who_does_not_wait_wants_nothing_that_newcomers_would_have_to_respect) {
    contend(false);
    serve();
    BOOST_TEST(!quorum().contests().is_contested("k", clock));
}

BOOST_AUTO_TEST_CASE(who_waits_bears_it_that_no_token_comes) {
    contend(true, true);
    serve();
    is_free = true;
    loses_fences = true;
    pass_until_a_token_is_asked_for();
    pass(100ms);
    BOOST_TEST(!listener.over);
    loses_fences = false;
    pass(1s);
    BOOST_TEST(listener.granted.has_value());
}

BOOST_AUTO_TEST_CASE(who_meets_nobody_is_told_that_no_token_comes) {
    is_free = true;
    loses_fences = true;
    contend(true, true);
    serve();
    BOOST_TEST(listener.over);
    BOOST_TEST((listener.refused == errc::no_quorum));
}

// The fence may have gone on since, for another.
BOOST_AUTO_TEST_CASE(a_token_of_a_grant_that_came_too_late_is_no_good_for_the_next) {
    contend(true, true);
    serve();
    listener.too_late = true;
    is_free = true;
    pass_until_a_token_is_asked_for();
    BOOST_TEST(!listener.granted.has_value());
    const unsigned before = tokens_asked_for;
    listener.too_late = false;
    fence += 7;
    pass(500ms);
    BOOST_REQUIRE(listener.granted.has_value());
    BOOST_TEST(tokens_asked_for > before);
    BOOST_TEST(listener.granted->fencing_token == fence);
}

BOOST_AUTO_TEST_CASE(what_an_earlier_try_asked_for_is_no_answer_to_this_one) {
    contend(true, true);
    serve();
    is_free = true;
    fence = 0; // somebody else has the key by then
    keeps_token = core::node_set::just(2);
    const auto pass_until_so_many_are_asked_for = [&](unsigned tokens) {
        most_tokens = tokens;
        for (int i = 0; i < 100 && tokens_asked_for < tokens; ++i)
            pass(10ms);
    };
    pass_until_so_many_are_asked_for(2);
    keeps_token.add(1);
    fence = 2'000'000'000'000'000;
    pass_until_so_many_are_asked_for(3);
    BOOST_REQUIRE((asks(1, ":redlock-fence") && asks(2, ":redlock-fence")));
    turn([&] { nodes[2]->answer(":2000000000000005\r\n"); });
    BOOST_TEST(!listener.granted.has_value());
    turn([&] { nodes[1]->answer(":2000000000000000\r\n"); });
    BOOST_REQUIRE(listener.granted.has_value());
    BOOST_TEST(listener.granted->fencing_token == fence);
}

BOOST_AUTO_TEST_CASE(a_place_that_comes_when_it_is_not_wanted_any_more_is_given_back) {
    scripted_quorum q(3, wakeup::timed, 1);
    contending first, second;
    const auto contend = [&](contending& by) {
        engine::contest* made = nullptr;
        q.turn([&] {
            made = &q.engine().contend({.claim = q.claim(),
                                        .claimed_at = q.clock,
                                        .life = 1000ms,
                                        .ttl = 1s,
                                        .renews = true,
                                        .fencing = false,
                                        .waits = true,
                                        .wait_until = q.clock + 10s,
                                        .not_before = core::instant::min()},
                                       by);
            made->start();
        });
        return made;
    };
    contend(first);
    engine::contest* const waits = contend(second);
    BOOST_TEST(q.quorum().window().waiting() == 1u);
    q.answer_each("+??", "$-1\r\n", {});
    q.turn([&] {
        q.nodes[1]->answer("$-1\r\n");
        waits->cancel(errc{});
    });
    BOOST_TEST((first.granted.has_value() && second.over));
    BOOST_TEST(q.quorum().window().inside() == 0u);
    BOOST_TEST(q.quorum().window().waiting() == 0u);
}

BOOST_AUTO_TEST_CASE(it_hears_of_a_free_key_on_the_second_connections) {
    contend(false, true);
    serve();
    is_free = true;
    const parsed_reply gone(">3\r\n$7\r\nmessage\r\n$16\r\n__keyspace@0__:k\r\n$3\r\ndel\r\n");
    for (unsigned node = 0; node < 3; ++node)
        turn([&] { quorum().ear_listener().on_push(node, *gone); });
    serve();
    BOOST_TEST(listener.granted.has_value());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
