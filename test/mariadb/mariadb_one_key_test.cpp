// What a key alone costs the database, and what happens to it where others have its row in their hands.

#include "mariadb_fixture.hpp"
#include "mariadb_user.hpp"

#include <cstdint>
#include <string>

namespace redlock::test {
namespace {

struct one_key_fixture : mariadb_fixture {
    std::uint64_t counted(const std::string& what) const {
        std::uint64_t sum = 0;
        for (const std::string& line :
             database.query("SHOW GLOBAL STATUS WHERE Variable_name IN (" + what + ")"))
            sum += std::stoull(line.substr(line.find('|') + 1));
        return sum;
    }
    /// Statements that only transactions for many keys have.
    std::uint64_t of_many() const { return counted("'Com_update_multi', 'Com_insert_select'"); }
    std::uint64_t waits_for_rows() const { return counted("'Innodb_row_lock_waits'"); }

    client locks = make_client(), others = make_client();
};

BOOST_FIXTURE_TEST_SUITE(mariadb_one_key, one_key_fixture)

BOOST_AUTO_TEST_CASE(it_is_taken_renewed_refused_and_given_back_without_what_many_need) {
    BOOST_TEST(!try_lock(locks));
    const std::uint64_t before = of_many();
    for (int i = 0; i < 5; ++i) {
        lease held = lock(i % 2 == 0 ? locks : others);
        BOOST_TEST(try_lock(i % 2 == 0 ? others : locks) == errc::held);
        outcome<> extended;
        held.async_extend(long_ttl, extended.handler());
        complete(extended);
        BOOST_TEST(!extended.error());
        BOOST_TEST(!unlock(held));
    }
    BOOST_TEST(of_many() == before);
    BOOST_TEST(!try_lock(locks, "one without a row"));
    BOOST_TEST(of_many() > before);
}

BOOST_AUTO_TEST_CASE(who_has_its_row_is_not_waited_for) {
    BOOST_TEST(!try_lock(locks));
    mariadb_user other{database};
    BOOST_TEST(other.run("START TRANSACTION") == 0);
    BOOST_TEST(other.run("SELECT 1 FROM redlock WHERE `key` = 'key' FOR UPDATE") == 1);
    const std::uint64_t before = waits_for_rows();
    BOOST_TEST(try_lock(locks) == errc::held);
    BOOST_TEST(waits_for_rows() == before);
    outcome<lease> next;
    locks.async_lock("key", patiently(), next.handler());
    BOOST_TEST(!try_lock(locks, "another"));
    BOOST_TEST(!next.done());
    BOOST_TEST(other.run("COMMIT") == 0);
    complete(next);
    BOOST_TEST(!next.error());
    BOOST_TEST(locks.metrics().nodes.at(0).connects == 1u);
}

BOOST_AUTO_TEST_CASE(a_server_that_prepares_nothing_grants_it_as_well) {
    database.query("SET GLOBAL max_prepared_stmt_count = 0");
    client late = make_client();
    lease held = lock(late, "key", fenced());
    const std::uint64_t token = held.fencing_token().value();
    BOOST_TEST(!unlock(held));
    database.query("SET GLOBAL max_prepared_stmt_count = 16382");
    lease again = lock(locks, "key", fenced());
    BOOST_TEST(again.fencing_token().value() > token);
    BOOST_TEST(!unlock(again));
    close(late);
}

// Also where it finds the same end of the lease again.
BOOST_AUTO_TEST_CASE(a_renewal_that_changes_nothing_is_one) {
    lease held = lock(locks, "key", patiently(30s));
    database.query(
        "CREATE TRIGGER keeps BEFORE UPDATE ON redlock FOR EACH ROW SET NEW.expires = OLD.expires");
    outcome<> extended;
    held.async_extend(30s, extended.handler());
    complete(extended);
    BOOST_TEST(!extended.error());
    database.query("DROP TRIGGER keeps");
    BOOST_TEST(!unlock(held));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
