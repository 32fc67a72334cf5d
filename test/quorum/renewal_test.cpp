#include "scripted_quorum.hpp"

#include <algorithm>

namespace redlock::test {
namespace {

/// Takes down what became of a renewal.
struct renewed final : engine::renewal_listener {
    void renewal_decided(engine::outcome how, core::instant sent, errc reason,
                         const engine::failure*) noexcept override {
        BOOST_TEST(!decided.has_value());
        decided = how;
        sent_at = sent;
        why = reason;
    }
    std::optional<engine::outcome> decided;
    core::instant sent_at{};
    errc why{};
};

long number_of(const std::string& answers, char c) { return std::ranges::count(answers, c); }

BOOST_AUTO_TEST_SUITE(renewal_suite)

// A node that failed may as well have the key: only a majority that says no means that it is gone.
BOOST_AUTO_TEST_CASE(what_nodes_say_decides_as_soon_as_it_is_certain) {
    for (const unsigned nodes : {1u, 3u, 4u, 5u})
        for (const std::string& answers : all_answers(nodes, "+-!?")) {
            scripted_quorum q(nodes);
            renewed listener;
            const core::instant sent = q.clock;
            engine::errand_pointer<> renewal;
            q.turn([&] { renewal = q.engine().renew(q.claim(), 1000ms, 0, listener); });
            q.clock += 7ms;
            q.answer_each(answers, ":1\r\n", ":0\r\n");
            const long yes = number_of(answers, '+');
            const long no = number_of(answers, '-');
            const long open = number_of(answers, '?');
            const long needed = nodes / 2 + 1;
            BOOST_TEST_CONTEXT(answers) {
                if (yes >= needed && no <= static_cast<long>(nodes) - needed) {
                    BOOST_TEST((listener.decided == engine::outcome::confirmed));
                    BOOST_TEST((listener.sent_at == sent));
                } else if (no > static_cast<long>(nodes) - needed) {
                    BOOST_TEST((listener.decided == engine::outcome::gone));
                } else if (open > 0) {
                    BOOST_TEST(!listener.decided.has_value());
                } else {
                    BOOST_TEST((listener.decided == engine::outcome::inconclusive));
                    BOOST_TEST((listener.why == errc::no_quorum));
                }
            }
        }
}

BOOST_AUTO_TEST_CASE(a_key_that_was_put_back_is_no_vote) {
    scripted_quorum q;
    renewed listener;
    engine::errand_pointer<> renewal;
    q.turn([&] { renewal = q.engine().renew(q.claim(), 1000ms, 0, listener); });
    q.answer_each("+--", ":1\r\n", ":2\r\n");
    BOOST_TEST((listener.decided == engine::outcome::gone));
    BOOST_TEST(q.quorum().counts().repairs == 2u);
}

BOOST_AUTO_TEST_CASE(a_server_that_does_not_know_the_script_is_given_it) {
    scripted_quorum q;
    renewed listener;
    engine::errand_pointer<> renewal;
    const auto renew = [&] {
        listener.decided.reset();
        q.turn([&] { renewal = q.engine().renew(q.claim(), 1000ms, 0, listener); });
    };
    renew();
    BOOST_TEST(q.nodes[0]->asked().find("EVAL\r\n") != std::string_view::npos);
    q.answer_each("+++", ":1\r\n", {});
    renew();
    BOOST_TEST(q.nodes[0]->asked().find("EVALSHA\r\n") != std::string_view::npos);
    q.answer_each("+--", ":1\r\n", "-NOSCRIPT No matching script.\r\n");
    BOOST_TEST(!listener.decided.has_value());
    BOOST_TEST(q.nodes[1]->asked().find("EVAL\r\n") != std::string_view::npos);
    q.answer_each("?+?", ":1\r\n", {});
    BOOST_TEST((listener.decided == engine::outcome::confirmed));
    // Nobody waits for it any more, so nothing more is asked.
    q.turn([&] { q.nodes[2]->answer("-NOSCRIPT No matching script.\r\n"); });
    BOOST_TEST(q.nodes[2]->asked().empty());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
