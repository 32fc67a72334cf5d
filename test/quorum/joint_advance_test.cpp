// New fencing tokens that are asked for in one turn go to the nodes as one command.

#include "engines/redis/dialect/joint_commands.hpp"
#include "engines/redis/dialect/scripts.hpp"
#include "engines/redis/quorum/claim.hpp"
#include "scripted_quorum.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace redlock::test {
namespace {

constexpr std::uint64_t fence = 2'000'000'000'000'000;

/// Asks for another token of a key that is ours.
struct one_token final : engine::token_listener {
    void token_decided(engine::outcome how, std::uint64_t fencing_token, errc reason,
                       const engine::failure*) noexcept override {
        BOOST_TEST(!decided.has_value());
        decided = how;
        token = fencing_token;
        why = reason;
    }
    std::optional<engine::outcome> decided;
    std::uint64_t token = 0;
    errc why{};
    engine::claim_pointer claim;
    engine::errand_pointer<> errand;
};

struct joint_advances_fixture : scripted_quorum {
    static std::string key_of(std::size_t i) { return "key" + std::to_string(i) + "."; }
    void advance_in_turn(std::size_t i, std::string key, mode how = mode::exclusive) {
        of[i] = {};
        of[i].claim = engine().claim_key("", engine::key_name(detail::key_text(key), how), true);
        of[i].errand = engine().advance_token(of[i].claim, of[i]);
    }
    void advance(std::size_t count) {
        turn([&] {
            for (std::size_t i = 0; i < count; ++i)
                advance_in_turn(i, key_of(i));
        });
    }
    bool asks(unsigned node, std::string_view what) const {
        return nodes[node]->asked().find(what) != std::string_view::npos;
    }
    bool asks_for_several(unsigned node) const {
        return asks(node, text_of(redis::script::advance_several)) ||
               asks(node, hash_of(redis::script::advance_several));
    }
    bool asks_alone(unsigned node, std::size_t i) const {
        return (asks(node, text_of(redis::script::advance_fence)) ||
                asks(node, hash_of(redis::script::advance_fence))) &&
               asks(node, key_of(i) + ":redlock-fence");
    }
    void answer(unsigned node, std::string_view reply) {
        turn([&] { nodes[node]->answer(reply); });
    }
    static std::string reply_of(std::initializer_list<std::int64_t> numbers) {
        std::string text = "*" + std::to_string(numbers.size()) + "\r\n";
        for (const std::int64_t n : numbers)
            text += ":" + std::to_string(n) + "\r\n";
        return text;
    }
    static std::string all_raised(std::size_t count, std::uint64_t to = fence) {
        std::string text = "*" + std::to_string(count) + "\r\n";
        for (std::size_t i = 0; i < count; ++i)
            text += ":" + std::to_string(to) + "\r\n";
        return text;
    }
    std::size_t confirmed() const {
        return static_cast<std::size_t>(std::ranges::count_if(
            of, [](const one_token& t) { return t.decided == engine::outcome::confirmed; }));
    }
    bool rests() {
        return quorum().joint_advances().empty() &&
               std::ranges::all_of(nodes, [](const auto& n) { return n->asked().empty(); });
    }

    std::array<one_token, 2 * redis::joint_command::most_keys + 1> of;
};

} // namespace

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
        BOOST_TEST(of[i].token == fence);
    answer(2, all_raised(5));
    BOOST_TEST(rests());
    BOOST_TEST(quorum().propose_fence() >= fence);
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
    const auto said = [](std::int64_t second) { return reply_of({fence, second, 0, fence + 3}); };
    answer(0, said(fence + 1));
    answer(1, said(fence + 1));
    BOOST_TEST(of[0].token == fence);
    BOOST_TEST(of[1].token == fence + 1);
    BOOST_TEST((of[2].decided == engine::outcome::gone));
    BOOST_TEST(of[3].token == fence + 3);
    answer(2, said(fence + 9));
    BOOST_TEST(rests());
}

BOOST_AUTO_TEST_CASE(a_node_that_came_out_lower_is_asked_once_more_alone) {
    advance(2);
    answer(0, reply_of({fence, fence}));
    answer(1, reply_of({fence, fence + 7}));
    BOOST_TEST((of[0].decided == engine::outcome::confirmed));
    BOOST_TEST(!of[1].decided.has_value());
    BOOST_TEST(asks_alone(0, 1));
    BOOST_TEST(asks(0, std::to_string(fence + 7)));
    answer(0, ":2000000000000007\r\n");
    BOOST_TEST(of[1].token == fence + 7);
    answer(2, all_raised(2));
    BOOST_TEST(rests());
}

BOOST_AUTO_TEST_CASE(all_are_to_reach_the_highest_of_their_proposals) {
    std::uint64_t first = 0, second = 0;
    turn([&] {
        advance_in_turn(0, key_of(0));
        first = quorum().propose_fence();
        quorum().fence_seen(fence);
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
        answer(node, reply_of({fence, -1, fence}));
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

BOOST_AUTO_TEST_CASE(where_the_hash_is_not_known_they_go_one_by_one_and_by_the_text_the_next_time) {
    advance(3);
    for (unsigned node = 0; node < 3; ++node) {
        BOOST_TEST(asks(node, "EVAL\r\n"));
        answer(node, all_raised(3));
    }
    advance(3);
    BOOST_TEST(asks(1, "EVALSHA\r\n"));
    answer(1, "-NOSCRIPT No matching script.\r\n");
    for (std::size_t i = 0; i < 3; ++i) {
        BOOST_TEST(asks_alone(1, i));
        answer(1, ":2000000000000000\r\n");
    }
    answer(0, all_raised(3));
    BOOST_TEST(confirmed() == 3u);
    answer(2, all_raised(3));
    advance(3);
    BOOST_TEST(asks_for_several(1));
    BOOST_TEST(asks(1, "EVAL\r\n"));
}

BOOST_AUTO_TEST_CASE(a_node_that_does_not_take_it_has_them_one_by_one_from_then_on) {
    for (const char* refusal :
         {"-NOPERM no permissions to run the 'mget' command\r\n", "-ERR unknown command 'EVAL'\r\n",
          ":2000000000000000\r\n", "$-1\r\n", "*0\r\n", "*2\r\n:1\r\n:1\r\n",
          "*4\r\n:1\r\n:1\r\n:1\r\n:1\r\n", "*33\r\n"}) {
        joint_advances_fixture q;
        std::string text = refusal;
        if (text == "*33\r\n")
            for (int i = 0; i < 33; ++i)
                text += ":1\r\n";
        q.advance(3);
        q.answer(0, text);
        for (std::size_t i = 0; i < 3; ++i) {
            BOOST_TEST(q.asks_alone(0, i));
            q.answer(0, ":2000000000000000\r\n");
        }
        BOOST_TEST(q.confirmed() == 0u);
        q.answer(1, all_raised(3));
        BOOST_TEST(q.confirmed() == 3u);
        q.answer(2, all_raised(3));
        BOOST_TEST(q.rests());
        q.advance(3);
        BOOST_TEST(!q.asks_for_several(0));
        BOOST_TEST(q.asks_for_several(1));
    }
}

BOOST_AUTO_TEST_CASE(an_answer_that_is_lost_or_refused_for_the_moment_is_that_of_a_node_that_fails) {
    for (const bool loads : {false, true}) {
        joint_advances_fixture q;
        q.advance(3);
        for (unsigned node : {0u, 1u})
            q.turn([&] {
                if (loads) return q.nodes[node]->answer("-LOADING Redis is loading the dataset\r\n");
                q.nodes[node]->fail(errc::node_timeout);
            });
        for (std::size_t i = 0; i < 3; ++i)
            BOOST_TEST((q.of[i].decided == engine::outcome::inconclusive));
        q.answer(2, all_raised(3));
        BOOST_TEST(q.rests());
        q.advance(3);
        BOOST_TEST(q.asks_for_several(0));
    }
}

BOOST_AUTO_TEST_CASE(without_any_node_all_of_them_end_at_once) {
    for (const auto& node : nodes)
        node->health = node::health::unavailable;
    advance(3);
    for (std::size_t i = 0; i < 3; ++i)
        BOOST_TEST((of[i].decided == engine::outcome::inconclusive));
    BOOST_TEST(rests());
}

BOOST_AUTO_TEST_CASE(who_is_let_go_of_is_not_asked_for_and_not_sent_again) {
    turn([&] {
        for (std::size_t i = 0; i < 4; ++i)
            advance_in_turn(i, key_of(i));
        of[1].errand.reset();
    });
    BOOST_TEST(asks_for_several(0));
    BOOST_TEST(!asks(0, key_of(1)));
    for (unsigned node = 0; node < 3; ++node)
        answer(node, all_raised(3));
    BOOST_TEST(confirmed() == 3u);
    advance(3);
    turn([&] { of[1].errand.reset(); });
    answer(0, "-NOSCRIPT No matching script.\r\n");
    for (const std::size_t i : {0u, 2u}) {
        BOOST_TEST(asks_alone(0, i));
        answer(0, ":2000000000000000\r\n");
    }
    for (unsigned node : {1u, 2u})
        answer(node, all_raised(3));
    BOOST_TEST(!of[1].decided.has_value());
    BOOST_TEST(rests());
}

BOOST_AUTO_TEST_CASE(a_release_in_the_same_turn_comes_behind_it_and_knows_that_the_value_may_have_changed) {
    turn([&] {
        for (std::size_t i = 0; i < 3; ++i)
            advance_in_turn(i, key_of(i));
        engine().release(of[1].claim, clock + 1s, {});
    });
    BOOST_TEST(asks_for_several(0));
    answer(0, all_raised(3));
    BOOST_TEST(asks(0, text_of(redis::script::release_retold)));
    BOOST_TEST(asks(0, key_of(1)));
}

BOOST_AUTO_TEST_CASE(readers_and_long_keys_go_alone) {
    turn([&] {
        advance_in_turn(0, "book", mode::read);
        advance_in_turn(1, std::string(257, 'k'));
        advance_in_turn(2, std::string(256, 'k'));
    });
    for (int i = 0; i < 3; ++i) {
        BOOST_TEST(!asks_for_several(0));
        answer(0, ":2000000000000000\r\n");
    }
    turn([&] {
        advance_in_turn(1, key_of(1));
        advance_in_turn(2, std::string(256, 'k'));
    });
    while (!nodes[1]->asked().empty() && !asks_for_several(1))
        answer(1, ":2000000000000000\r\n");
    BOOST_TEST(asks_for_several(1));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace redlock::test
