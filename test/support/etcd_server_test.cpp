#include "support/etcd_server.hpp"
#ifdef REDLOCK_TLS
#include "support/authority.hpp"
#endif

#include <boost/test/unit_test.hpp>

namespace redlock::test {
namespace {

BOOST_AUTO_TEST_SUITE(etcd_server_suite)

BOOST_AUTO_TEST_CASE(one_member_keeps_its_keys_over_a_crash) {
    etcd_server etcd;
    BOOST_TEST(etcd.uri() == "etcd://127.0.0.1:" + std::to_string(etcd.port()));
    BOOST_TEST(etcd.uri_over({1, 2}) == "etcd://127.0.0.1:1,127.0.0.1:2");
    BOOST_TEST(etcd.version().starts_with("3."));
    BOOST_TEST(!etcd.get("a").has_value());
    etcd.put("a", "1");
    etcd.put("b", "-2");
    etcd.kill(0);
    etcd.start(0);
    etcd.await_ready();
    BOOST_TEST(etcd.get("a").value() == "1");
    BOOST_TEST(etcd.get("b").value() == "-2");
    BOOST_TEST((etcd.keys("") == std::vector<std::string>{"a", "b"}));
    BOOST_TEST((etcd.keys("b") == std::vector<std::string>{"b"}));
    BOOST_CHECK_THROW(etcd.control({"nonsense"}), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(a_leader_that_stops_or_dies_is_replaced) {
    etcd_server etcd({.members = 3});
    const std::size_t first = etcd.leader();
    etcd.stop(first);
    const std::size_t second = etcd.leader();
    BOOST_TEST(second != first);
    etcd.put("a", "1");
    etcd.resume(first);
    etcd.await_ready();
    etcd.kill(second);
    BOOST_TEST(etcd.leader() != second);
    BOOST_TEST(etcd.get("a").value() == "1");
    etcd.start(second);
    etcd.await_ready();
}

BOOST_AUTO_TEST_CASE(a_leader_that_is_cut_off_is_replaced_and_hears_of_it_later) {
    etcd_server etcd({.members = 3});
    const std::size_t first = etcd.leader();
    etcd.cut_off(first);
    const std::size_t second = etcd.leader();
    BOOST_TEST(second != first);
    etcd.put("a", "1");
    etcd.join();
    etcd.await_ready();
    BOOST_TEST(etcd.leader_beside(first) != first);
    BOOST_TEST(etcd.get("a").value() == "1");
}

BOOST_AUTO_TEST_CASE(nobody_gets_in_without_a_password) {
    etcd_server etcd({.root_password = "sesame", .arguments = {"--auth-token-ttl=2"}});
    etcd.add_user("bob", "secret", "bobs/");
    BOOST_TEST(etcd.uri("bob", "secret") == "etcd://bob:secret@127.0.0.1:" + std::to_string(etcd.port()));
    etcd.put("a", "1");
    BOOST_TEST(etcd.get("a").value() == "1");
    BOOST_CHECK_THROW(etcd.control({"--user=bob:wrong", "get", "bobs/a"}), std::runtime_error);
    BOOST_CHECK_THROW(etcd.control({"--user=bob:secret", "get", "a"}), std::runtime_error);
    BOOST_TEST(etcd.control({"--user=bob:secret", "get", "bobs/a"}).empty());
}

#ifdef REDLOCK_TLS
BOOST_AUTO_TEST_CASE(clients_may_have_to_show_a_certificate) {
    authority ours;
    const certificate_files files = ours.sign();
    for (const bool asks : {false, true}) {
        etcd_server etcd({.tls = etcd_tls{files.certificate, files.key, ours.file(), asks}});
        BOOST_TEST(etcd.uri().starts_with("etcds://127.0.0.1:"));
        etcd.put("a", "1");
        BOOST_TEST(etcd.get("a").value() == "1");
    }
}
#endif

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
