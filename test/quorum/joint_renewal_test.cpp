#include "engines/redis/dialect/joint_commands.hpp"
#include "engines/redis/dialect/scripts.hpp"
#include "scripted_quorum.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

namespace redlock::test {
namespace {

struct joint_renewal final : engine::renewal_listener {
    void renewal_decided(engine::outcome how, core::instant, errc, const engine::failure*) noexcept override {
        BOOST_TEST(!decided.has_value());
        decided = how;
    }
    std::optional<engine::outcome> decided;
    engine::claim_pointer claim;
    engine::errand_pointer<> under_way;
};

struct joint_renewals_fixture : scripted_quorum {
    void renew_in_turn(std::size_t i, std::chrono::milliseconds life = std::chrono::milliseconds(1000),
                       bool fencing = false) {
        of[i].decided.reset();
        if (!of[i].claim)
            of[i].claim =
                engine().claim_key("", detail::key_text("lease" + std::to_string(i) + "."), fencing);
        of[i].under_way = engine().renew(of[i].claim, life, 0, of[i]);
    }
    void renew(std::size_t count) {
        turn([&] {
            for (std::size_t i = 0; i < count; ++i)
                renew_in_turn(i);
        });
    }
    bool asks(unsigned node, std::string_view what) const {
        return nodes[node]->asked().find(what) != std::string_view::npos;
    }
    bool renews_several(unsigned node) const {
        return asks(node, text_of(redis::script::extend_several)) ||
               asks(node, hash_of(redis::script::extend_several));
    }
    void answer_all(std::string_view reply) {
        for (const auto& node : nodes)
            turn([&] { node->answer(reply); });
    }
    bool all_end(std::size_t count, engine::outcome how) const {
        return std::all_of(of.begin(), of.begin() + static_cast<std::ptrdiff_t>(count),
                           [&](const joint_renewal& r) { return r.decided == how; });
    }
    bool rests() {
        for (joint_renewal& each : of)
            each.under_way.reset();
        return quorum().joint_renewals().empty() && quorum().stragglers().empty() &&
               std::ranges::all_of(nodes, [](const auto& n) { return n->asked().empty(); });
    }

    std::array<joint_renewal, 2 * redis::joint_command::most_keys + 1> of;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(joint_renewal_suite, joint_renewals_fixture)

BOOST_AUTO_TEST_CASE(the_renewals_of_a_turn_go_as_one_command) {
    renew(5);
    for (unsigned node = 0; node < 3; ++node) {
        BOOST_TEST(renews_several(node));
        for (const char* key : {"lease0.", "lease1.", "lease2.", "lease3.", "lease4."})
            BOOST_TEST(asks(node, key));
        BOOST_TEST(asks(node, "$4\r\n1000\r\n"));
    }
    turn([&] { nodes[0]->answer("*0\r\n"); });
    BOOST_TEST(!of[0].decided.has_value());
    turn([&] { nodes[1]->answer("*0\r\n"); });
    BOOST_TEST(all_end(5, engine::outcome::confirmed));
    turn([&] { nodes[2]->answer("*0\r\n"); });
    BOOST_TEST(rests());
}

BOOST_AUTO_TEST_CASE(each_has_its_share_of_the_answers) {
    renew(4);
    turn([&] { nodes[0]->answer("*2\r\n:2\r\n:-3\r\n"); });
    turn([&] { nodes[1]->answer("*2\r\n:-3\r\n:2\r\n"); });
    BOOST_TEST((of[0].decided == engine::outcome::confirmed));
    BOOST_TEST((of[1].decided == engine::outcome::gone));
    // What was put back is no vote.
    BOOST_TEST((of[2].decided == engine::outcome::gone));
    BOOST_TEST((of[3].decided == engine::outcome::confirmed));
    BOOST_TEST(quorum().counts().repairs == 2u);
    turn([&] { nodes[2]->answer("*0\r\n"); });
    BOOST_TEST(rests());
}

BOOST_AUTO_TEST_CASE(few_go_one_by_one_and_many_in_several_commands) {
    renew(3);
    for (int i = 0; i < 3; ++i) {
        BOOST_TEST(!renews_several(0));
        answer_all(":1\r\n");
    }
    BOOST_TEST(all_end(3, engine::outcome::confirmed));
    constexpr std::size_t most = redis::joint_command::most_keys;
    for (const auto& [keys, commands] :
         {std::pair(most, 1), std::pair(2 * most, 2), std::pair(2 * most + 1, 3)}) {
        joint_renewals_fixture many;
        many.renew(keys);
        for (int i = 0; i < commands; ++i) {
            BOOST_TEST(many.renews_several(2));
            many.answer_all("*0\r\n");
        }
        BOOST_TEST(many.all_end(keys, engine::outcome::confirmed));
        BOOST_TEST(many.rests());
    }
}

BOOST_AUTO_TEST_CASE(keys_of_different_lives_and_those_with_fences_do_not_share_a_command) {
    turn([&] {
        for (std::size_t i = 0; i < 8; ++i)
            renew_in_turn(i, std::chrono::milliseconds(i % 2 == 0 ? 1000 : 2000));
        renew_in_turn(8, std::chrono::milliseconds(1000), true);
    });
    BOOST_TEST(asks(0, "lease8."));
    BOOST_TEST(!renews_several(0));
    answer_all(":1\r\n");
    for (const char* life : {"$4\r\n1000\r\n", "$4\r\n2000\r\n"}) {
        BOOST_TEST(renews_several(0));
        BOOST_TEST(asks(0, life));
        answer_all("*0\r\n");
    }
    BOOST_TEST(all_end(9, engine::outcome::confirmed));
    BOOST_TEST(rests());
}

BOOST_AUTO_TEST_CASE(a_node_that_does_not_take_it_has_them_one_by_one_from_then_on) {
    for (const char* refusal :
         {"-NOPERM no permissions to run the 'mget' command\r\n", ":1\r\n", "*1\r\n:5\r\n", "*1\r\n:0\r\n",
          "*1\r\n:-5\r\n", "*1\r\n:-9223372036854775808\r\n", "*5\r\n:1\r\n:2\r\n:3\r\n:4\r\n:1\r\n"}) {
        joint_renewals_fixture q;
        q.renew(4);
        q.turn([&] { q.nodes[0]->answer(refusal); });
        for (int i = 0; i < 4; ++i) {
            BOOST_TEST(!q.renews_several(0));
            q.turn([&] { q.nodes[0]->answer(":1\r\n"); });
        }
        q.turn([&] { q.nodes[1]->answer("*0\r\n"); });
        BOOST_TEST(q.all_end(4, engine::outcome::confirmed));
        q.turn([&] { q.nodes[2]->answer("*0\r\n"); });
        BOOST_TEST(q.rests());
        q.renew(4);
        BOOST_TEST(!q.renews_several(0));
        BOOST_TEST(q.renews_several(1));
    }
}

BOOST_AUTO_TEST_CASE(a_node_that_is_late_or_loads_fails_for_all_of_them) {
    for (const bool loads : {false, true}) {
        joint_renewals_fixture q;
        q.renew(4);
        for (unsigned node : {0u, 1u})
            q.turn([&] {
                if (loads) return q.nodes[node]->answer("-LOADING Redis is loading the dataset\r\n");
                q.nodes[node]->fail(errc::node_timeout);
            });
        q.turn([&] { q.nodes[2]->answer("*0\r\n"); });
        BOOST_TEST(q.all_end(4, engine::outcome::inconclusive));
        BOOST_TEST(q.rests());
    }
}

// A key that was released meanwhile would be put back.
BOOST_AUTO_TEST_CASE(what_nobody_waits_for_any_more_is_not_sent_again) {
    renew(4);
    answer_all("*0\r\n");
    renew(4);
    for (unsigned node : {0u, 1u})
        turn([&] { nodes[node]->answer("*0\r\n"); });
    turn([&] { of[1].under_way.reset(); });
    turn([&] { nodes[2]->answer("-NOSCRIPT No matching script.\r\n"); });
    BOOST_TEST(rests());
    renew(4);
    turn([&] { of[1].under_way.reset(); });
    turn([&] { nodes[2]->answer("-NOSCRIPT No matching script.\r\n"); });
    for (const char* key : {"lease0.", "lease2.", "lease3."}) {
        BOOST_TEST(asks(2, key));
        turn([&] { nodes[2]->answer(":1\r\n"); });
    }
    for (unsigned node : {0u, 1u})
        turn([&] { nodes[node]->answer("*0\r\n"); });
    BOOST_TEST(rests());
}

BOOST_AUTO_TEST_CASE(what_is_let_go_of_in_the_same_turn_is_not_sent) {
    turn([&] {
        for (std::size_t i = 0; i < 6; ++i)
            renew_in_turn(i);
        of[2].under_way.reset();
        of[5].under_way.reset();
    });
    BOOST_TEST(renews_several(0));
    for (const char* key : {"lease2.", "lease5."})
        BOOST_TEST(!asks(0, key));
    answer_all("*0\r\n");
    for (std::size_t i : {0u, 1u, 3u, 4u})
        BOOST_TEST((of[i].decided == engine::outcome::confirmed));
    BOOST_TEST((!of[2].decided && !of[5].decided));
    BOOST_TEST(rests());
}

BOOST_AUTO_TEST_CASE(a_release_in_the_same_turn_follows_the_renewal) {
    turn([&] {
        for (std::size_t i = 0; i < 4; ++i)
            renew_in_turn(i);
        static_cast<const redis::claim&>(*of[3].claim).retold = true; // so that it is not put off
        engine().release(of[3].claim, clock + std::chrono::seconds(1), {});
    });
    BOOST_TEST(renews_several(0));
    answer_all("*0\r\n");
    BOOST_TEST(!renews_several(0));
    BOOST_TEST(asks(0, "lease3."));
    answer_all(":1\r\n");
    BOOST_TEST(rests());
}

BOOST_AUTO_TEST_CASE(without_any_node_all_of_them_end_at_once) {
    for (const auto& node : nodes)
        node->health = node::health::unavailable;
    renew(4);
    BOOST_TEST(all_end(4, engine::outcome::inconclusive));
    BOOST_TEST(rests());
}

BOOST_AUTO_TEST_CASE(a_client_that_is_gone_leaves_nothing) {
    renew(4);
    for (auto& r : of)
        r.under_way.reset();
    quorum().abandon();
    BOOST_TEST(quorum().joint_renewals().empty());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace redlock::test
