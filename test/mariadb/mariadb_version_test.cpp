// Which servers are taken. Holds of each that the tests are run on, also of one that is too old for the rest.

#include "mariadb_fixture.hpp"

#include <string>
#include <vector>

namespace redlock::test {
namespace {

BOOST_FIXTURE_TEST_SUITE(mariadb_version, mariadb_fixture)

BOOST_AUTO_TEST_CASE(a_server_is_taken_or_refused_by_its_version_and_the_refusal_says_why) {
    const std::string version = database.query("SELECT VERSION()").at(0);
    const bool is_old = mariadb_server::is_mysql() && version.starts_with("5.");
    client locks = make_client();
    node_metrics seen;
    BOOST_TEST(run_until([&] {
        seen = locks.metrics().nodes.at(0);
        return seen.state == "ready" || seen.last_error.failed();
    }));
    BOOST_TEST(try_lock(locks) == (is_old ? make_error_code(errc::unsupported) : error_code()));
    const std::size_t tables = is_old ? 0 : 1; // nothing is made in a server that is refused
    BOOST_TEST(database.query("SHOW TABLES").size() == tables);
    const std::string refusal =
        " is MySQL " + version + ", older than 8.0, the first that has the SKIP LOCKED";
    BOOST_TEST((seen.last_error_text.find(refusal) != std::string::npos) == is_old, seen.last_error_text);
    outcome<std::vector<node_examination>> looked;
    locks.async_examine(looked.handler());
    complete(looked);
    BOOST_TEST(!looked.error());
    BOOST_TEST((looked.value().at(0).error == errc::unsupported) == is_old);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
