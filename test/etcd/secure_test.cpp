// Locks of a user with a password, over TLS.

#include "etcd_fixture.hpp"
#include "support/authority.hpp"

#include <redlock/with_diagnostics.hpp>

#include <string>

namespace redlock::test {
namespace {

etcd_options closed_and_encrypted() {
    const certificate_files files = trusted_authority().sign({.names = "DNS:localhost,IP:127.0.0.1"});
    etcd_options o;
    o.tls =
        etcd_tls{.certificate = files.certificate, .key = files.key, .authority = trusted_authority().file()};
    o.root_password = "of-root";
    o.arguments = {"--auth-token-ttl=1"}; // logs in again while leases are held
    return o;
}

struct etcd_secure_fixture : etcd_fixture {
    etcd_secure_fixture() : etcd_fixture(closed_and_encrypted()) {
        cluster.add_user("alice", "p@ss/word", "redlock");
    }
    client client_of(std::string_view user, std::string_view password) {
        config c = settings(cluster.uri(user, password));
        c.tls.ca_file = trusted_authority().file();
        return client(context.get_executor(), c);
    }
    /// What is said of a lock that is not to be had.
    std::string refusal(client& locks, errc expected) {
        std::string said;
        locks.async_lock("key", once(), with_diagnostics([&](std::exception_ptr e, lease) {
                             try {
                                 if (e) std::rethrow_exception(e);
                                 said = "granted";
                             } catch (const boost::system::system_error& error) {
                                 BOOST_TEST(error.code() == expected);
                                 said = error.what();
                             }
                         }));
        BOOST_REQUIRE(run_until([&] { return !said.empty(); }));
        return said;
    }
};

BOOST_FIXTURE_TEST_SUITE(secure_suite, etcd_secure_fixture)

BOOST_AUTO_TEST_CASE(a_lease_is_taken_waited_for_and_renewed) {
    client locks = client_of("alice", "p%40ss%2Fword"), others = client_of("alice", "p%40ss%2Fword");
    lease held = lock(locks, "key", fenced(900ms));
    outcome<lease> next;
    others.async_lock("key", fenced(900ms), next.handler());
    BOOST_REQUIRE(waits(others, 1));
    BOOST_REQUIRE(run_until([&] { return locks.metrics().renewals >= 8; }));
    BOOST_TEST(held.valid());
    BOOST_TEST(!check(others, *held.fencing_token()));
    BOOST_TEST(!next.done());
    BOOST_TEST(!unlock(held));
    complete(next);
    BOOST_TEST(!next.error());
    BOOST_TEST(*next.value().fencing_token() > *held.fencing_token());
    BOOST_TEST(!unlock(next.value()));
    BOOST_TEST(keys() == 0u);
}

BOOST_AUTO_TEST_CASE(a_wrong_password_is_told_as_such_and_is_in_no_text) {
    client locks = client_of("alice", "guessed");
    const std::string said = refusal(locks, errc::authentication_failed);
    BOOST_TEST_MESSAGE(said);
    BOOST_TEST(said.find("127.0.0.1:" + std::to_string(cluster.port())) != std::string::npos);
    BOOST_TEST(said.find("refused the user or the password") != std::string::npos);
    const std::string kept = locks.metrics().nodes.at(0).last_error_text;
    for (const std::string& text : {said, kept, locks.metrics().nodes.at(0).node})
        BOOST_TEST(text.find("guessed") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_user_without_the_right_is_told_so) {
    cluster.add_user("bob", "of-bob", "elsewhere");
    client locks = client_of("bob", "of-bob");
    const std::string said = refusal(locks, errc::permission_denied);
    BOOST_TEST_MESSAGE(said);
    BOOST_TEST(said.find("127.0.0.1:" + std::to_string(cluster.port())) != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
