// Those who stand in the queues of nodes that do not tell them that they have the key.

#include "queue_fixture.hpp"

#include <string>
#include <string_view>

namespace redlock::test {
namespace {

using hearing = redis::session::hearing;

constexpr std::string_view nobody_can_be_told = "*5\r\n:0\r\n$0\r\n\r\n:0\r\n:0\r\n:0\r\n";

struct untold_queue_fixture : queue_fixture {
    untold_queue_fixture() {
        for (unsigned node = 0; node < 3; ++node)
            quorum().session_of(node).set_hearing(hearing::deaf);
    }

    hearing hears(unsigned node) { return quorum().session_of(node).hears(); }
    /// Its entry says that it is told nothing.
    bool enters_untold(unsigned node) const {
        return asks(node, "\r\n0" + std::to_string(clock.time_since_epoch().count()) + "\r\n");
    }
    std::string ours(std::string_view first_waiting) const {
        return "*2\r\n:1\r\n$" + std::to_string(first_waiting.size()) + "\r\n" + std::string(first_waiting) +
               "\r\n";
    }
    unsigned entering() const {
        unsigned count = 0;
        for (unsigned node = 0; node < 3; ++node)
            count += enters_untold(node);
        return count;
    }
    /// The time from now on until it enters again somewhere.
    core::nanoseconds silence(core::nanoseconds step) {
        core::nanoseconds passed{};
        for (; entering() == 0; passed += step)
            pass(step);
        return passed;
    }
    void held_where_asked(std::uint64_t by_ticket = 1) {
        for (unsigned node = 0; node < 3; ++node)
            if (enters_untold(node)) answer(node, held(0, "10000", false, by_ticket));
    }
};

BOOST_FIXTURE_TEST_SUITE(untold_queue_suite, untold_queue_fixture)

BOOST_AUTO_TEST_CASE(it_enters_all_queues_and_says_that_it_is_told_nothing) {
    wait_for_it();
    BOOST_TEST(entering() == 3u);
    held_where_asked();
    BOOST_TEST(nothing_is_asked());
    BOOST_TEST(quorum().watched().empty()); // nor is it a matter that the holder is not told
    BOOST_TEST(quorum().counts().undirected_waits == 0u);
}

BOOST_AUTO_TEST_CASE(it_enters_one_after_the_other_the_later_the_longer_it_is_held) {
    wait_for_it();
    held_where_asked();
    core::nanoseconds last{};
    for (int looks = 0; looks < 40; ++looks) {
        const core::nanoseconds waited = silence(100us);
        BOOST_TEST(entering() == 1u);
        BOOST_TEST((waited >= last - 100us));
        BOOST_TEST((waited <= 12'600us)); // a quarter of the node timeout
        last = waited;
        held_where_asked();
    }
    BOOST_TEST((last >= 12ms));
}

BOOST_AUTO_TEST_CASE(that_one_node_is_its_own_makes_it_enter_the_others) {
    wait_for_it();
    held_where_asked();
    silence(100us);
    const core::instant sent = clock;
    unsigned first = 0;
    while (!enters_untold(first))
        ++first;
    answer(first, ours(other_token(300)));
    BOOST_TEST(entering() == 2u);
    clock += 1ms;
    for (unsigned node = 0; node < 3 && !listener.granted; ++node)
        if (asks(node, "\r\n0" + std::to_string(sent.time_since_epoch().count()))) answer(node, ours(""));
    BOOST_REQUIRE(listener.granted.has_value());
    BOOST_TEST((listener.granted->sent_at == sent));
    const auto& claim = static_cast<const redis::claim&>(*listener.granted->claim);
    BOOST_TEST(claim.waited_for);
    BOOST_TEST(claim.others_wait());
    BOOST_TEST(quorum().counts().directed_handovers == 1u);
}

BOOST_AUTO_TEST_CASE(a_change_of_the_key_is_looked_at_where_events_tell_of_it) {
    for (unsigned node = 0; node < 3; ++node)
        quorum().session_of(node).set_wakeup(wakeup::keyspace_events);
    wait_for_it();
    held_where_asked();
    core::nanoseconds waited{};
    for (; quorum().watched().empty() && waited < 100ms; waited += 100us) {
        pass(100us);
        held_where_asked();
    }
    BOOST_TEST((waited >= 25ms && waited < 26ms));
}

BOOST_AUTO_TEST_CASE(where_nobody_can_tell_it_enters_again_as_one_that_is_told_nothing) {
    for (const bool found_free : {false, true}) {
        queue_fixture q;
        q.wait_for_it();
        std::string_view says = nobody_can_be_told;
        const std::string held = "*5\r\n:0\r\n$27\r\n" + q.other_token() + "\r\n:10000\r\n:0\r\n:-1\r\n";
        if (!found_free) says = held;
        q.answer(1, says);
        BOOST_TEST((q.quorum().session_of(1).hears() == hearing::deaf));
        BOOST_TEST((q.quorum().session_of(0).hears() == hearing::yes));
        BOOST_TEST(q.asks(1, "\r\n0" + std::to_string(q.clock.time_since_epoch().count()) + "\r\n"));
        // Even so it is of no use.
        q.answer(1, nobody_can_be_told);
        BOOST_TEST((q.quorum().session_of(1).hears() == hearing::refused));
    }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
