#include "engines/redis/dialect/joint_commands.hpp"
#include "engines/redis/dialect/scripts.hpp"
#include "scripted_quorum.hpp"
#include "unlocking.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace redlock::test {
namespace {

struct nobody final : engine::contest_listener {
    void others_have_it(const engine::claim&) noexcept override {}
    bool takes(engine::grant&&) noexcept override { return true; }
    void not_granted(errc, const engine::failure*) noexcept override {}
    void contest_over() noexcept override {}
};

struct joint_fixture : scripted_quorum {
    engine::claim_pointer claim_of(std::size_t i, bool fencing = false) {
        return engine().claim_key("", detail::key_text("key" + std::to_string(i)), fencing);
    }
    void release_in_turn(std::size_t i) {
        turn::outcome_waiters told;
        told.push_back(by[i]);
        engine().release(claim_of(i), clock + 1s, std::move(told));
    }
    void release(std::size_t count) {
        turn([&] {
            for (std::size_t i = 0; i < count; ++i)
                release_in_turn(i);
        });
    }
    void contend_in_turn(std::size_t i) {
        engine()
            .contend({.claim = claim_of(i),
                      .claimed_at = clock,
                      .life = 1s,
                      .ttl = 1s,
                      .renews = true,
                      .fencing = false,
                      .waits = false,
                      .wait_until = clock,
                      .not_before = core::instant::min()},
                     contender)
            .start();
    }
    bool asks(unsigned node, std::string_view what) const {
        return nodes[node]->asked().find(what) != std::string_view::npos;
    }
    bool asks_for_several(unsigned node) const {
        return asks(node, text_of(redis::script::release_several)) ||
               asks(node, hash_of(redis::script::release_several));
    }
    void answer_all(std::string_view reply) {
        for (const auto& node : nodes)
            turn([&] { node->answer(reply); });
    }
    bool all_end(std::size_t count, errc how) const {
        return std::all_of(by.begin(), by.begin() + static_cast<std::ptrdiff_t>(count),
                           [&](const unlocking& u) {
                               return u.outcome == (how == errc{} ? turn::success : make_error_code(how));
                           });
    }
    bool rests() {
        return quorum().quiet() && quorum().joint_releases().empty() && quorum().joint_renewals().empty() &&
               std::ranges::all_of(nodes, [](const auto& n) { return n->asked().empty(); });
    }

    std::array<unlocking, 2 * redis::joint_command::most_keys + 1> by;
    nobody contender;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(joint_release_suite, joint_fixture)

BOOST_AUTO_TEST_CASE(the_releases_of_a_turn_go_as_one_command) {
    release(5);
    for (unsigned node = 0; node < 3; ++node) {
        BOOST_TEST(asks_for_several(node));
        for (const char* key : {"key0", "key1", "key2", "key3", "key4"})
            BOOST_TEST(asks(node, key));
    }
    turn([&] { nodes[0]->answer("*0\r\n"); });
    BOOST_TEST(!by[0].outcome.has_value());
    turn([&] { nodes[1]->answer("*0\r\n"); });
    BOOST_TEST(all_end(5, errc{}));
    turn([&] { nodes[2]->answer("*0\r\n"); });
    BOOST_TEST(rests());
}

BOOST_AUTO_TEST_CASE(few_go_one_by_one_and_many_in_several_commands) {
    release(3);
    for (int i = 0; i < 3; ++i) {
        BOOST_TEST(!asks_for_several(0));
        answer_all(":1\r\n");
    }
    BOOST_TEST(all_end(3, errc{}));
    BOOST_TEST(rests());

    constexpr std::size_t most = redis::joint_release_command::most_keys;
    for (const auto& [keys, commands] :
         {std::pair(most, 1), std::pair(2 * most, 2), std::pair(2 * most + 1, 3)}) {
        joint_fixture many;
        many.release(keys);
        for (int i = 0; i < commands; ++i) {
            BOOST_TEST(many.asks_for_several(2));
            many.answer_all("*0\r\n");
        }
        BOOST_TEST(many.all_end(keys, errc{}));
        BOOST_TEST(many.rests());
    }
}

BOOST_AUTO_TEST_CASE(a_key_that_is_somebody_elses_by_now_is_told_from_the_others) {
    release(4);
    answer_all("*2\r\n:2\r\n:4\r\n");
    for (const std::size_t lost : {1u, 3u})
        BOOST_TEST((by[lost].outcome == make_error_code(errc::lease_lost)));
    for (const std::size_t ours : {0u, 2u})
        BOOST_TEST((by[ours].outcome == turn::success));
    BOOST_TEST(rests());
}

BOOST_AUTO_TEST_CASE(the_text_is_sent_where_the_hash_is_not_known) {
    release(4);
    BOOST_TEST(asks(0, "EVAL\r\n"));
    answer_all("*0\r\n");
    turn([&] {
        for (std::size_t i = 4; i < 8; ++i)
            release_in_turn(i);
    });
    BOOST_TEST(asks(1, "EVALSHA\r\n"));
    turn([&] { nodes[1]->answer("-NOSCRIPT No matching script.\r\n"); });
    BOOST_TEST(asks(1, "EVAL\r\n"));
    BOOST_TEST(asks(1, "key7"));
    answer_all("*0\r\n");
    BOOST_TEST(all_end(8, errc{}));
    BOOST_TEST(rests());
}

BOOST_AUTO_TEST_CASE(a_node_that_does_not_take_it_has_them_one_by_one_from_then_on) {
    for (const char* refusal : {"-NOPERM no permissions to run the 'mget' command\r\n", ":1\r\n",
                                "*1\r\n:5\r\n", "*1\r\n:0\r\n", "*5\r\n:1\r\n:2\r\n:3\r\n:4\r\n:1\r\n"}) {
        joint_fixture q;
        q.release(4);
        q.turn([&] { q.nodes[0]->answer(refusal); });
        for (int i = 0; i < 4; ++i) {
            BOOST_TEST(!q.asks_for_several(0));
            q.turn([&] { q.nodes[0]->answer(":1\r\n"); });
        }
        for (unsigned node : {1u, 2u})
            q.turn([&] { q.nodes[node]->answer("*0\r\n"); });
        BOOST_TEST(q.all_end(4, errc{}));
        BOOST_TEST(q.rests());
        q.turn([&] {
            for (std::size_t i = 4; i < 8; ++i)
                q.release_in_turn(i);
        });
        BOOST_TEST(!q.asks_for_several(0));
        BOOST_TEST(q.asks_for_several(1));
    }
}

BOOST_AUTO_TEST_CASE(what_a_node_may_not_have_heard_is_owed_to_it) {
    for (const bool loads : {false, true}) {
        joint_fixture q;
        q.release(4);
        for (unsigned node : {0u, 1u})
            q.turn([&] {
                if (loads) return q.nodes[node]->answer("-LOADING Redis is loading the dataset\r\n");
                q.nodes[node]->fail(errc::node_timeout);
            });
        q.turn([&] { q.nodes[2]->answer("*0\r\n"); });
        BOOST_TEST(q.all_end(4, errc::no_quorum));
        BOOST_TEST(q.rests());
        q.turn([&] { q.listener().on_node_ready(1, true); });
        BOOST_TEST(q.asks(1, "EVAL"));
    }
}

BOOST_AUTO_TEST_CASE(without_any_node_all_of_them_end_at_once) {
    for (const auto& node : nodes)
        node->health = node::health::unavailable;
    release(4);
    BOOST_TEST(all_end(4, errc::no_quorum));
    BOOST_TEST(rests());
}

BOOST_AUTO_TEST_CASE(who_asks_for_the_key_in_the_same_turn_does_so_behind_its_release) {
    turn([&] {
        for (std::size_t i = 0; i < 4; ++i)
            release_in_turn(i);
        contend_in_turn(9);
        contend_in_turn(2);
    });
    // That of another key did not have to wait.
    BOOST_TEST(asks(0, "key9"));
    turn([&] { nodes[0]->answer("$-1\r\n"); });
    BOOST_TEST(asks_for_several(0));
    turn([&] { nodes[0]->answer("*0\r\n"); });
    BOOST_TEST(asks(0, "key2"));
    BOOST_TEST(asks(0, "SET"));
}

BOOST_AUTO_TEST_CASE(a_key_of_256_bytes_is_not_long) {
    turn([&] {
        for (std::size_t i = 0; i < 3; ++i)
            release_in_turn(i);
        engine().release(engine().claim_key("", detail::key_text(std::string(256, 'k')), false), clock + 1s,
                         {});
    });
    BOOST_TEST(asks_for_several(0));
}

BOOST_AUTO_TEST_CASE(long_keys_and_values_that_may_have_changed_go_alone) {
    turn([&] {
        for (std::size_t i = 0; i < 3; ++i)
            release_in_turn(i);
        turn::outcome_waiters told;
        told.push_back(by[3]);
        engine().release(engine().claim_key("", detail::key_text(std::string(257, 'k')), false), clock + 1s,
                         std::move(told));
        told.push_back(by[4]);
        const engine::claim_pointer retold = claim_of(4, true);
        static_cast<const redis::claim&>(*retold).retold = true;
        engine().release(retold, clock + 1s, std::move(told));
    });
    for (int i = 0; i < 5; ++i) {
        BOOST_TEST(!asks_for_several(0));
        answer_all(":1\r\n");
    }
    BOOST_TEST(all_end(5, errc{}));
    BOOST_TEST(rests());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace redlock::test
