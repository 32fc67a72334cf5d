#include "contest_fixture.hpp"
#include "core/quorum/fence_rule.hpp"

#include <algorithm>
#include <utility>

namespace redlock::test {
namespace {

std::string number(std::uint64_t n) { return ":" + std::to_string(n) + "\r\n"; }

BOOST_AUTO_TEST_SUITE(contest_suite)

/// How many of the answers decide, and what: 0 is a grant.
std::pair<std::size_t, errc> decision_of(const std::string& answers) {
    const auto nodes = static_cast<unsigned>(answers.size());
    const unsigned needed = nodes / 2 + 1;
    for (std::size_t told = 1;; ++told) {
        const std::string_view heard = std::string_view(answers).substr(0, told);
        const auto of = [&](char c) { return static_cast<unsigned>(std::ranges::count(heard, c)); };
        if (of('+') >= needed) return {told, errc{}};
        if (of('!') > nodes - needed) return {told, errc::no_quorum};
        if (of('-') + of('!') > nodes - needed) return {told, errc::held};
    }
}

BOOST_AUTO_TEST_CASE(one_attempt_is_decided_as_soon_as_it_can_be_and_gives_back_what_it_may_have) {
    for (const unsigned nodes : {1u, 3u, 4u, 5u})
        for (const std::string& answers : all_answers(nodes, "+-!")) {
            contest_fixture q(nodes);
            const core::instant sent = q.clock;
            const auto [decided, why] = decision_of(answers);
            q.contend(false);
            q.clock += 3ms;
            BOOST_TEST_CONTEXT(answers) {
                for (std::size_t node = 0; node < nodes; ++node) {
                    BOOST_TEST(q.listener.over == (node >= decided));
                    std::string one(nodes, '?');
                    one[node] = answers[node];
                    q.answer_each(one, "$-1\r\n", "$5\r\nother\r\n");
                }
                BOOST_TEST(q.listener.over);
                BOOST_TEST(q.listener.granted.has_value() == (why == errc{}));
                if (q.listener.granted) {
                    BOOST_TEST((q.listener.granted->sent_at == sent));
                    BOOST_TEST(q.listener.granted->claim == q.claimed);
                    continue;
                }
                BOOST_TEST((q.listener.refused == why));
                // Whoever had not said no by then may have the key.
                for (unsigned node = 0; node < nodes; ++node)
                    BOOST_TEST(q.asks(node, "EVAL") == (answers[node] != '-' || node >= decided));
            }
        }
}

BOOST_AUTO_TEST_CASE(a_first_try_proposes_its_token_to_a_majority_and_needs_no_more_round_trips) {
    contest_fixture q;
    q.contend(true);
    BOOST_TEST(!q.quorum().has_unwritten());
    q.answer_each("+++", "$-1\r\n", {});
    BOOST_TEST(!q.listener.granted.has_value());
    unsigned proposed = 0;
    for (unsigned node = 0; node < 3; ++node)
        if (q.asks(node, "ZADD")) ++proposed;
    BOOST_TEST(proposed == 2u);
    for (unsigned node = 0; node < 3; ++node)
        if (q.asks(node, "ZADD")) q.turn([&] { q.nodes[node]->answer(":1\r\n"); });
    BOOST_REQUIRE(q.listener.granted.has_value());
    BOOST_TEST(std::to_string(q.listener.granted->fencing_token) == q.proposal());
}

// A slower node may hold up the token, but says nothing of how the nodes bear what they are asked for.
BOOST_AUTO_TEST_CASE(what_makes_the_admission_window_smaller_is_how_long_the_votes_take) {
    const auto limit_after = [](bool fencing, std::string_view votes, core::nanoseconds until_votes,
                                core::nanoseconds until_token) {
        contest_fixture q;
        q.contend(fencing);
        q.clock += until_votes;
        q.answer_each(votes, "$-1\r\n", "$5\r\nother\r\n");
        q.clock += until_token;
        for (unsigned node = 0; node < 3; ++node)
            if (q.asks(node, "ZADD")) q.turn([&] { q.nodes[node]->answer(":1\r\n"); });
        BOOST_TEST(q.listener.over);
        return q.quorum().window().limit();
    };
    for (const bool fencing : {false, true})
        for (const char* votes : {"+++", "---"}) {
            BOOST_TEST(limit_after(fencing, votes, 20ms, 0ms) == core::admission_window::at_first);
            BOOST_TEST(limit_after(fencing, votes, 40ms, 0ms) == 16u);
        }
    BOOST_TEST(limit_after(true, "+++", 1ms, 40ms) == core::admission_window::at_first);
}

BOOST_AUTO_TEST_CASE(nodes_that_are_not_there_do_not_make_it_smaller) {
    for (const unsigned away : {0u, 1u, 2u}) {
        contest_fixture q;
        q.contend(false);
        q.clock += 60ms;
        for (unsigned node = 0; node < away; ++node)
            q.nodes[node]->health = node::health::unavailable;
        q.nodes[2]->health = node::health::suspect; // connected all the same
        q.answer_each("!!!", {}, {});
        BOOST_TEST(q.quorum().window().limit() == (away == 2 ? core::admission_window::at_first : 16u));
    }
}

BOOST_AUTO_TEST_CASE(what_all_nodes_fail_with_is_the_reason_and_otherwise_there_is_no_quorum) {
    const auto reason_of = [](std::string_view first, std::string_view second) {
        contest_fixture q;
        q.contend(false);
        q.turn([&] { q.nodes[0]->answer(first); });
        q.turn([&] { q.nodes[1]->answer(second); });
        return q.listener.refused;
    };
    const char* const full = "-OOM command not allowed when used memory > 'maxmemory'.\r\n";
    const char* const replica = "-READONLY You can't write against a read only replica.\r\n";
    BOOST_TEST((reason_of(full, full) == errc::out_of_memory));
    BOOST_TEST((reason_of(replica, replica) == errc::read_only));
    BOOST_TEST((reason_of(full, replica) == errc::no_quorum));
    const char* const loading = "-LOADING Redis is loading the dataset in memory\r\n";
    BOOST_TEST((reason_of(loading, loading) == errc::no_quorum)); // which waiting would cure
}

struct token_fixture : contest_fixture {
    /// The key is ours, and a fence was as high as the proposal before.
    token_fixture() {
        contend(true);
        answer_each("+++", "$-1\r\n", {});
        for (unsigned node = 0; node < 3; ++node)
            if (asks(node, "ZADD")) turn([&] { nodes[node]->answer(":0\r\n"); });
        for (unsigned node = 0; node < 3; ++node)
            BOOST_REQUIRE(asks(node, "EVAL"));
    }
    void fence_is(unsigned node, std::uint64_t fence) {
        turn([&] { nodes[node]->answer(number(fence)); });
    }
};

BOOST_FIXTURE_TEST_CASE(two_nodes_that_agree_on_a_fence_make_the_token, token_fixture) {
    fence_is(0, 2'000'000'000'000'000);
    BOOST_TEST(!listener.granted.has_value());
    BOOST_TEST(quorum().window().inside() == 1u); // a round is still under way
    fence_is(1, 2'000'000'000'000'000);
    BOOST_REQUIRE(listener.granted.has_value());
    BOOST_TEST(listener.granted->fencing_token == 2'000'000'000'000'000u);
    BOOST_TEST(quorum().window().inside() == 0u);
}

BOOST_FIXTURE_TEST_CASE(a_node_that_lags_is_raised_to_the_highest_fence, token_fixture) {
    fence_is(0, 2'000'000'000'000'005);
    fence_is(1, 2'000'000'000'000'000);
    BOOST_TEST(!listener.granted.has_value());
    BOOST_TEST(asks(1, "2000000000000005"));
    fence_is(1, 2'000'000'000'000'005);
    BOOST_REQUIRE(listener.granted.has_value());
    BOOST_TEST(listener.granted->fencing_token == 2'000'000'000'000'005u);
}

BOOST_FIXTURE_TEST_CASE(a_higher_fence_makes_those_lag_that_agreed, token_fixture) {
    fence_is(0, 2'000'000'000'000'000);
    fence_is(1, 2'000'000'000'000'009);
    BOOST_TEST(!listener.granted.has_value());
    BOOST_TEST(asks(0, "2000000000000009"));
    BOOST_TEST(!asks(1, "EVAL"));
    fence_is(2, 2'000'000'000'000'009);
    BOOST_REQUIRE(listener.granted.has_value());
    BOOST_TEST(listener.granted->fencing_token == 2'000'000'000'000'009u);
}

BOOST_FIXTURE_TEST_CASE(a_fence_that_no_honest_node_has_is_nobodys_token, token_fixture) {
    const std::uint64_t proposed = quorum().propose_fence();
    fence_is(0, core::highest_fence + 1);
    fence_is(1, core::highest_fence + 1);
    BOOST_TEST(quorum().propose_fence() == proposed); // nor does anybody go on from there
    BOOST_TEST(!listener.granted.has_value());
    BOOST_TEST((listener.refused == errc::protocol_error));
}

BOOST_FIXTURE_TEST_CASE(the_highest_fence_there_is_can_be_a_token, token_fixture) {
    fence_is(0, core::highest_fence);
    fence_is(1, core::highest_fence);
    BOOST_REQUIRE(listener.granted.has_value());
    BOOST_TEST(listener.granted->fencing_token == core::highest_fence);
}

BOOST_FIXTURE_TEST_CASE(a_key_that_is_gone_from_a_majority_gets_no_token, token_fixture) {
    fence_is(0, 0);
    fence_is(1, 0);
    BOOST_TEST((listener.refused == errc::held));
}

BOOST_FIXTURE_TEST_CASE(where_the_token_is_what_is_missing_the_failure_says_so, token_fixture) {
    for (const unsigned node : {0u, 1u})
        turn([&] { nodes[node]->fail(errc::node_timeout); });
    BOOST_TEST((listener.refused == errc::no_quorum));
    BOOST_TEST(listener.why.find("has agreed on a fencing token for the lock \"k\"") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(where_votes_are_missing_the_failure_speaks_of_the_lock) {
    contest_fixture q;
    q.contend(true);
    q.answer_each("!!?", {}, {});
    BOOST_TEST((q.listener.refused == errc::no_quorum));
    BOOST_TEST(q.listener.why.find("has granted the lock \"k\"") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(nodes_that_outbid_each_other_are_not_asked_for_ever, token_fixture) {
    std::uint64_t fence = 2'000'000'000'000'000;
    unsigned sendings = 3;
    for (unsigned i = 0; i < 100 && !listener.over; ++i)
        for (unsigned node = 0; node < 3; ++node)
            if (!listener.over && asks(node, "EVAL") && !listener.refused) {
                fence_is(node, ++fence);
                ++sendings;
            }
    BOOST_TEST((listener.refused == errc::no_quorum));
    BOOST_TEST(sendings <= 3 * 8 + 3u);
    BOOST_TEST(sendings >= 3 * 8u);
}

BOOST_AUTO_TEST_CASE(a_vote_is_owed_for_as_long_as_the_command_for_it_may_have_been_under_way) {
    for (const bool is_over : {false, true}) {
        contest_fixture q;
        q.contend(false);
        q.answer_each("+--", "$-1\r\n", "$5\r\nother\r\n");
        BOOST_REQUIRE(q.asks(0, "EVAL"));
        q.turn([&] { q.nodes[0]->fail(errc::node_timeout); });
        q.clock += 1s + 50ms - (is_over ? 0ms : 1ms);
        q.turn([&] { q.scripted_quorum::listener().on_node_ready(0, true); });
        BOOST_TEST(q.nodes[0]->asked().empty() == is_over);
    }
}

BOOST_AUTO_TEST_CASE(a_grant_that_comes_too_late_is_given_back) {
    contest_fixture q;
    q.listener.too_late = true;
    q.contend(false);
    q.answer_each("++?", "$-1\r\n", {});
    BOOST_TEST(q.listener.over);
    BOOST_TEST((q.listener.refused == errc::no_quorum));
    for (unsigned node = 0; node < 2; ++node)
        BOOST_TEST(q.asks(node, "EVAL"));
}

BOOST_AUTO_TEST_CASE(a_cancelled_contest_gives_back_what_it_may_have) {
    contest_fixture q;
    engine::contest* contest = nullptr;
    q.turn([&] {
        q.claimed = q.claim();
        contest = &q.engine().contend({.claim = q.claimed,
                                       .claimed_at = q.clock,
                                       .life = 1000ms,
                                       .ttl = 1s,
                                       .renews = true,
                                       .fencing = false,
                                       .waits = true,
                                       .wait_until = q.clock + 10s,
                                       .not_before = core::instant::min()},
                                      q.listener);
        contest->start();
    });
    q.answer_each("+-?", "$-1\r\n", "$5\r\nother\r\n");
    q.turn([&] {
        contest->cancel(errc{});
        contest->cancel(errc::closed); // the first reason counts
    });
    BOOST_TEST((q.listener.refused == errc{}));
    BOOST_TEST(q.listener.over);
    BOOST_TEST(q.asks(0, "EVAL"));
    BOOST_TEST(q.nodes[1]->asked().empty());
    q.turn([&] { q.nodes[2]->answer("$-1\r\n"); });
    BOOST_TEST(q.asks(2, "EVAL")); // behind the SET
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
