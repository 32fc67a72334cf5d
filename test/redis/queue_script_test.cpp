// The queue of a node, on a real server.

#include "engines/redis/dialect/scripts.hpp"
#include "support/redis_connection.hpp"
#include "support/redis_server.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

using namespace redlock;
using namespace redlock::redis;

namespace {

/// Tokens of clients `a`, `b` and so on; their tickets are their order.
std::string token_of(char client, int ticket) {
    return std::string(8, client) + std::to_string(100'000'000 + ticket) + std::string(10, 'r');
}

struct queue_fixture {
    test::redis_server server;

    test::redis_answer run(std::vector<std::string> arguments) {
        std::vector<std::string> words{"EVAL", std::string(text_of(script::queue)), "2", "k",
                                       "k:redlock-queue"};
        words.insert(words.end(), arguments.begin(), arguments.end());
        return server.command(words);
    }
    test::redis_answer enter(char client, int ticket, std::string believed = "5000", bool again = false,
                             const std::string& ending = {}) {
        std::vector<std::string> words{
            token_of(client, ticket), std::to_string(ticket), "700", "12345", std::move(believed), "60000"};
        if (again || !ending.empty()) words.push_back(ending);
        if (again) words.push_back("1");
        return run(std::move(words));
    }
    std::int64_t leave(char client, int ticket, std::string row = "7") {
        return run({token_of(client, ticket), std::to_string(ticket), std::move(row)}).integer;
    }
    std::int64_t waiting() { return server.command({"ZCARD", "k:redlock-queue"}).integer; }
    std::string holder() { return server.get("k").value_or(""); }

    /// One that listens for its tokens.
    struct listener {
        listener(test::redis_server& at, char client)
            : connection(at.unix_uri().substr(7)) { // behind unix://
            connection.command({"SUBSCRIBE", "redlock:" + std::string(8, client)});
        }
        std::string hears() { return connection.message().elements.at(2).text; }
        test::redis_connection connection;
    };
    listener a{server, 'a'}, b{server, 'b'}, c{server, 'c'};
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(queue_of_a_node, queue_fixture)

BOOST_AUTO_TEST_CASE(a_free_key_goes_to_whoever_enters) {
    BOOST_TEST(enter('a', 1).elements.at(0).integer == 1);
    BOOST_TEST(holder() == token_of('a', 1));
    BOOST_TEST(waiting() == 0);
    BOOST_TEST(a.hears().starts_with("y|" + token_of('a', 1) + "|12345|0|0|||k"));
    // Again, it is prolonged.
    server.command({"PEXPIRE", "k", "10"});
    BOOST_TEST(enter('a', 1, "5000", true).elements.at(0).integer == 1);
    BOOST_TEST(server.pttl("k").count() > 10);
}

BOOST_AUTO_TEST_CASE(whoever_enters_hears_of_the_holder_and_the_holder_of_the_first) {
    enter('a', 1);
    a.hears();
    const test::redis_answer said = enter('b', 2);
    BOOST_TEST(said.elements.at(0).integer == 0);
    BOOST_TEST(said.elements.at(1).text == token_of('a', 1));
    BOOST_TEST(said.elements.at(2).integer > 0);
    BOOST_TEST(said.elements.at(3).integer == 0);
    BOOST_TEST(said.elements.at(4).integer == 1);
    BOOST_TEST(a.hears() == "w|" + token_of('a', 1) + "|" + token_of('b', 2) + "|k");
    BOOST_TEST(enter('c', 3).elements.at(3).integer == 1); // of whom the holder need not hear
    BOOST_TEST(leave('b', 2) == 0);
    BOOST_TEST(a.hears() == "w|" + token_of('a', 1) + "|" + token_of('c', 3) + "|k");
}

BOOST_AUTO_TEST_CASE(a_release_hands_the_key_to_the_first) {
    enter('a', 1);
    enter('c', 3);
    enter('b', 2);
    BOOST_TEST(leave('a', 1) == 2);
    BOOST_TEST(holder() == token_of('b', 2));
    BOOST_TEST(server.pttl("k").count() > 500);
    const std::string news = b.hears();
    BOOST_TEST(news.starts_with("y|" + token_of('b', 2) + "|12345|"));
    BOOST_TEST(news.ends_with("|7|" + token_of('c', 3) + "|" + token_of('a', 1) + "|k"));
    BOOST_TEST(leave('b', 2) == 2);
    BOOST_TEST(holder() == token_of('c', 3));
    BOOST_TEST(leave('c', 3) == 1);
    BOOST_TEST(server.key_count() == 0);
}

BOOST_AUTO_TEST_CASE(one_entry_stands_for_one_token) {
    enter('a', 1);
    for (int i = 0; i < 3; ++i)
        enter('b', 2, std::to_string(5000 + i), i > 0);
    enter('c', 2);
    BOOST_TEST(waiting() == 2);
    BOOST_TEST(leave('b', 2) == 0);
    BOOST_TEST(waiting() == 1);
    BOOST_TEST(holder() == token_of('a', 1));
    BOOST_TEST(leave('c', 2) == 0);
    BOOST_TEST(waiting() == 0);
}

BOOST_AUTO_TEST_CASE(entries_of_those_that_are_gone_or_silent_are_passed_over) {
    enter('a', 1);
    enter('d', 2);            // nobody listens
    enter('c', 3, "-600000"); // was to show itself long ago
    enter('b', 4);
    listener everything(server, 'x');
    everything.connection.command({"PSUBSCRIBE", "*"});
    BOOST_TEST(leave('a', 1) == 2);
    BOOST_TEST(holder() == token_of('b', 4));
}

BOOST_AUTO_TEST_CASE(after_a_long_row_the_key_is_free_and_the_first_is_told) {
    enter('a', 1);
    enter('d', 2); // nobody listens
    enter('b', 3);
    BOOST_TEST(leave('a', 1, "-") == 1);
    BOOST_TEST(holder() == "");
    BOOST_TEST(b.hears() == "f|" + token_of('b', 3) + "|k");
    BOOST_TEST(waiting() == 1);
    BOOST_TEST(enter('b', 3, "5000", true).elements.at(0).integer == 1);
    BOOST_TEST(holder() == token_of('b', 3));
    BOOST_TEST(waiting() == 0);
    BOOST_TEST(leave('b', 3, "-") == 1); // nobody waits
    BOOST_TEST(server.key_count() == 0);
}

BOOST_AUTO_TEST_CASE(what_is_known_of_strangers_goes_with_the_key) {
    enter('a', 1);
    enter('b', 2);
    BOOST_TEST(leave('a', 1, "7+2000+300+40+5") == 2);
    BOOST_TEST(b.hears().ends_with("|7+2000+300+40+5||" + token_of('a', 1) + "|k"));
}

BOOST_AUTO_TEST_CASE(for_strangers_it_stays_free_for_a_while_whoever_enters) {
    enter('a', 1);
    enter('b', 2);
    constexpr std::int64_t minute = 60'000'000;
    BOOST_TEST(leave('a', 1, "-60000000+4000+1+0+0") == 1);
    BOOST_TEST(b.hears() == "f|" + token_of('b', 2) + "|k");
    for (const auto& [who, ticket, ahead] : {std::tuple('b', 2, 0), std::tuple('c', 3, 1)}) {
        const test::redis_answer said = enter(who, ticket, "5000", who == 'b');
        BOOST_REQUIRE(said.elements.size() == 6u);
        BOOST_TEST(said.elements.at(0).integer == 0);
        BOOST_TEST(said.elements.at(1).text == "");
        BOOST_TEST((said.elements.at(2).integer > 0 && said.elements.at(2).integer <= minute));
        BOOST_TEST(said.elements.at(3).integer == ahead);
        BOOST_TEST(said.elements.at(5).text == "+4000+1+0+0");
        BOOST_TEST(holder() == "");
    }
    // A stranger comes through, and whoever enters then shuts it, with what is known of it.
    server.command({"SET", "k", "stranger", "NX", "PX", "60000"});
    const test::redis_answer held = enter('b', 2, "5001", true);
    BOOST_REQUIRE(held.elements.size() == 6u);
    BOOST_TEST(held.elements.at(1).text == "stranger");
    BOOST_TEST(held.elements.at(4).integer == 0);
    BOOST_TEST(held.elements.at(5).text == "+4000+1+0+0");
    BOOST_TEST(enter('c', 3, "5001", true).elements.size() == 5u);
    BOOST_TEST(waiting() == 2);
    server.command({"DEL", "k"});
    BOOST_TEST(enter('b', 2, "5002", true).elements.at(0).integer == 1);
    BOOST_TEST(holder() == token_of('b', 2));
}

BOOST_AUTO_TEST_CASE(behind_that_the_first_is_served_and_told_what_is_known) {
    enter('a', 1);
    enter('b', 2);
    BOOST_TEST(leave('a', 1, "-0+4000+1+0+0") == 1);
    b.hears();
    enter('c', 3);
    BOOST_TEST(holder() == token_of('b', 2));
    BOOST_TEST(b.hears().ends_with("|0+4000+1+0+0|" + token_of('c', 3) + "||k"));
    BOOST_TEST(waiting() == 1);
    BOOST_TEST(leave('b', 2) == 2);
    BOOST_TEST(c.hears().ends_with("|7||" + token_of('b', 2) + "|k"));
    BOOST_TEST(leave('c', 3) == 1);
    BOOST_TEST(server.key_count() == 0);
}

BOOST_AUTO_TEST_CASE(nobody_is_handed_what_is_his_already) {
    enter('a', 1);
    enter('b', 2);
    server.command({"SET", "k", token_of('b', 2)}); // as a repair does
    BOOST_TEST(leave('b', 2) == 1);
    BOOST_TEST(server.key_count() == 0);
}

BOOST_AUTO_TEST_CASE(whoever_gives_back_what_has_run_out_serves_the_next) {
    enter('a', 1);
    enter('b', 2);
    server.command({"DEL", "k"});
    BOOST_TEST(leave('a', 1) == 2);
    BOOST_TEST(holder() == token_of('b', 2));
}

BOOST_AUTO_TEST_CASE(a_key_is_handed_on_with_the_label_of_whoever_gets_it) {
    server.command({"SET", "k", token_of('a', 1)});
    enter('b', 2, "5000", false, "::one | of two");
    enter('c', 3);
    BOOST_TEST(leave('a', 1) == 2);
    BOOST_TEST(holder() == token_of('b', 2) + "::one | of two");
    BOOST_TEST(leave('b', 2) == 2);
    BOOST_TEST(holder() == token_of('c', 3));
    // Who shows itself again has one entry all the same.
    enter('b', 4, "5000", false, "::label");
    enter('b', 4, "5000", true, "::label");
    BOOST_TEST(waiting() == 1);
    BOOST_TEST(leave('c', 3) == 2);
    BOOST_TEST(holder() == token_of('b', 4) + "::label");
}

BOOST_AUTO_TEST_SUITE_END()
