// What is asked for many keys in one turn, and what happens to the others where one is not one's own any
// more.

#include "mariadb_fixture.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace redlock::test {
namespace {

const std::vector<std::string> names{"a", "b", "c", "d", "e"};
constexpr std::size_t odd = 1; ///< the one to which something happens

struct many_keys_fixture : mariadb_fixture {
    /// Those of the names, asked for in one turn.
    std::vector<lease> lock_all() {
        std::vector<outcome<lease>> asked(names.size());
        for (std::size_t i = 0; i < names.size(); ++i)
            locks.async_lock(names[i], fenced(long_ttl), asked[i].handler());
        std::vector<lease> held;
        for (outcome<lease>& o : asked) {
            complete(o);
            BOOST_REQUIRE_MESSAGE(!o.error(), o.error().message());
            held.push_back(std::move(o.value()));
        }
        return held;
    }
    /// What each of them came to, and whether one that was asked for in the same turn was granted.
    std::vector<error_code> end(std::vector<outcome<>>& asked, outcome<lease>& another) {
        std::vector<error_code> ends;
        for (outcome<>& o : asked) {
            complete(o);
            ends.push_back(o.error());
        }
        complete(another);
        BOOST_TEST(!another.error());
        return ends;
    }
    std::vector<error_code> unlock_all(std::vector<lease>& held) {
        std::vector<outcome<>> asked(held.size());
        outcome<lease> another;
        for (std::size_t i = 0; i < held.size(); ++i)
            held[i].async_unlock(asked[i].handler());
        locks.async_try_lock("another", {}, another.handler());
        return end(asked, another);
    }
    std::vector<error_code> extend_all(std::vector<lease>& held) {
        std::vector<outcome<>> asked(held.size());
        outcome<lease> another;
        for (std::size_t i = 0; i < held.size(); ++i)
            held[i].async_extend(long_ttl, asked[i].handler());
        locks.async_try_lock("another", {}, another.handler());
        return end(asked, another);
    }
    void change_odd(const std::string& how) {
        database.query("UPDATE redlock SET " + how + " WHERE `key` = '" + names[odd] + "'");
    }
    static void only_odd_failed(const std::vector<error_code>& ends) {
        for (std::size_t i = 0; i < ends.size(); ++i)
            BOOST_TEST(bool(ends[i]) == (i == odd), names[i] << ": " << ends[i].message());
    }

    client locks = make_client();
};

BOOST_FIXTURE_TEST_SUITE(mariadb_many_keys, many_keys_fixture)

BOOST_AUTO_TEST_CASE(they_are_made_taken_renewed_and_given_back) {
    std::vector<std::uint64_t> tokens;
    for (int round = 0; round < 2; ++round) {
        std::vector<lease> held = lock_all();
        for (std::size_t i = 0; i < held.size(); ++i) {
            const std::uint64_t token = held[i].fencing_token().value();
            if (round == 0)
                tokens.push_back(token);
            else
                BOOST_TEST(token > tokens[i]);
        }
        for (const error_code& e : extend_all(held))
            BOOST_TEST(!e);
        for (const lease& l : held)
            BOOST_TEST(l.valid());
        for (const error_code& e : unlock_all(held))
            BOOST_TEST(!e);
        BOOST_TEST(becomes_free());
    }
}

BOOST_AUTO_TEST_CASE(some_are_free_some_are_held_and_some_have_no_row) {
    client others = make_client();
    BOOST_TEST(!try_lock(locks, "a"));
    lease held = lock(others, "b", fenced());
    std::array<outcome<lease>, 3> asked;
    for (std::size_t i = 0; i < asked.size(); ++i)
        locks.async_try_lock(names[i], fenced(), asked[i].handler());
    for (outcome<lease>& o : asked)
        complete(o);
    BOOST_TEST(!asked[0].error());
    BOOST_TEST(asked[1].error() == errc::held);
    BOOST_TEST(!asked[2].error());
    BOOST_TEST(asked[0].value().fencing_token().value() > 0u);
    BOOST_TEST(asked[2].value().fencing_token().value() > 0u);
    BOOST_TEST(!unlock(held));
}

// Calls that do not wait stand in no queue of their client, and each asks the database.
BOOST_AUTO_TEST_CASE(one_that_several_want_in_a_turn_is_granted_to_one_of_them) {
    for (const bool is_there : {false, true})
        for (const bool one_waits : {false, true}) {
            const std::string name = one_waits ? "waited for" : "tried";
            BOOST_TEST_CONTEXT(name << (is_there ? ", with a row" : "")) {
                std::array<outcome<lease>, 3> asked;
                for (std::size_t i = 0; i < asked.size(); ++i)
                    locks.async_lock(
                        name, {.ttl = long_ttl, .wait = one_waits && i == 0 ? 60s : 0s, .fencing = true},
                        asked[i].handler());
                std::size_t valid = 0;
                const auto look = [&](outcome<lease>& one) {
                    if (one.error())
                        BOOST_TEST(one.error() == errc::held);
                    else
                        valid += one.value().valid();
                };
                for (std::size_t i = one_waits ? 1 : 0; i < asked.size(); ++i) {
                    complete(asked[i]);
                    look(asked[i]);
                }
                // While one of the others has it, it is not its turn.
                BOOST_TEST(run_until([&] { return asked[0].done() || valid == 1; }));
                if (one_waits && asked[0].done()) look(asked[0]);
                BOOST_TEST(valid == 1u);
                BOOST_TEST(held_rows() == "1");
                for (outcome<lease>& one : asked)
                    one.drop_values();
                if (!asked[0].done()) complete(asked[0]);
                asked[0].drop_values();
                BOOST_TEST(becomes_free());
            }
        }
}

BOOST_AUTO_TEST_CASE(one_that_was_taken_away_costs_the_others_nothing) {
    for (const bool extends : {false, true}) {
        std::vector<lease> held = lock_all();
        change_odd("token = 'somebody else'");
        only_odd_failed(extends ? extend_all(held) : unlock_all(held));
        change_odd("token = NULL");
        held.clear();
        BOOST_TEST(becomes_free());
    }
}

BOOST_AUTO_TEST_CASE(one_whose_time_is_over_costs_the_others_nothing) {
    for (const bool extends : {false, true}) {
        std::vector<lease> held = lock_all();
        change_odd("expires = TIMESTAMPADD(SECOND, -1, UTC_TIMESTAMP(6))");
        only_odd_failed(extends ? extend_all(held) : unlock_all(held));
        held.clear();
        BOOST_TEST(becomes_free());
        // Also that of one that came too late is nobody's any more.
        if (!extends)
            BOOST_TEST(database.query("SELECT count(*) FROM redlock WHERE token IS NOT NULL AND `key` = '" +
                                      names[odd] + "'") == std::vector<std::string>{"0"});
    }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
