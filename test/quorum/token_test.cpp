#include "scripted_quorum.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace redlock::test {
namespace {

/// Takes down what became of asking for another token.
struct token_taker final : engine::token_listener {
    void token_decided(engine::outcome how, std::uint64_t fencing_token, errc reason,
                       const engine::failure* more) noexcept override {
        BOOST_TEST(!decided.has_value());
        decided = how;
        token = fencing_token;
        why = reason;
        if (more) text = more->describe("granted the lock \"k\"");
    }
    std::optional<engine::outcome> decided;
    std::uint64_t token = 0;
    errc why{};
    std::string text;
};

/// Nothing while more answers are needed.
std::optional<engine::outcome> outcome_of(const std::string& answers) {
    const std::size_t needed = answers.size() / 2 + 1;
    std::size_t yes = 0, no = 0, failed = 0;
    for (const char c : answers) {
        yes += c == '+';
        no += c == '-';
        failed += c == '!';
        if (yes >= needed) return engine::outcome::confirmed;
        if (failed > answers.size() - needed) return engine::outcome::inconclusive;
        if (no + failed > answers.size() - needed) return engine::outcome::gone;
    }
    return std::nullopt;
}

BOOST_AUTO_TEST_SUITE(token_suite)

// Of a lease that is handed on: with it the key is ours already.
BOOST_AUTO_TEST_CASE(a_majority_that_holds_the_key_agrees_on_the_next_token_or_says_that_it_is_gone) {
    constexpr std::uint64_t fence = 2'000'000'000'000'000;
    for (const unsigned nodes : {1u, 3u, 5u})
        for (const std::string& answers : all_answers(nodes, "+-!?")) {
            scripted_quorum q(nodes);
            token_taker listener;
            engine::errand_pointer<> errand;
            q.turn([&] { errand = q.engine().advance_token(q.claim(true), listener); });
            q.answer_each(answers, ":" + std::to_string(fence) + "\r\n", ":0\r\n");
            const std::optional<engine::outcome> expected = outcome_of(answers);
            BOOST_TEST_CONTEXT(answers) {
                BOOST_TEST((listener.decided == expected));
                if (expected == engine::outcome::confirmed) {
                    BOOST_TEST(listener.token == fence);
                    BOOST_TEST(q.quorum().propose_fence() >= fence);
                } else if (expected == engine::outcome::inconclusive) {
                    BOOST_TEST((listener.why == errc::no_quorum));
                    BOOST_TEST(listener.text.find("agreed on a fencing token for") != listener.text.npos);
                }
            }
        }
}

BOOST_AUTO_TEST_CASE(what_comes_after_the_token_was_agreed_on_changes_nothing_and_asks_for_nothing) {
    scripted_quorum q;
    token_taker listener;
    engine::errand_pointer<> errand;
    q.turn([&] { errand = q.engine().advance_token(q.claim(true), listener); });
    q.answer_each("++?", ":2000000000000000\r\n", {});
    BOOST_TEST(listener.token == 2'000'000'000'000'000u);
    q.turn([&] { q.nodes[2]->answer(":2000000000000009\r\n"); });
    for (const auto& node : q.nodes)
        BOOST_TEST(node->asked().empty());
    BOOST_TEST(q.quorum().propose_fence() >= 2'000'000'000'000'009u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
