// Connections to MariaDB that are encrypted: whom a client trusts, and whom it refuses.

#include "mariadb_fixture.hpp"
#include "support/authority.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace redlock::test {
namespace {

std::vector<std::string> settings_of(const certificate_files& own) {
    return {"--ssl-cert=" + own.certificate, "--ssl-key=" + own.key,
            "--ssl-ca=" + trusted_authority().file()};
}

/// Its server shows a certificate of the trusted authority, and its users must come over TLS.
struct mariadb_tls_fixture : mariadb_fixture {
    explicit mariadb_tls_fixture(const certificate_request& shown = {})
        : mariadb_fixture(settings_of(trusted_authority().sign(shown))) {
        require("SSL");
    }
    void require(const std::string& what) { database.query("ALTER USER redlock@'%' REQUIRE " + what); }

    std::string uri(const std::string& mode, const std::string& parameters = {}) const {
        return "mysql://redlock@localhost:" + std::to_string(database.port()) + "/locks?ssl-mode=" + mode +
               parameters;
    }
    static std::string trusting(const authority& whom = trusted_authority()) {
        return "&ssl-ca=" + whom.file();
    }
    bool is_granted(const std::string& uri) {
        client locks(context.get_executor(), settings(uri));
        return run_until([&] { return !try_lock(locks); });
    }
    /// Why there is no connection; empty where there is one.
    std::string refusal(const std::string& uri) {
        client locks(context.get_executor(), settings(uri));
        node_metrics seen;
        BOOST_TEST(run_until([&] {
            seen = locks.metrics().nodes.at(0);
            return seen.state == "ready" || seen.last_error.failed();
        }));
        BOOST_TEST(try_lock(locks).failed() == (seen.state != "ready"));
        return seen.state == "ready" ? std::string() : seen.last_error_text;
    }
};

struct stranger_fixture : mariadb_tls_fixture {
    stranger_fixture() : mariadb_tls_fixture({.names = "DNS:elsewhere.test", .common_name = "elsewhere"}) {}
};

/// Its server has no certificate, which MySQL makes for itself.
struct without_tls_fixture : mariadb_fixture {
    without_tls_fixture()
        : mariadb_fixture(mariadb_server::is_mysql() ? std::vector<std::string>{"--tls-version="}
                                                     : std::vector<std::string>{}) {}
};

BOOST_AUTO_TEST_SUITE(mariadb_tls_suite)

BOOST_FIXTURE_TEST_CASE(a_server_is_trusted_by_its_signature_and_its_name, mariadb_tls_fixture) {
    BOOST_TEST(is_granted(uri("required")));
    BOOST_TEST(is_granted(uri("verify_ca", trusting())));
    BOOST_TEST(is_granted(uri("verify_identity", trusting())));
    BOOST_TEST(!refusal(uri("disabled")).empty()); // the server's own demand: so the others are encrypted
}

BOOST_FIXTURE_TEST_CASE(a_signature_of_somebody_else_is_refused, mariadb_tls_fixture) {
    const authority stranger("Stranger");
    for (const char* mode : {"verify_ca", "verify_identity"}) {
        const std::string why = refusal(uri(mode, trusting(stranger)));
        BOOST_TEST(why.find("ertificate") != std::string::npos, mode << ": " << why);
    }
    BOOST_TEST(is_granted(uri("required"))); // whoever it is
}

BOOST_FIXTURE_TEST_CASE(a_certificate_of_another_server_is_refused_where_its_name_counts, stranger_fixture) {
    const std::string why = refusal(uri("verify_identity", trusting()));
    BOOST_TEST(why.find("ertificate") != std::string::npos, why);
    BOOST_TEST(is_granted(uri("verify_ca", trusting())));
}

BOOST_FIXTURE_TEST_CASE(a_server_that_wants_to_know_its_clients_is_shown_a_certificate, mariadb_tls_fixture) {
    require("X509");
    BOOST_TEST(!refusal(uri("verify_identity", trusting())).empty());
    const certificate_files own = trusted_authority().sign({.names = "", .common_name = "a client"});
    BOOST_TEST(is_granted(
        uri("verify_identity", trusting() + "&ssl-cert=" + own.certificate + "&ssl-key=" + own.key)));
}

// Who does without encryption would tell whoever is in between what it says.
BOOST_FIXTURE_TEST_CASE(a_server_without_tls_is_refused_where_it_is_demanded, without_tls_fixture) {
    const std::string plain = "mysql://redlock@localhost:" + std::to_string(database.port()) + "/locks";
    const std::string ca = "&ssl-ca=" + trusted_authority().file();
    for (const std::string& mode : {std::string("required"), "verify_ca" + ca, "verify_identity" + ca}) {
        client locks(context.get_executor(), settings(plain + "?ssl-mode=" + mode));
        BOOST_TEST(run_until([&] { return locks.metrics().nodes.at(0).last_error.failed(); }));
        BOOST_TEST(try_lock(locks) == errc::no_quorum);
        BOOST_TEST(locks.metrics().nodes.at(0).connects == 0u);
        const std::string why = locks.metrics().nodes.at(0).last_error_text;
        BOOST_TEST(why.find("locks cannot be reached: ") != std::string::npos, why);
    }
    client locks(context.get_executor(), settings(plain));
    BOOST_TEST(run_until([&] { return !try_lock(locks); }));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
