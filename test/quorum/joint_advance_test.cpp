// New fencing tokens that are asked for in one turn go to the nodes as one command.

#include "joint_advance_fixture.hpp"

namespace redlock::test {

BOOST_FIXTURE_TEST_SUITE(joint_advance_suite, joint_advances_fixture)

BOOST_AUTO_TEST_CASE(new_tokens_of_a_turn_are_asked_for_by_one_command) {
    advance(5);
    for (unsigned node = 0; node < 3; ++node) {
        BOOST_TEST(asks_for_several(node));
        for (std::size_t i = 0; i < 5; ++i) {
            BOOST_TEST(asks(node, key_of(i) + "\r\n"));
            BOOST_TEST(asks(node, key_of(i) + ":redlock-fence\r\n"));
            BOOST_TEST(asks(node, static_cast<const redis::claim&>(*of[i].claim).token()));
        }
    }
    answer(0, all_raised(5));
    BOOST_TEST(confirmed() == 0u);
    answer(1, all_raised(5));
    BOOST_TEST(confirmed() == 5u);
    for (std::size_t i = 0; i < 5; ++i)
        BOOST_TEST(of[i].token == a_fence);
    answer(2, all_raised(5));
    BOOST_TEST(rests());
    BOOST_TEST(quorum().propose_fence() >= a_fence);
}

BOOST_AUTO_TEST_CASE(one_goes_alone_and_many_in_several_commands) {
    advance(1);
    for (unsigned node = 0; node < 3; ++node) {
        BOOST_TEST(asks_alone(node, 0));
        answer(node, ":2000000000000000\r\n");
    }
    BOOST_TEST(confirmed() == 1u);
    BOOST_TEST(rests());

    constexpr std::size_t most = redis::joint_command::most_keys;
    for (const auto& [keys, sizes] : {std::pair(std::size_t{2}, std::vector<std::size_t>{2}),
                                      {most, {most}},
                                      {most + 1, {most / 2, most / 2 + 1}},
                                      {2 * most + 1, {21, 22, 22}}}) {
        joint_advances_fixture many;
        many.advance(keys);
        for (unsigned node = 0; node < 3; ++node)
            for (const std::size_t size : sizes) {
                BOOST_TEST(many.asks_for_several(node));
                many.answer(node, all_raised(size));
            }
        BOOST_TEST(many.confirmed() == keys);
        BOOST_TEST(many.rests());
    }
}

BOOST_AUTO_TEST_CASE(each_has_the_answer_that_stands_in_its_place) {
    advance(4);
    const auto said = [](std::int64_t second) { return reply_of({a_fence, second, 0, a_fence + 3}); };
    answer(0, said(a_fence + 1));
    answer(1, said(a_fence + 1));
    BOOST_TEST(of[0].token == a_fence);
    BOOST_TEST(of[1].token == a_fence + 1);
    BOOST_TEST((of[2].decided == engine::outcome::gone));
    BOOST_TEST(of[3].token == a_fence + 3);
    answer(2, said(a_fence + 9));
    BOOST_TEST(rests());
}

BOOST_AUTO_TEST_CASE(a_node_that_came_out_lower_is_asked_once_more_alone) {
    advance(2);
    answer(0, reply_of({a_fence, a_fence}));
    answer(1, reply_of({a_fence, a_fence + 7}));
    BOOST_TEST((of[0].decided == engine::outcome::confirmed));
    BOOST_TEST(!of[1].decided.has_value());
    BOOST_TEST(asks_alone(0, 1));
    BOOST_TEST(asks(0, std::to_string(a_fence + 7)));
    answer(0, ":2000000000000007\r\n");
    BOOST_TEST(of[1].token == a_fence + 7);
    answer(2, all_raised(2));
    BOOST_TEST(rests());
}

BOOST_AUTO_TEST_CASE(all_are_to_reach_the_highest_of_their_proposals) {
    std::uint64_t first = 0, second = 0;
    turn([&] {
        advance_in_turn(0, key_of(0));
        first = quorum().propose_fence();
        quorum().fence_seen(a_fence);
        advance_in_turn(1, key_of(1));
        second = quorum().propose_fence();
    });
    BOOST_TEST(second > first);
    BOOST_TEST(asks(0, std::to_string(second)));
    BOOST_TEST(!asks(0, std::to_string(first)));
}

BOOST_AUTO_TEST_CASE(a_key_whose_command_would_fail_is_asked_for_alone_and_spoils_no_other) {
    advance(3);
    for (unsigned node = 0; node < 3; ++node)
        answer(node, reply_of({a_fence, -1, a_fence}));
    BOOST_TEST((of[0].decided == engine::outcome::confirmed && of[2].decided == engine::outcome::confirmed));
    for (unsigned node = 0; node < 3; ++node) {
        BOOST_TEST(asks_alone(node, 1));
        answer(node, "-WRONGTYPE Operation against a key holding the wrong kind of value\r\n");
    }
    BOOST_TEST((of[1].decided == engine::outcome::inconclusive));
    BOOST_TEST((of[1].why == errc::wrong_type));
    BOOST_TEST(rests());
    // The nodes take several as before.
    advance(2);
    BOOST_TEST(asks_for_several(0));
}

BOOST_AUTO_TEST_CASE(numbers_beyond_all_fences_fail_their_own_key) {
    const std::int64_t highest = std::int64_t{1} << 53;
    advance(5);
    for (unsigned node = 0; node < 2; ++node)
        answer(node, reply_of({highest, highest + 1, INT64_MAX, INT64_MIN, -2}));
    BOOST_TEST(of[0].token == static_cast<std::uint64_t>(highest));
    for (const std::size_t i : {1u, 2u}) {
        BOOST_TEST((of[i].decided == engine::outcome::inconclusive));
        BOOST_TEST((of[i].why == errc::protocol_error || of[i].why == errc::no_quorum));
    }
    for (const std::size_t i : {3u, 4u})
        BOOST_TEST((of[i].decided == engine::outcome::gone));
}

BOOST_AUTO_TEST_CASE(what_is_no_number_is_asked_for_alone) {
    advance(5);
    answer(0, "*5\r\n:2000000000000000\r\n$1\r\n1\r\n,17\r\n*1\r\n:17\r\n$-1\r\n");
    for (std::size_t i = 1; i < 5; ++i) {
        BOOST_TEST(asks_alone(0, i));
        answer(0, ":2000000000000000\r\n");
    }
    answer(1, all_raised(5));
    BOOST_TEST(confirmed() == 5u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace redlock::test
