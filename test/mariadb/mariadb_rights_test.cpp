// What an examination says of a user who may not do all that locks need.

#include "mariadb_fixture.hpp"

#include <string>
#include <vector>

namespace redlock::test {
namespace {

struct mariadb_rights_fixture : mariadb_fixture {
    client client_of_poor() {
        config c = settings();
        c.credentials = [](std::string_view) { return credentials{.user = "poor", .password = ""}; };
        return client(context.get_executor(), c);
    }
    /// As the client is told it.
    std::vector<std::string> missing(client& asks) {
        outcome<std::vector<node_examination>> result;
        asks.async_examine(result.handler());
        complete(result);
        BOOST_TEST(!result.error());
        std::vector<std::string> rules;
        for (const missing_right& right : result.value().at(0).missing_rights)
            rules.push_back(right.rule);
        return rules;
    }
    void make_table() {
        client locks = make_client();
        BOOST_REQUIRE(!try_lock(locks));
        close(locks);
    }
};

BOOST_FIXTURE_TEST_SUITE(mariadb_rights, mariadb_rights_fixture)

BOOST_AUTO_TEST_CASE(a_user_who_lacks_one_right_is_told_which) {
    make_table();
    database.query("CREATE USER poor");
    const std::vector<std::string> rights{"SELECT", "INSERT", "UPDATE", "DELETE"};
    for (const std::string& right : rights) {
        BOOST_TEST_CONTEXT(right) {
            database.query("GRANT SELECT, INSERT, UPDATE, DELETE ON locks.redlock TO poor; REVOKE " + right +
                           " ON locks.redlock FROM poor");
            client poor = client_of_poor();
            const std::vector<std::string> rules = missing(poor);
            BOOST_REQUIRE(rules.size() == 1u);
            BOOST_TEST(rules[0] == "GRANT " + right + " ON redlock");
            // What has been free for long is deleted by whoever may.
            BOOST_TEST(try_lock(poor) ==
                       (right == "DELETE" ? error_code() : make_error_code(errc::permission_denied)));
            close(poor);
        }
    }
}

BOOST_AUTO_TEST_CASE(one_who_has_them_by_a_role_lacks_none) {
    make_table();
    database.query(
        "CREATE ROLE lockers; GRANT SELECT, INSERT, UPDATE, DELETE ON `loc%`.* TO lockers; CREATE USER poor; "
        "GRANT lockers TO poor; SET DEFAULT ROLE lockers " +
        std::string(mariadb_server::is_mysql() ? "TO" : "FOR") + " poor");
    client poor = client_of_poor();
    BOOST_TEST(missing(poor).empty());
    BOOST_TEST(!try_lock(poor));
    database.query("DELETE FROM redlock WHERE `key` = 'key'");
    BOOST_TEST(missing(poor).empty());
}

BOOST_AUTO_TEST_CASE(one_who_may_not_make_the_missing_table_is_told_so) {
    database.query("CREATE USER poor; GRANT SELECT, INSERT, UPDATE, DELETE ON locks.* TO poor");
    client poor = client_of_poor();
    const std::vector<std::string> rules = missing(poor);
    BOOST_REQUIRE(rules.size() == 1u);
    BOOST_TEST(rules[0] == "GRANT CREATE ON redlock");
    BOOST_TEST(try_lock(poor) == errc::permission_denied);
    database.query("GRANT CREATE ON locks.* TO poor");
    BOOST_TEST(run_until([&] { return !try_lock(poor); }));
    BOOST_TEST(missing(poor).empty());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
