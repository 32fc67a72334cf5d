#include "contest_fixture.hpp"

namespace redlock::test {
namespace {

/// A contest that waits for whoever has the key, on nodes that answer what they are asked.
struct waiting_fixture : contest_fixture {
    /// Until nobody asks for anything.
    void serve() {
        for (bool any = true; any;) {
            any = false;
            for (const auto& n : nodes) {
                if (n->asked().empty()) continue;
                any = true;
                turn([&] {
                    const std::string answer = answer_to(n->asked());
                    answer.empty() ? n->fail(errc::node_timeout) : n->answer(answer);
                });
            }
        }
    }
    void pass(core::nanoseconds time) {
        for (core::nanoseconds end = time; end > 0ns; end -= 10ms) {
            clock += 10ms;
            turn([] {});
            serve();
        }
    }
    void pass_until_a_token_is_asked_for() {
        for (int i = 0; i < 100 && tokens_asked_for == 0; ++i)
            pass(10ms);
        BOOST_REQUIRE(tokens_asked_for > 0u);
    }
    std::string answer_to(std::string_view command) {
        const auto has = [&](std::string_view what) { return command.find(what) != command.npos; };
        if (has("\r\nSET\r\n")) {
            ++asked;
            return is_free ? "$-1\r\n" : "$5\r\nother\r\n";
        }
        if (has("\r\nPTTL\r\n")) return is_free || misleads ? ":-2\r\n" : ":100000\r\n";
        if (!has(":redlock-fence")) return ":1\r\n";
        if (has("ZADD")) return ":0\r\n";
        ++tokens_asked_for;
        if (loses_fences) return {};
        return ":" + std::to_string(fence) + "\r\n";
    }

    bool is_free = false;
    bool misleads = false;     ///< says that the key is free, whoever has it
    bool loses_fences = false; ///< no answer to who asks for a token
    std::uint64_t fence = 2'000'000'000'000'000;
    unsigned asked = 0;
    unsigned tokens_asked_for = 0;
};

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

// Whoever else has one gives way.
BOOST_AUTO_TEST_CASE(of_a_split_vote_only_the_one_with_the_arbiters_vote_keeps_what_it_has) {
    for (const unsigned granting : {0u, 1u, 2u})
        for (const bool to_several : {false, true}) {
            waiting_fixture q;
            q.contend(false, true);
            q.turn([&] { q.nodes[granting]->answer("$-1\r\n"); });
            for (unsigned node = 0; node < 3; ++node)
                if (node != granting)
                    q.turn([&] {
                        q.nodes[node]->answer(to_several && node == (granting + 1) % 3 ? "$1\r\nx\r\n"
                                                                                       : "$1\r\ny\r\n");
                    });
            const bool has_arbiter = q.quorum().arbiter_of("k", core::node_set::all_of(3)) == granting;
            BOOST_TEST(q.quorum().counts().kept_votes == (has_arbiter && to_several ? 1u : 0u));
            BOOST_TEST(q.asks(granting, "EVAL") == !(has_arbiter && to_several));
            q.is_free = true;
            q.pass(500ms);
            BOOST_TEST(q.listener.granted.has_value());
        }
}

BOOST_AUTO_TEST_CASE(who_keeps_its_votes_asks_the_others_alone_and_begins_to_count_them_anew) {
    for (const bool still_several : {false, true}) {
        waiting_fixture q;
        const unsigned arbiter = *q.quorum().arbiter_of("k", core::node_set::all_of(3));
        q.contend(false, true);
        q.turn([&] { q.nodes[arbiter]->answer("$-1\r\n"); });
        const auto refuse = [&](bool by_several) {
            std::string holder = "x";
            for (unsigned node = 0; node < 3; ++node) {
                if (node == arbiter) continue;
                BOOST_TEST(q.asks(node, "\r\nSET\r\n"));
                q.turn([&] { q.nodes[node]->answer("$1\r\n" + holder + "\r\n"); });
                if (by_several) holder = "y";
            }
        };
        refuse(true);
        BOOST_TEST(q.quorum().counts().kept_votes == 1u);
        for (int i = 0; i < 10 && !q.asks((arbiter + 1) % 3, "\r\nSET\r\n"); ++i)
            for (const auto& n : q.nodes)
                if (n->asked().find("PTTL") != n->asked().npos) q.turn([&] { n->answer(":-2\r\n"); });
        BOOST_TEST(!q.asks(arbiter, "\r\nSET\r\n"));
        refuse(still_several);
        BOOST_TEST(q.quorum().counts().kept_votes == (still_several ? 2u : 1u));
        BOOST_TEST(q.asks(arbiter, "EVAL") == !still_several);
    }
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

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
