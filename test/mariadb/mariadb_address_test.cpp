#include "engines/sql/mariadb/session/address.hpp"

#include <redlock/error.hpp>

#include <boost/test/unit_test.hpp>

#include <system_error>

namespace redlock::mariadb {
namespace {

std::string refusal_of(const std::string& uri) {
    try {
        parse_address(uri);
    } catch (const std::system_error& e) {
        BOOST_TEST(e.code() == errc::invalid_uri);
        return e.what();
    }
    BOOST_ERROR(uri << " is taken");
    return {};
}

BOOST_AUTO_TEST_SUITE(mariadb_address)

BOOST_AUTO_TEST_CASE(all_parts_are_read) {
    const address a = parse_address("mysql://us%40er:p%2Fw%3F@one:1234,[::1],/sh%6fp");
    BOOST_TEST(a.user == "us@er");
    BOOST_TEST(a.password == "p/w?");
    BOOST_REQUIRE(a.places.size() == 2u);
    BOOST_TEST(a.places[0].host == "one");
    BOOST_TEST(a.places[0].port == "1234");
    BOOST_TEST(a.places[1].host == "::1");
    BOOST_TEST(a.places[1].port == "3306");
    BOOST_TEST(a.database == "shop");
    BOOST_TEST((a.tls == tls_mode::disabled));
    BOOST_TEST(a.name == "mysql://one:1234,[::1]:3306/shop");
}

BOOST_AUTO_TEST_CASE(what_is_left_out_has_its_default) {
    const address a = parse_address("mariadb:///shop");
    BOOST_TEST(a.user.empty());
    BOOST_TEST(a.places.at(0).host == "localhost");
    BOOST_TEST(a.places.at(0).port == "3306");
}

BOOST_AUTO_TEST_CASE(a_socket_stands_in_the_place_of_hosts) {
    const address a = parse_address("mysql://me@ignored/shop?socket=%2Frun%2Fmysqld.sock");
    BOOST_REQUIRE(a.places.size() == 1u);
    BOOST_TEST(a.places[0].host == "/run/mysqld.sock");
    BOOST_TEST(a.places[0].is_path());
    BOOST_TEST(a.name == "mysql:///run/mysqld.sock/shop");
}

BOOST_AUTO_TEST_CASE(whoever_names_authorities_wants_to_know_whom_he_talks_to) {
    BOOST_TEST((parse_address("mysql://h/d?ssl-ca=/ca").tls == tls_mode::verify_identity));
    BOOST_TEST((parse_address("mysql://h/d?ssl-ca=/ca&ssl-mode=VERIFY_CA").tls == tls_mode::verify_ca));
    BOOST_TEST((parse_address("mysql://h/d?ssl-mode=Required").tls == tls_mode::required));
    const address a = parse_address("mysql://h/d?ssl-mode=required&ssl-cert=/c&ssl-key=/k");
    BOOST_TEST(a.certificate == "/c");
    BOOST_TEST(a.key == "/k");
}

BOOST_AUTO_TEST_CASE(what_is_wrong_is_refused_without_the_password) {
    for (const std::string wrong :
         {"mysql:one", "mysql://u:secret@h", "mysql://u:secret@h/", "mysql://u:secret@h:0/d",
          "mysql://u:secret@h:65536/d", "mysql://u:secret@h:x/d", "mysql://u:secret@[::1/d",
          "mysql://u:secret@[::1]9/d", "mysql://u:secret%0@h/d", "mysql://u:secret%00@h/d",
          "mysql://u:secret@h/d?what=1", "mysql://u:secret@h/d?ssl-mode=maybe",
          "mysql://u:secret@h/d?ssl-mode=verify_ca", "mysql://u:secret@h/d?ssl-mode=required&ssl-cert=/c",
          "mysql://u:secret@h/d?ssl-cert=/c&ssl-key=/k", "mysql://u:secret@h/d?socket=relative",
          "mysql://u:secret@1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17/d"}) {
        const std::string said = refusal_of(wrong);
        BOOST_TEST(!said.empty());
        BOOST_TEST(said.find("secret") == std::string::npos, said);
    }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::mariadb
