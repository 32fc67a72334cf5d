// What nodes tell a client of its tokens, and how it comes to hear of that.

#include "engine/holders.hpp"
#include "queue_fixture.hpp"

#include <functional>

namespace redlock::test {
namespace {

using hearing = redis::session::hearing;

/// Keys that the client holds, or has left where they are.
struct known_holders final : engine::holders {
    const engine::claim* holder_of(std::string_view full_key) const noexcept override {
        return held && full_key == held->full_key.view() ? held.get() : nullptr;
    }
    bool has_left(std::string_view full_key,
                  const std::function<bool(const engine::claim&)>& is_it) const override {
        return left && full_key == left->full_key.view() && is_it(*left);
    }
    engine::claim_pointer held, left;
};

struct hand_overs_fixture : queue_fixture {
    hand_overs_fixture() { quorum().set_holders(holders); }

    hearing hears(unsigned node) { return quorum().session_of(node).hears(); }
    void forget() {
        for (unsigned node = 0; node < 3; ++node)
            quorum().session_of(node).set_hearing(hearing::no);
    }
    std::string token_of(const engine::claim_pointer& c) const {
        return std::string(static_cast<const redis::claim&>(*c).token());
    }
    bool is_waited_for(const engine::claim_pointer& c) const {
        return static_cast<const redis::claim&>(*c).others_wait();
    }
    void ready(unsigned node) {
        turn([&] { scripted_quorum::listener().on_node_ready(node, false); });
    }

    known_holders holders;
};

constexpr std::string_view confirmed = ">3\r\n$9\r\nsubscribe\r\n$1\r\nx\r\n:1\r\n";

BOOST_FIXTURE_TEST_SUITE(hand_overs_suite, hand_overs_fixture)

BOOST_AUTO_TEST_CASE(a_node_that_is_ready_is_listened_to) {
    forget();
    ready(0);
    BOOST_TEST(asks(0, "SUBSCRIBE"));
    BOOST_TEST(asks(0, "redlock:" + quorum_name()));
    BOOST_TEST((hears(0) == hearing::asked));
    // What stands behind it shows whether the server confirms.
    BOOST_REQUIRE(nodes[0]->told.size() == 1u);
    BOOST_TEST(nodes[0]->told[0].find("PTTL") != std::string::npos);
    ready(0);
    BOOST_TEST(nodes[0]->told.size() == 1u); // once
    answer(0, confirmed);
    BOOST_TEST((hears(0) == hearing::yes));
    BOOST_TEST(nodes[0]->asked().empty());
    BOOST_TEST(nodes[1]->asked().empty());
}

BOOST_AUTO_TEST_CASE(what_comes_of_that_tells_whether_it_is_told_of_tokens) {
    const auto heard_after = [](std::string_view answer, errc failure = {}) {
        hand_overs_fixture q;
        q.forget();
        q.ready(1);
        q.turn([&] {
            if (failure == errc{}) return q.nodes[1]->answer(answer);
            q.nodes[1]->fail(failure);
        });
        return q.hears(1);
    };
    BOOST_TEST((heard_after(confirmed) == hearing::yes));
    BOOST_TEST((heard_after("-NOPERM no\r\n") == hearing::deaf));
    BOOST_TEST((heard_after("+OK\r\n") == hearing::deaf));
    BOOST_TEST((heard_after({}, errc::protocol_error) == hearing::deaf));
    BOOST_TEST((heard_after({}, errc::node_timeout) == hearing::no));
}

BOOST_AUTO_TEST_CASE(a_node_that_does_not_take_the_question_is_asked_another_time) {
    forget();
    nodes[0]->refused = "SUBSCRIBE";
    ready(0);
    BOOST_TEST((hears(0) == hearing::no));
    BOOST_TEST(nodes[0]->told.empty());
    nodes[1]->health = node::health::suspect;
    ready(1);
    BOOST_TEST(nodes[1]->asked().empty());
}

BOOST_AUTO_TEST_CASE(who_is_not_to_wait_in_queues_listens_to_nobody) {
    scripted_quorum q(3, wakeup::keyspace_events);
    q.turn([&] { q.listener().on_node_ready(0, true); });
    BOOST_TEST((q.quorum().session_of(0).hears() == hearing::no));
    BOOST_TEST(!q.quorum().hands().are_likely());
}

BOOST_AUTO_TEST_CASE(as_long_as_it_is_not_known_otherwise_nodes_keep_queues) {
    BOOST_TEST(quorum().hands().are_likely());
    forget();
    BOOST_TEST(quorum().hands().are_likely());
    quorum().session_of(0).set_hearing(hearing::refused);
    BOOST_TEST(quorum().hands().are_likely());
    quorum().session_of(1).set_hearing(hearing::asked);
    BOOST_TEST(quorum().hands().are_likely());
    quorum().session_of(1).set_hearing(hearing::refused);
    BOOST_TEST(!quorum().hands().are_likely());
    // Those that need a second connection for it only once that has been heard.
    forget();
    for (const auto& n : nodes)
        n->info.protocol = 2;
    for (unsigned node = 0; node < 3; ++node) {
        BOOST_TEST(quorum().hands().are_likely() == (node >= 2));
        quorum().session_of(node).set_hearing(hearing::yes);
    }
    BOOST_TEST(quorum().hands().are_likely());
}

BOOST_AUTO_TEST_CASE(who_holds_the_key_notes_that_others_wait) {
    holders.held = claim();
    const std::string token = token_of(holders.held);
    hear(0, "w|" + other_token() + "|" + other_token() + "|k");
    hear(0, "w|" + token + "|" + other_token() + "|another");
    BOOST_TEST(!is_waited_for(holders.held));
    const auto& mine = static_cast<const redis::claim&>(*holders.held);
    hear(0, "w|" + token + "|" + other_token(mine.ticket() + 9) + "|k");
    BOOST_TEST(mine.is_waited_for_before(mine.ticket() + 10));
    BOOST_TEST(!mine.is_waited_for_before(mine.ticket() + 9));
    BOOST_TEST(nothing_is_asked());
}

BOOST_AUTO_TEST_CASE(and_so_does_who_is_about_to) {
    contend(false, true);
    hear(1, "w|" + token_of(claimed) + "||k");
    BOOST_TEST(is_waited_for(claimed));
    answer_each("++?", "$-1\r\n", {});
    BOOST_TEST(is_waited_for(listener.granted->claim));
}

BOOST_AUTO_TEST_CASE(news_of_others_are_none) {
    holders.held = claim();
    const std::string token = token_of(holders.held);
    const std::string news = "w|" + token + "|" + other_token() + "|k";
    // On a channel of the same form, and about somebody else's token.
    hear(0, "w|" + other_token() + "||k");
    hear(0, "y|" + other_token() + "|1|1|0|||k");
    BOOST_TEST(!is_waited_for(holders.held));
    BOOST_TEST(nothing_is_asked());
    BOOST_TEST(quorum().releases().empty());
}

BOOST_AUTO_TEST_CASE(a_key_that_is_handed_to_nobody_any_more_is_given_back_there) {
    const std::string token = token_of(claim());
    handed(1, token, clock);
    BOOST_TEST(leaves(1));
    BOOST_TEST(asks(1, token));
    BOOST_TEST((nodes[0]->asked().empty() && nodes[2]->asked().empty()));
    // Or when the node takes requests again, within a minute and the time that an entry is believed for.
    turn([&] { nodes[1]->fail(errc::node_unavailable); });
    clock += 1min + 9s - 1ns;
    ready(1);
    BOOST_TEST(leaves(1));
}

BOOST_AUTO_TEST_CASE(of_a_key_that_it_holds_nothing_is_given_back) {
    holders.held = claim();
    handed(1, token_of(holders.held), clock);
    BOOST_TEST(!is_waited_for(holders.held));
    handed(1, token_of(holders.held), clock, 10ms, other_token());
    BOOST_TEST(is_waited_for(holders.held));
    BOOST_TEST(nothing_is_asked());
}

BOOST_AUTO_TEST_CASE(nor_of_one_that_it_left_where_it_is) {
    holders.left = claim();
    handed(1, token_of(holders.left), clock);
    BOOST_TEST(nothing_is_asked());
    handed(1, token_of(claim()), clock);
    BOOST_TEST(leaves(1)); // of another token it is
}

BOOST_AUTO_TEST_CASE(nor_of_one_that_is_being_given_back) {
    const engine::claim_pointer mine = claim();
    static_cast<const redis::claim&>(*mine).note_waiting(1);
    turn([&] { engine().release(mine, clock + 1s, {}, false); });
    for (const bool wanted : {false, true}) {
        if (wanted)
            hear(1, "w|" + token_of(mine) + "||k");
        else
            handed(1, token_of(mine), clock);
        BOOST_TEST(quorum().releases().size() == 1u);
    }
}

BOOST_AUTO_TEST_CASE(a_release_that_serves_no_queue_is_followed_by_one_that_does) {
    const engine::claim_pointer mine = claim();
    turn([&] { engine().release(mine, clock + 1s, {}, false); });
    BOOST_TEST(!leaves(1));
    hear(1, "w|" + token_of(mine) + "||k");
    answer(1, ":1\r\n");
    BOOST_TEST(leaves(1));
    answer(0, ":1\r\n");
    BOOST_TEST(nodes[0]->asked().empty()); // there nobody waits
}

BOOST_AUTO_TEST_CASE(a_key_that_was_not_asked_for_is_no_vote) {
    wait_for_it();
    const std::string token = entered_with(0);
    held_everywhere();
    handed(0, token, clock, 10ms, {}, "another");
    BOOST_TEST(leaves(0)); // it is given back
    BOOST_TEST(asks(0, "another"));
    handed(1, token, clock);
    BOOST_TEST(!listener.granted.has_value());
    handed(2, token, clock);
    BOOST_TEST(listener.granted.has_value());
}

// A client whose clock is behind would otherwise always be before all others.
BOOST_AUTO_TEST_CASE(tickets_of_others_are_seen) {
    const auto next_ticket = [&] { return core::read_token(quorum().new_token().text())->ticket; };
    constexpr std::uint64_t second = 1'000'000;
    const std::uint64_t waiting = next_ticket() + 5 * second;
    hear(0, "w|" + token_of(claim()) + "|" + other_token(waiting) + "|k");
    BOOST_TEST(next_ticket() >= waiting);
    const std::uint64_t holding = waiting + 5 * second;
    wait_for_it();
    answer(0, held(0, "10000", true, holding));
    BOOST_TEST(next_ticket() >= holding);
}

BOOST_AUTO_TEST_CASE(a_second_connection_that_goes_takes_the_queue_with_it) {
    nodes[0]->info.protocol = 2;
    for (const bool is_up : {false, true}) {
        quorum().session_of(0).set_hearing(hearing::yes);
        quorum().session_of(1).set_hearing(hearing::yes);
        turn([&] {
            quorum().hands().ear_changed(0, is_up);
            quorum().hands().ear_changed(1, is_up);
        });
        BOOST_TEST((hears(0) == (is_up ? hearing::asked : hearing::no)));
        BOOST_TEST((hears(1) == hearing::yes)); // which needs none
    }
}

BOOST_AUTO_TEST_CASE(a_node_that_keeps_no_queues_for_this_client_is_not_entered) {
    scripted_quorum q(3, wakeup::client_tracking);
    redis::session& node = q.quorum().session_of(0);
    BOOST_TEST(q.quorum().hands().is_untold(0));
    BOOST_TEST(q.quorum().hands().may_enter(0));
    node.set_hearing(hearing::refused);
    BOOST_TEST(!q.quorum().hands().is_untold(0));
    BOOST_TEST(!q.quorum().hands().may_enter(0));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
