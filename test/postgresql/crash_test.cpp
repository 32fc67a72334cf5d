// What is left when the server crashes right behind an answer: a commit that only gives back does not wait
// for the disk.

#include "postgres_fixture.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace redlock::test {
namespace {

struct crash_fixture : postgres_fixture {
    /// Asked for in one turn.
    std::vector<lease> lock_together(client& locks, const std::vector<std::string>& names) {
        std::vector<outcome<lease>> asked(names.size());
        for (std::size_t i = 0; i < names.size(); ++i)
            locks.async_lock(names[i], patiently(600s), asked[i].handler());
        std::vector<lease> held;
        for (outcome<lease>& one : asked) {
            complete(one);
            BOOST_REQUIRE(!one.error());
            held.push_back(std::move(one.value()));
        }
        return held;
    }
    void unlock_together(std::vector<lease>& held) {
        std::vector<outcome<>> asked(held.size());
        for (std::size_t i = 0; i < held.size(); ++i)
            held[i].async_unlock(asked[i].handler());
        for (outcome<>& one : asked) {
            complete(one);
            BOOST_TEST(!one.error());
        }
    }
    void crash_and_start() {
        database.crash();
        database.start();
    }
    std::string holders_of(const std::string& names) {
        return database
            .query("SELECT count(*) FROM redlock WHERE token IS NOT NULL AND key IN (" + names + ")")
            .at(0);
    }
};

BOOST_FIXTURE_TEST_SUITE(crash_suite, crash_fixture)

BOOST_AUTO_TEST_CASE(a_grant_behind_an_unlock_is_kept_and_so_is_the_unlock) {
    for (int round = 0; round < 2; ++round) {
        client locks = make_client();
        lease first = lock(locks, "first", patiently(600s));
        BOOST_TEST(!unlock(first));
        lease second = lock(locks, "second", patiently(600s));
        crash_and_start();
        BOOST_TEST(holders_of("'second'") == "1");
        BOOST_TEST(holders_of("'first'") == "0");
        // In the second round the rows are there.
        second = {};
        BOOST_TEST(becomes_free());
    }
}

BOOST_AUTO_TEST_CASE(so_are_many_in_one_transaction) {
    client locks = make_client();
    std::vector<lease> first = lock_together(locks, {"a", "b", "c"});
    unlock_together(first);
    std::vector<lease> second = lock_together(locks, {"d", "e", "f"});
    crash_and_start();
    BOOST_TEST(holders_of("'d', 'e', 'f'") == "3");
    BOOST_TEST(holders_of("'a', 'b', 'c'") == "0");
}

BOOST_AUTO_TEST_CASE(an_unlock_that_a_crash_took_back_is_repeated) {
    client locks = make_client();
    lease held = lock(locks, "key", patiently(600s));
    BOOST_TEST(!unlock(held));
    crash_and_start();
    client others = make_client();
    lease next = lock(others, "key", patiently());
    BOOST_TEST(next.valid());
    BOOST_TEST(!unlock(next));
}

// Who finds it done on the next connection does not know either whether it is on the disk.
BOOST_AUTO_TEST_CASE(likewise_where_the_connection_was_lost_before) {
    client locks = make_client();
    lease held = lock(locks, "key", patiently(600s));
    BOOST_TEST(!unlock(held));
    database.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                   "WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()");
    BOOST_REQUIRE(run_until([&] { return locks.metrics().nodes.at(0).connects >= 2; }));
    crash_and_start();
    BOOST_TEST(becomes_free());
}

// So many are not remembered: a commit among them waits.
BOOST_AUTO_TEST_CASE(and_so_are_more_than_are_remembered) {
    client locks = make_client();
    std::vector<std::string> names;
    for (int i = 0; i < 300; ++i)
        names.push_back("key " + std::to_string(i));
    std::vector<lease> held = lock_together(locks, names);
    for (lease& one : held)
        BOOST_TEST(!unlock(one));
    crash_and_start();
    BOOST_TEST(becomes_free());
}

// With the client gone, too, it ends with the life of the key.
BOOST_AUTO_TEST_CASE(where_nobody_repeats_it_the_key_ends_with_its_life) {
    std::optional<client> locks(make_client());
    lease held = lock(*locks, "key", {.ttl = 1500ms});
    BOOST_TEST(!unlock(held));
    locks.reset();
    crash_and_start();
    client others = make_client();
    lease next = lock(others, "key", patiently());
    BOOST_TEST(next.valid());
    BOOST_TEST(!unlock(next));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
