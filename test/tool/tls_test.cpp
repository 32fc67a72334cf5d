#include "support/authority.hpp"
#include "tool_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <fstream>

// The command with nodes that speak TLS, and want to see a certificate.

namespace redlock::test {
namespace {

struct tool_tls_fixture {
    authority trusted;
    certificate_files own = trusted.sign({.names = ""});
    node_set nodes{3, options_of(trusted.sign())};
    temporary_folder folder;
    environment place{"XDG_CONFIG_HOME", folder.path()};
    std::vector<std::string> named;

    tool_tls_fixture() {
        for (const std::string& uri : nodes.uris())
            named.insert(named.end(), {"-n", uri});
    }
    redis_options options_of(const certificate_files& server) const {
        redis_options options{.directives = {"notify-keyspace-events KEA"}, .persistent = true};
        options.tls = redis_tls{server.certificate, server.key, trusted.file(), true};
        return options;
    }
    std::vector<std::string> with(std::vector<std::string> words,
                                  const std::vector<std::string>& more) const {
        words.insert(words.end(), named.begin(), named.end());
        words.insert(words.end(), {"--node-timeout", "2s"});
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }
    std::vector<std::string> all_given() const {
        return {"--cacert", trusted.file(), "--cert", own.certificate, "--key", own.key};
    }
};

BOOST_FIXTURE_TEST_SUITE(tls, tool_tls_fixture)

BOOST_AUTO_TEST_CASE(what_tls_takes_is_given_on_the_command_line) {
    std::vector<std::string> words = with({"run", "k"}, all_given());
    words.insert(words.end(), {"--", "/bin/sh", "-c", "echo locked"});
    program locked = redlock(words);
    BOOST_TEST(locked.says("locked"));
    BOOST_TEST(locked.status() == 0);
    BOOST_TEST(redlock(with({"inspect", "k"}, all_given())).says("k: free"));
}

BOOST_AUTO_TEST_CASE(what_tls_takes_is_in_the_environment_or_in_the_file) {
    {
        const environment authority_file("REDLOCK_CACERT", trusted.file());
        const environment certificate("REDLOCK_CERT", own.certificate);
        const environment key("REDLOCK_KEY", own.key);
        BOOST_TEST(redlock(with({"inspect", "k"}, {})).says("k: free"));
        const environment name("REDLOCK_TLS_SERVER_NAME", "redis.example");
        BOOST_TEST(redlock(with({"inspect", "k"}, {})).says("not for \"redis.example\""));
        BOOST_TEST(redlock(with({"inspect", "k"}, {"--tls-server-name", "localhost"})).says("k: free"));
    }
    const std::string file = folder.path() / "own";
    std::ofstream(file) << "cacert = " << trusted.file() << "\ncert = " << own.certificate
                        << "\nkey = " << own.key << '\n';
    BOOST_TEST(redlock(with({"inspect", "k"}, {"--config", file})).says("k: free"));
    std::ofstream(file) << "cert = " << own.certificate << "\nkey = " << own.key << "\ntls_verify = no\n";
    BOOST_TEST(redlock(with({"inspect", "k"}, {"--config", file})).says("k: free"));
}

BOOST_AUTO_TEST_CASE(a_refusal_speaks_of_options) {
    program unknown = redlock(with({"inspect", "k"}, {"--cert", own.certificate, "--key", own.key}));
    BOOST_TEST(unknown.says("has a certificate of an authority that is not trusted, \"/CN=Test Authority\" "
                            "(--cacert names those that are)"));
    program none = redlock(with({"inspect", "k"}, {"--cacert", trusted.file()}));
    BOOST_TEST(none.says("wants a certificate of its clients, and none was given (--cert)"));
    program missing = redlock(with({"inspect", "k"}, {"--cacert", "/nonexistent"}));
    BOOST_TEST(missing.says("--cacert \"/nonexistent\" cannot be read: No such file or directory"));
    BOOST_TEST(missing.status() == 64);
    program half = redlock(with({"inspect", "k"}, {"--cert", own.certificate}));
    BOOST_TEST(half.says("--key must be set where --cert is"));
    BOOST_TEST(half.status() == 64);
}

BOOST_AUTO_TEST_CASE(a_lock_that_no_node_can_be_asked_for_is_refused) {
    std::vector<std::string> words = with({"run", "k", "--try"}, {"--cacert", trusted.file()});
    words.insert(words.end(), {"--", "/bin/true"});
    BOOST_TEST(redlock(words).status() == 114);
}

BOOST_AUTO_TEST_CASE(nothing_is_verified_on_demand) {
    const std::vector<std::string> careless{"--insecure", "--cert", own.certificate, "--key", own.key};
    BOOST_TEST(redlock(with({"inspect", "k"}, careless)).says("k: free"));
}

BOOST_AUTO_TEST_CASE(the_doctor_looks_at_such_nodes_too) {
    program fit = redlock(with({"doctor"}, all_given()));
    BOOST_TEST(fit.says("These nodes are fit to hold locks."));
    BOOST_TEST(fit.status() == 0);
    std::vector<std::string> wrong = all_given();
    wrong.insert(wrong.end(), {"--tls-server-name", "redis.example"});
    program unfit = redlock(with({"doctor"}, wrong));
    BOOST_TEST(unfit.says("has a certificate for \"localhost\", \"127.0.0.1\", not for \"redis.example\""));
    BOOST_TEST(unfit.says("Correct what does not fit"));
    BOOST_TEST(unfit.status() == 117);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
