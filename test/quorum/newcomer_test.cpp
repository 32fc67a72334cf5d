#include "contest_fixture.hpp"

#include <string>

namespace redlock::test {
namespace {

/// Every node tells who waits when the key becomes free, so that others are quick to have it.
struct newcomer_fixture : contest_fixture {
    newcomer_fixture() {
        for (unsigned node = 0; node < 3; ++node)
            quorum().session_of(node).set_wakeup(wakeup::keyspace_events);
    }
    bool asks_at(core::nanoseconds later, std::string_view what) {
        clock = begin + later;
        turn([] {});
        return asks(0, what);
    }

    const core::instant begin = clock;
};

BOOST_FIXTURE_TEST_SUITE(newcomer_suite, newcomer_fixture)

BOOST_AUTO_TEST_CASE(who_lets_others_go_first_waits_no_longer_than_they_take) {
    contend(false, true, begin + 30ms);
    BOOST_TEST(!asks_at(4ms - 1ns, "SET"));
    BOOST_TEST(asks_at(4ms, "SET")); // four round trips
}

BOOST_AUTO_TEST_CASE(or_until_then_where_they_are_not_told) {
    quorum().session_of(1).set_wakeup(wakeup::timed);
    BOOST_TEST(quorum().majority_tells());
    quorum().session_of(2).set_wakeup(wakeup::timed);
    BOOST_TEST(!quorum().majority_tells());
    contend(false, true, begin + 30ms);
    BOOST_TEST(!asks_at(30ms - 1ns, "SET"));
    BOOST_TEST(asks_at(30ms, "SET"));
}

// A proposal is to be as high as the time is when it is made; without one the first claim will do.
BOOST_AUTO_TEST_CASE(who_asks_later_than_it_was_made_proposes_anew_if_it_wants_a_token) {
    for (const bool fencing : {false, true})
        for (const core::nanoseconds pause : {0ms, 30ms}) {
            contest_fixture q;
            q.contend(fencing, true, q.clock + pause);
            q.clock += pause;
            q.turn([] {});
            q.answer_each("+++", "$-1\r\n", {});
            for (unsigned node = 0; node < 3; ++node)
                if (q.asks(node, "ZADD")) q.turn([&] { q.nodes[node]->answer(":1\r\n"); });
            BOOST_REQUIRE(q.listener.granted.has_value());
            const bool anew = fencing && pause > 0ms;
            BOOST_TEST((q.listener.granted->claim != q.claimed) == anew);
            if (anew) BOOST_TEST(std::to_string(q.listener.granted->fencing_token) > q.proposal());
        }
}

BOOST_AUTO_TEST_CASE(where_others_want_the_key_it_looks_before_it_tries) {
    quorum().contests().refused("k", begin);
    contend(false, true);
    BOOST_TEST(!asks_at(4ms - 1ns, "PTTL"));
    BOOST_TEST(asks_at(4ms, "k"));
    BOOST_TEST(!asks(0, "\r\nSET\r\n"));
}

BOOST_AUTO_TEST_CASE(a_single_attempt_is_made_at_once) {
    quorum().contests().refused("k", begin);
    contend(false, false);
    BOOST_TEST(asks(0, "\r\nSET\r\n"));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
