#include "engines/redis/dialect/joint_commands.hpp"
#include "engines/redis/dialect/scripts.hpp"
#include "scripted_quorum.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

namespace redlock::test {
namespace {

/// One who asks once to read a key, and gives it back at once when he may.
struct one_time_reader final : engine::contest_listener {
    void others_have_it(const engine::claim&) noexcept override {}
    bool takes(engine::grant&&) noexcept override {
        granted = true;
        return true;
    }
    void not_granted(errc e, const engine::failure*) noexcept override { why = e; }
    void contest_over() noexcept override { over = true; }

    engine::contest* asks = nullptr;
    bool granted = false;
    bool over = false;
    std::optional<errc> why;
};

struct joint_reads_fixture : scripted_quorum {
    void read_in_turn(std::size_t i, std::chrono::milliseconds ttl = std::chrono::milliseconds(1000),
                      mode how = mode::read) {
        of[i] = {};
        engine::key_name name(detail::key_text("book" + std::to_string(i) + "."), how);
        of[i].asks = &engine().contend({.claim = engine().claim_key("", std::move(name), false),
                                        .claimed_at = clock,
                                        .life = ttl,
                                        .ttl = ttl,
                                        .renews = true,
                                        .fencing = false,
                                        .waits = false,
                                        .wait_until = clock,
                                        .not_before = core::instant::min()},
                                       of[i]);
        of[i].asks->start();
    }
    void read(std::size_t count) {
        turn([&] {
            for (std::size_t i = 0; i < count; ++i)
                read_in_turn(i);
        });
    }
    bool asks(unsigned node, std::string_view what) const {
        return nodes[node]->asked().find(what) != std::string_view::npos;
    }
    bool asks_for_several(unsigned node) const {
        return asks(node, text_of(redis::script::read_several)) ||
               asks(node, hash_of(redis::script::read_several));
    }
    void answer_all(std::string_view reply) {
        for (const auto& node : nodes)
            turn([&] { node->answer(reply); });
    }
    long granted() const { return std::ranges::count(of, true, &one_time_reader::granted); }
    bool rests() {
        return quorum().joint_reads().empty() && quorum().stragglers().empty() &&
               std::ranges::all_of(nodes, [](const auto& n) { return n->asked().empty(); });
    }

    std::array<one_time_reader, 2 * redis::joint_command::most_keys + 1> of;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(joint_read_suite, joint_reads_fixture)

BOOST_AUTO_TEST_CASE(those_who_want_to_read_in_one_turn_go_as_one_command) {
    read(5);
    for (unsigned node = 0; node < 3; ++node) {
        BOOST_TEST(asks_for_several(node));
        for (const char* key : {"book0.", "book4.", "book0.:redlock-readers", "book4.:redlock-readers"})
            BOOST_TEST(asks(node, key));
        BOOST_TEST(asks(node, "$4\r\n1000\r\n"));
    }
    turn([&] { nodes[0]->answer("*0\r\n"); });
    BOOST_TEST(granted() == 0);
    turn([&] { nodes[1]->answer("*0\r\n"); });
    BOOST_TEST(granted() == 5);
    turn([&] { nodes[2]->answer("*0\r\n"); });
    BOOST_TEST(rests());
}

BOOST_AUTO_TEST_CASE(each_has_its_share_of_the_answers) {
    const std::string third = "*1\r\n*4\r\n:0\r\n:777\r\n$3\r\nher\r\n:3\r\n";
    read(4);
    turn([&] { nodes[0]->answer(third); });
    turn([&] { nodes[1]->answer(third); });
    BOOST_TEST(granted() == 3);
    BOOST_TEST(!of[2].granted);
    BOOST_TEST((of[2].why == errc::held));
    turn([&] { nodes[2]->answer("*0\r\n"); });
    // What came too late is given back.
    BOOST_TEST(asks(2, "ZREM"));
    BOOST_TEST(asks(2, "book2."));
    turn([&] { nodes[2]->answer(":1\r\n"); });
    BOOST_TEST(rests());
}

BOOST_AUTO_TEST_CASE(few_writers_and_readers_for_another_time_do_not_share_a_command) {
    turn([&] {
        for (std::size_t i = 0; i < 3; ++i)
            read_in_turn(i);
        for (std::size_t i = 3; i < 6; ++i)
            read_in_turn(i, std::chrono::milliseconds(2000));
        for (std::size_t i = 6; i < 9; ++i)
            read_in_turn(i, std::chrono::milliseconds(1000), mode::exclusive);
    });
    for (int i = 0; i < 9; ++i) {
        BOOST_TEST(!asks_for_several(0));
        const bool reads = asks(0, ":redlock-readers");
        answer_all(reads ? "*1\r\n:1\r\n" : "$-1\r\n");
    }
    BOOST_TEST(granted() == 9);
    BOOST_TEST(rests());
}

BOOST_AUTO_TEST_CASE(a_node_that_does_not_take_it_has_them_one_by_one_from_then_on) {
    for (const char* refusal : {"-NOPERM no permissions to run the 'exists' command\r\n", ":1\r\n",
                                "*1\r\n:5\r\n", "*1\r\n*4\r\n:0\r\n:1\r\n$1\r\na\r\n:5\r\n", "*1\r\n*0\r\n",
                                "*1\r\n*4\r\n:0\r\n:1\r\n$1\r\na\r\n:0\r\n"}) {
        joint_reads_fixture q;
        q.read(4);
        q.turn([&] { q.nodes[0]->answer(refusal); });
        for (int i = 0; i < 4; ++i) {
            BOOST_TEST(!q.asks_for_several(0));
            q.turn([&] { q.nodes[0]->answer("*1\r\n:1\r\n"); });
        }
        q.turn([&] { q.nodes[1]->answer("*0\r\n"); });
        BOOST_TEST(q.granted() == 4);
        q.turn([&] { q.nodes[2]->answer("*0\r\n"); });
        BOOST_TEST(q.rests());
        q.read(4);
        BOOST_TEST(!q.asks_for_several(0));
        BOOST_TEST(q.asks_for_several(1));
    }
}

BOOST_AUTO_TEST_CASE(who_does_not_want_it_any_more_is_not_asked_for_again) {
    read(4);
    answer_all("*0\r\n");
    read(4);
    turn([&] { of[1].asks->cancel(errc::closed); });
    turn([&] { nodes[2]->answer("-NOSCRIPT No matching script.\r\n"); });
    for (const char* key : {"book1.", "book0.", "book2.", "book3."}) {
        BOOST_TEST(asks(2, key));
        // The first of them gives back what may be on its way.
        turn([&] { nodes[2]->answer(key[4] == '1' ? ":0\r\n" : "*1\r\n:1\r\n"); });
    }
    for (unsigned node : {0u, 1u})
        turn([&] { nodes[node]->answer("*0\r\n"); });
    BOOST_TEST(granted() == 3);
    for (unsigned node : {0u, 1u})
        turn([&] { nodes[node]->answer(":1\r\n"); });
    BOOST_TEST(rests());
}

BOOST_AUTO_TEST_CASE(who_goes_in_the_turn_in_which_he_came_asks_nobody) {
    turn([&] {
        for (std::size_t i = 0; i < 5; ++i)
            read_in_turn(i);
        of[2].asks->cancel(errc::closed);
    });
    BOOST_TEST(asks_for_several(0));
    BOOST_TEST(!asks(0, "book2."));
    answer_all("*0\r\n");
    BOOST_TEST(granted() == 4);
    BOOST_TEST((of[2].over && !of[2].granted));
    BOOST_TEST(rests());
}

BOOST_AUTO_TEST_CASE(without_any_node_all_of_them_end_at_once) {
    for (const auto& node : nodes)
        node->health = node::health::unavailable;
    read(4);
    for (std::size_t i = 0; i < 4; ++i)
        BOOST_TEST((of[i].why == errc::no_quorum));
    BOOST_TEST(rests());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace redlock::test
