// What stands in the value of a key, and in which order callers stand.

#include "core/lock_token.hpp"
#include "core/queue/ticket_clock.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>

using namespace redlock;
using namespace redlock::core;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(tokens_of_locks)

BOOST_AUTO_TEST_CASE(a_token_is_the_client_the_ticket_and_what_is_random) {
    const client_name client(0x1234'5678'9abcu);
    const lock_token token(client, 1'700'000'000'123'456u, ~std::uint64_t{0});
    BOOST_TEST(token.text().size() == 27U);
    BOOST_TEST(token.text().starts_with(client.text()));
    BOOST_TEST(token.text().ends_with("zzzzzzzzzz"));
    const auto read = read_token(token.text());
    BOOST_REQUIRE(read.has_value());
    BOOST_TEST(read->token == token.text());
    BOOST_TEST(read->client == client.text());
    BOOST_TEST(read->ticket == 1'700'000'000'123'456u);
}

BOOST_AUTO_TEST_CASE(tokens_of_a_client_stand_in_the_order_of_their_tickets) {
    const client_name client(7);
    std::string before;
    for (std::uint64_t ticket = 1; ticket <= lock_token::highest_ticket; ticket *= 2)
        for (const std::uint64_t t : {ticket, ticket + 1}) {
            if (t > lock_token::highest_ticket) break;
            const std::string text(lock_token(client, t, 5).text());
            BOOST_TEST(read_token(text)->ticket == t);
            BOOST_TEST(before <= text);
            before = text;
        }
}

BOOST_AUTO_TEST_CASE(a_fencing_token_may_stand_behind_it) {
    const std::string token(lock_token(client_name(1), 2, 3).text());
    BOOST_TEST(read_token(token + ":1700000000000000")->token == token);
    BOOST_TEST(!read_token(token + "1").has_value());
    BOOST_TEST(is_token(token));
    BOOST_TEST(!is_token(token + ":1700000000000000"));
}

BOOST_AUTO_TEST_CASE(what_another_library_wrote_is_none) {
    const std::string token(lock_token(client_name(1), 2, 3).text());
    for (const std::string_view other :
         {"", "AA0aJzRBTltodYKPnKm2w9Dd6v", "0a1b2c3d4e5f60718293a4b5c6d7e8f9012345",
          "some words that are no token"})
        BOOST_TEST((!read_token(other).has_value() && !is_token(other)));
    std::string broken = token;
    for (char& c : broken) {
        const char before = std::exchange(c, '\xff');
        BOOST_TEST((!read_token(broken).has_value() && !is_token(broken)));
        c = before;
    }
    std::string late = token;
    late.replace(client_name::size, lock_token::ticket_size, "zzzzzzzzz");
    BOOST_TEST(!read_token(late).has_value()); // beyond the highest
}

BOOST_AUTO_TEST_CASE(tickets_follow_the_clock_and_grow) {
    ticket_clock clock;
    const ticket_clock::wall_time now{1'700'000'000s};
    BOOST_TEST(clock.next(now) == 1'700'000'000'000'000u);
    BOOST_TEST(clock.next(now) == 1'700'000'000'000'001u);
    BOOST_TEST(clock.next(now - 1h) == 1'700'000'000'000'002u);
    BOOST_TEST(clock.next(now + 1s) == 1'700'000'001'000'000u);
}

BOOST_AUTO_TEST_CASE(who_is_behind_takes_tickets_behind_those_that_were_given_out) {
    ticket_clock clock;
    const ticket_clock::wall_time now{1'700'000'000s};
    clock.saw(1'700'000'002'000'000u, now);
    BOOST_TEST(clock.next(now + 1ms) == 1'700'000'002'001'000u);
    clock.saw(5, now); // of the past: says nothing
    BOOST_TEST(clock.next(now + 2ms) == 1'700'000'002'002'000u);
}

BOOST_AUTO_TEST_CASE(there_is_a_highest) {
    ticket_clock clock;
    clock.saw(lock_token::highest_ticket, ticket_clock::wall_time(1s));
    clock.next(ticket_clock::wall_time(2s));
    BOOST_TEST(clock.next(ticket_clock::wall_time(2s)) == lock_token::highest_ticket);
}

BOOST_AUTO_TEST_SUITE_END()
