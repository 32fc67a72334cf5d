// Who has a key for writing waits until nobody reads it.

#include "drain_fixture.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace redlock::test {
namespace {

/// How many of the answers decide one attempt, and what: 0 is a grant.
std::pair<std::size_t, errc> drain_decision_of(const std::string& answers) {
    const auto nodes = static_cast<unsigned>(answers.size());
    const unsigned needed = nodes / 2 + 1;
    for (std::size_t told = 1;; ++told) {
        const std::string_view heard = std::string_view(answers).substr(0, told);
        const auto of = [&](char c) { return static_cast<unsigned>(std::ranges::count(heard, c)); };
        if (of('+') >= needed) return {told, errc{}};
        if (of('!') > nodes - needed) return {told, errc::no_quorum};
        if (of('m') >= needed) return {told, errc::lease_lost}; // from most nodes it does not go by itself
        if (of('-') + of('m') + of('r') + of('!') > nodes - needed) return {told, errc::held};
    }
}

BOOST_AUTO_TEST_SUITE(drain_suite)

BOOST_AUTO_TEST_CASE(one_attempt_is_decided_as_soon_as_it_can_be) {
    for (const unsigned nodes : {1u, 3u, 5u})
        for (const std::string& answers : all_answers(nodes, nodes == 5 ? "+rm!" : "+rm-!")) {
            drain_fixture q(nodes);
            const core::instant sent = q.clock;
            const auto [decided, why] = drain_decision_of(answers);
            q.drain(false);
            q.clock += 3ms;
            BOOST_TEST_CONTEXT(answers) {
                for (unsigned node = 0; node < nodes; ++node) {
                    BOOST_TEST(q.draining.is_over() == (node >= decided));
                    BOOST_TEST((q.clears(node) && !q.puts_back(node)));
                    q.answer(node, answers[node]);
                }
                if (why == errc{})
                    BOOST_TEST((q.draining.sent_at == sent));
                else
                    BOOST_TEST((q.draining.refused == why));
                BOOST_TEST(q.quorum().drains_under_way().empty());
                BOOST_TEST(q.quorum().stragglers().empty());
            }
        }
}

BOOST_AUTO_TEST_CASE(who_waits_watches_those_who_read_and_asks_when_they_are_gone) {
    drain_fixture q;
    q.drain(true);
    q.answer_all("rr?");
    BOOST_TEST(!q.draining.is_over());
    BOOST_TEST(q.draining.waits == 1u);
    for (unsigned node = 0; node < 2; ++node)
        BOOST_TEST(q.looks(node));
    q.answer(2, '+'); // too late to be of use
    BOOST_TEST(!q.draining.is_over());
    BOOST_TEST(q.looks(2));
    for (unsigned node = 0; node < 2; ++node)
        q.turn([&] { q.nodes[node]->answer(":-2\r\n"); });
    const core::instant sent = q.clock;
    q.see_readers();
    for (unsigned node = 0; node < 3; ++node)
        BOOST_TEST(q.clears(node));
    q.clock += 1ms;
    q.answer_all("+r+");
    BOOST_REQUIRE(q.draining.sent_at.has_value());
    BOOST_TEST((*q.draining.sent_at == sent));
    BOOST_TEST(q.quorum().watched().empty());
    BOOST_TEST(q.quorum().drains_under_way().empty());
}

// Which keeps the key, too; sooner where the first of the nodes is free of readers sooner.
BOOST_AUTO_TEST_CASE(or_after_a_third_of_the_ttl) {
    for (const auto& [ttl, left, pause] :
         {std::tuple(900ms, 5000ms, 300ms), std::tuple(900ms, 200ms, 200ms)}) {
        drain_fixture q;
        q.tell();
        q.drain(true, 10s, ttl);
        q.answer(0, 'r', 5s);
        q.answer(1, 'r', left);
        q.answer(2, 'r', 4s);
        q.see_readers();
        q.pass(pause - 1ns);
        q.see_readers();
        BOOST_TEST(!q.clears(0));
        q.pass(1ns);
        q.see_readers();
        BOOST_TEST(q.clears(0));
    }
}

BOOST_AUTO_TEST_CASE(it_waits_no_longer_than_it_may) {
    drain_fixture q;
    q.drain(true, 150ms);
    const core::instant end = q.clock + 150ms;
    while (q.clock < end) {
        BOOST_TEST(!q.draining.is_over());
        for (unsigned node = 0; node < 3; ++node)
            while (!q.nodes[node]->asked().empty())
                q.clears(node) ? q.answer(node, 'r') : q.see_readers();
        q.pass(1ms);
    }
    BOOST_TEST((q.draining.refused == errc::wait_timeout));
    BOOST_TEST(q.quorum().watched().empty());
}

BOOST_AUTO_TEST_CASE(nodes_that_go_away_are_borne_by_who_waits) {
    drain_fixture q;
    q.drain(true);
    q.answer_all("!!+");
    BOOST_TEST(!q.draining.is_over());
    BOOST_TEST(q.draining.waits == 0u);
    q.pass(50ms - 1ns);
    BOOST_TEST(!q.clears(0));
    q.pass(1ns);
    BOOST_TEST(q.clears(0));
    const char* const refusal = "-NOPERM this user has no permissions\r\n";
    for (unsigned node = 0; node < 2; ++node)
        q.turn([&] { q.nodes[node]->answer(refusal); });
    BOOST_TEST((q.draining.refused == errc::permission_denied));
    BOOST_TEST(q.draining.text.find("granted the lock \"k\"") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(where_it_is_missing_it_is_put_back_with_the_next_question) {
    drain_fixture q;
    q.drain(true);
    q.answer_all("mr+"); // decided with the second: the third is not heard any more
    BOOST_TEST(!q.draining.is_over());
    q.see_readers();
    q.pass(400ms);
    for (int i = 0; i < 3; ++i)
        q.see_readers();
    BOOST_TEST(q.puts_back(0));
    BOOST_TEST((q.clears(1) && !q.puts_back(1)));
    BOOST_TEST((q.clears(2) && !q.puts_back(2)));
    q.answer_all("+r+");
    BOOST_TEST(q.draining.sent_at.has_value());
}

BOOST_AUTO_TEST_CASE(a_key_that_is_gone_from_most_nodes_was_taken_away_or_has_run_out) {
    for (const bool has_run_out : {false, true}) {
        drain_fixture q;
        q.drain(true);
        q.answer_all("!!!");
        q.pass(has_run_out ? 1000ms : 1000ms - 1ns);
        q.answer_all("mm?");
        BOOST_TEST((q.draining.refused == (has_run_out ? errc::held : errc::lease_lost)));
    }
    // What was extended meanwhile has not run out.
    drain_fixture q;
    q.drain(true);
    q.answer_all("rrr");
    for (int i = 0; i < 3; ++i) {
        q.see_readers();
        q.pass(400ms);
        for (int more = 0; more < 3; ++more)
            q.see_readers();
        BOOST_REQUIRE(q.clears(0));
        q.answer_all(i < 2 ? "rrr" : "mm?");
    }
    BOOST_TEST((q.draining.refused == errc::lease_lost));
}

BOOST_AUTO_TEST_CASE(one_that_another_has_by_now_is_not_waited_for) {
    for (const char* answers : {"--?", "-m?", "m-?", "-r-", "r--"}) {
        drain_fixture q;
        q.drain(true);
        q.answer_all(answers);
        const bool is_certain = std::string_view(answers).find('r') == std::string_view::npos;
        if (is_certain) BOOST_TEST((q.draining.refused == errc::held));
    }
}

BOOST_AUTO_TEST_CASE(who_is_cancelled_stops_at_once) {
    for (const bool waits_for_answers : {false, true}) {
        drain_fixture q;
        q.drain(true);
        if (!waits_for_answers) q.answer_all("rr?");
        q.turn([&] {
            q.contest->cancel(errc::closed);
            q.contest->cancel(errc{}); // the first reason counts
        });
        BOOST_TEST((q.draining.refused == errc::closed));
        BOOST_TEST(q.draining.text.empty());
        BOOST_TEST(q.quorum().drains_under_way().empty());
        for (unsigned node = 0; node < 3; ++node)
            while (!q.nodes[node]->asked().empty())
                q.turn([&] { q.nodes[node]->fail(errc::node_timeout); });
        BOOST_TEST(q.quorum().watched().empty());
        BOOST_TEST(q.quorum().stragglers().empty());
    }
}

BOOST_AUTO_TEST_CASE(a_script_that_a_server_does_not_know_is_sent_unless_nobody_wants_the_answer) {
    drain_fixture q;
    q.drain(false);
    q.answer_all("++?");
    BOOST_TEST(q.draining.sent_at.has_value());
    q.turn([&] { q.nodes[2]->answer("*1\r\n:1\r\n"); });
    q.draining = {};
    q.drain(false); // by its hash
    BOOST_TEST(q.asks(0, "EVALSHA"));
    q.turn([&] { q.nodes[0]->answer("-NOSCRIPT No matching script.\r\n"); });
    BOOST_TEST(q.asks(0, text_of(redis::script::write_try)));
    q.answer(0, '+');
    q.answer(1, '+');
    BOOST_TEST(q.draining.sent_at.has_value());
    q.turn([&] { q.nodes[2]->answer("-NOSCRIPT No matching script.\r\n"); });
    BOOST_TEST(q.nodes[2]->asked().empty());
    BOOST_TEST(q.quorum().stragglers().empty());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
