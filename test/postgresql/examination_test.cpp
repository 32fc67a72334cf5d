// What an examination says of a database, and rows that somebody has deleted.

#include "postgres_fixture.hpp"

#include <cstdint>
#include <vector>

namespace redlock::test {
namespace {

struct examination_fixture : postgres_fixture {
    client locks = make_client();
};

BOOST_FIXTURE_TEST_SUITE(examination_suite, examination_fixture)

BOOST_AUTO_TEST_CASE(fencing_tokens_rise_also_where_a_row_was_forgotten) {
    lease held = lock(locks, "key", fenced());
    const std::uint64_t last = *held.fencing_token();
    BOOST_TEST(!unlock(held));
    database.query("DELETE FROM redlock WHERE key = 'key'");
    lease next = lock(locks, "key", fenced());
    BOOST_TEST(next.fencing_token().value() > last);
}

BOOST_AUTO_TEST_CASE(an_examination_finds_a_healthy_database_and_what_its_user_may_not_do) {
    const auto examine = [&](client& asks) {
        outcome<std::vector<node_examination>> result;
        asks.async_examine(result.handler());
        complete(result);
        BOOST_TEST(!result.error());
        return std::move(result.value().at(0));
    };
    const node_examination healthy = examine(locks);
    BOOST_TEST(!healthy.error);
    BOOST_TEST(healthy.product == "postgresql");
    BOOST_TEST(healthy.role == "master");
    BOOST_TEST(healthy.uptime.has_value());
    BOOST_TEST(healthy.missing_rights.empty());
    BOOST_TEST((healthy.least_round_trip <= healthy.median_round_trip));
    BOOST_TEST((std::chrono::abs(healthy.clock.value().ahead) < 1s));
    BOOST_TEST(!healthy.append_only.value()); // the tests run with fsync off

    database.query("CREATE USER poor; GRANT SELECT, INSERT, UPDATE ON redlock TO poor");
    config c = settings();
    c.credentials = [](std::string_view) { return credentials{.user = "poor", .password = ""}; };
    client poor(context.get_executor(), c);
    const node_examination found = examine(poor);
    BOOST_REQUIRE(found.missing_rights.size() == 2u);
    BOOST_TEST(found.missing_rights[0].rule == "GRANT DELETE ON redlock");
    BOOST_TEST(try_lock(poor) == errc::permission_denied);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
