// Nodes that keep no queue, holders that cannot be told, and keys that go without a hand-over.

#include "queue_fixture.hpp"

#include <utility>

namespace redlock::test {
namespace {

using hearing = redis::session::hearing;

struct queue_refusal_fixture : queue_fixture {
    hearing hears(unsigned node) { return quorum().session_of(node).hears(); }
    bool watches(unsigned node) const { return asks(node, "PTTL"); }
    void refuse_a_majority(std::string_view with) {
        wait_for_it();
        answer(0, with);
        BOOST_TEST(!quorum().stands().empty());
        answer(1, with);
    }
};

BOOST_FIXTURE_TEST_SUITE(queue_refusal_suite, queue_refusal_fixture)

BOOST_AUTO_TEST_CASE(where_too_few_nodes_keep_a_queue_the_key_is_watched) {
    for (const auto& [refusal, of_the_client] :
         {std::pair("-NOPERM this user has no permissions\r\n", true),
          std::pair("-ERR unknown command 'EVAL'\r\n", true),
          std::pair("-WRONGTYPE Operation against a key holding the wrong kind of value\r\n", false),
          std::pair("-OOM command not allowed when used memory > 'maxmemory'.\r\n", false)}) {
        queue_refusal_fixture q;
        q.refuse_a_majority(refusal);
        BOOST_TEST_CONTEXT(refusal) {
            BOOST_TEST((q.hears(0) == hearing::refused) == of_the_client);
            BOOST_TEST((q.hears(2) == hearing::yes));
            const auto* const said = q.quorum().session_of(0).last_refusal();
            BOOST_REQUIRE(said);
            BOOST_TEST(std::string_view(refusal).starts_with("-" + said->words));
            BOOST_TEST(!q.quorum().session_of(2).last_refusal());
            BOOST_TEST(!q.listener.over);
            BOOST_TEST(q.quorum().watched().empty() == false);
            BOOST_TEST(q.quorum().counts().undirected_waits == 1u);
            // It leaves the queues that it may stand in, and stays out of them.
            q.answer(2, q.held(0));
            for (unsigned node = 0; node < 3; ++node) {
                BOOST_TEST(q.leaves(node));
                q.answer(node, ":0\r\n");
                BOOST_TEST(q.watches(node));
                q.answer(node, ":10000\r\n");
            }
            BOOST_TEST(q.quorum().stands().empty());
            BOOST_TEST(q.quorum().hands().are_likely() == !of_the_client);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_refusal_for_the_moment_is_none_for_good) {
    refuse_a_majority("-LOADING Redis is loading the dataset in memory\r\n");
    BOOST_TEST((hears(0) == hearing::yes));
    BOOST_TEST(!quorum().stands().empty());
    BOOST_TEST(nodes[0]->asked().empty());
    pass(50ms);
    BOOST_TEST(enters(0));
    BOOST_TEST(enters(1));
}

BOOST_AUTO_TEST_CASE(a_server_that_does_not_know_the_script_is_sent_it) {
    wait_for_it();
    held_everywhere(5);
    pass(1s);
    BOOST_TEST(asks(0, "EVALSHA"));
    answer(0, "-NOSCRIPT No matching script.\r\n");
    BOOST_TEST(asks(0, text_of(redis::script::queue)));
    BOOST_TEST(enters(0));
    BOOST_TEST(!quorum().stands().empty());
}

// It stands there first, and watches the key besides only after a while.
BOOST_AUTO_TEST_CASE(who_is_near_the_front_watches_the_key_as_well) {
    for (const auto& [ahead, watches] : {std::pair(3u, true), std::pair(4u, false)}) {
        queue_refusal_fixture q;
        q.wait_for_it();
        q.held_everywhere(ahead);
        q.pass(25ms - 1ns);
        BOOST_TEST(q.quorum().watched().empty());
        q.pass(1ns);
        BOOST_TEST(q.quorum().watched().empty() != watches);
        BOOST_TEST(q.quorum().counts().undirected_waits == 0u);
        // Who comes near later watches from then on.
        if (watches) continue;
        q.pass(775ms);
        for (unsigned node = 0; node < 3; ++node)
            if (q.enters(node)) q.answer(node, q.held(0));
        BOOST_TEST(q.quorum().watched().empty());
        q.pass(50ms);
        BOOST_TEST(!q.quorum().watched().empty());
    }
}

BOOST_AUTO_TEST_CASE(a_holder_that_cannot_be_told_hands_the_key_to_nobody) {
    wait_for_it();
    answer(0, held(10));
    BOOST_TEST(quorum().watched().empty());
    answer(1, held(10, "10000", false));
    BOOST_TEST(!quorum().watched().empty());
    BOOST_TEST(quorum().counts().undirected_waits == 1u);
    for (unsigned node = 0; node < 2; ++node)
        BOOST_TEST(watches(node));
}

BOOST_AUTO_TEST_CASE(a_watch_that_sees_it_free_makes_it_enter_again) {
    wait_for_it();
    held_everywhere();
    pass(25ms);
    for (unsigned node = 0; node < 3; ++node) {
        BOOST_REQUIRE(watches(node));
        answer(node, ":-2\r\n");
    }
    for (unsigned node = 0; node < 3; ++node) {
        BOOST_TEST(enters(node));
        answer(node, "*1\r\n:1\r\n");
    }
    BOOST_REQUIRE(listener.granted.has_value());
    BOOST_TEST(quorum().watched().empty());
}

BOOST_AUTO_TEST_CASE(a_key_that_runs_out_is_asked_for_when_it_has) {
    for (const auto& [left, again] : {std::pair("20", 22ms), std::pair("-1", 250ms)}) {
        queue_refusal_fixture q;
        q.wait_for_it();
        for (unsigned node = 0; node < 3; ++node)
            q.answer(node, q.held(0, left));
        q.pass(again - 1ns);
        BOOST_TEST(!q.enters(0));
        q.pass(1ns);
        for (unsigned i = 0; i < 4 && !q.enters(0); ++i)
            if (q.watches(0)) q.answer(0, ":10000\r\n");
        BOOST_TEST(q.enters(0));
    }
}

// For those who know of no queue.
BOOST_AUTO_TEST_CASE(a_key_that_is_free_for_a_moment_is_asked_for_after_a_round_trip) {
    wait_for_it();
    const std::string token = entered_with(0);
    held_everywhere();
    for (unsigned node = 0; node < 3; ++node)
        hear(node, "f|" + token + "|k");
    BOOST_TEST(nothing_is_asked());
    pass(1ms - 1ns);
    BOOST_TEST(nothing_is_asked());
    pass(1ns);
    for (unsigned node = 0; node < 3; ++node)
        BOOST_TEST(enters(node));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
