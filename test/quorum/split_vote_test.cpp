#include "waiting_fixture.hpp"

namespace redlock::test {
namespace {

BOOST_AUTO_TEST_SUITE(split_vote_suite)

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

BOOST_AUTO_TEST_CASE(who_refused_an_earlier_try_is_no_rival_in_this_one) {
    waiting_fixture q;
    q.contend(false, true);
    q.answer_each("---", {}, "$1\r\nx\r\n");
    for (int i = 0; i < 10; ++i)
        for (unsigned node = 0; node < 3; ++node)
            if (!q.nodes[node]->asked().empty() && !q.asks(node, "\r\nSET\r\n"))
                q.turn([&] { q.nodes[node]->answer(q.asks(node, "PTTL") ? ":-2\r\n" : ":0\r\n"); });
    const unsigned arbiter = *q.quorum().arbiter_of("k", core::node_set::all_of(3));
    for (unsigned node = 0; node < 3; ++node)
        BOOST_REQUIRE(q.asks(node, "\r\nSET\r\n"));
    q.turn([&] { q.nodes[arbiter]->answer("$-1\r\n"); });
    for (unsigned node = 0; node < 3; ++node)
        if (node != arbiter) q.turn([&] { q.nodes[node]->answer("$1\r\ny\r\n"); });
    BOOST_TEST(q.quorum().counts().kept_votes == 0u);
    BOOST_TEST(q.asks(arbiter, "EVAL"));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
