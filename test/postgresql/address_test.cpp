#include "engines/sql/postgresql/session/address.hpp"

#include <redlock/client.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <string>
#include <system_error>

namespace redlock::postgresql {
namespace {

BOOST_AUTO_TEST_SUITE(address_suite)

BOOST_AUTO_TEST_CASE(an_address_is_one_of_libpq) {
    const address a = parse_address("postgresql://bob:se%20cret@db.example:5433/shop?sslmode=require");
    BOOST_TEST(a.name == "postgresql://db.example:5433/shop");
    BOOST_REQUIRE(a.places.size() == 1u);
    BOOST_TEST(a.places[0].host == "db.example");
    BOOST_TEST(a.places[0].port == "5433");
    BOOST_TEST(a.password == "se cret");
    BOOST_TEST(a.reveals_secret("no se cret here"));
    BOOST_TEST(!a.reveals_secret("nothing"));
}

BOOST_AUTO_TEST_CASE(several_hosts_are_several_places) {
    const address a = parse_address("postgresql://one:1,two:2/shop");
    BOOST_REQUIRE(a.places.size() == 2u);
    BOOST_TEST(a.places[1].port == "2");
    BOOST_TEST(parse_address("postgresql:///shop?host=/run/postgresql").places[0].is_path());
    BOOST_TEST(parse_address("postgresql://").places[0].host == "localhost");
}

BOOST_AUTO_TEST_CASE(what_a_lock_is_stands_in_a_parameter_that_libpq_is_not_given) {
    for (const std::string uri :
         {"postgresql://bob:p%3fw@h/shop?redlock=session", "postgresql://bob:p?w@h/shop?redlock=session",
          "postgresql://bob:p%3fw@h/shop?redlock=session&sslmode=require",
          "postgresql://bob:p%3fw@h/shop?sslmode=require&redlock=session"}) {
        const address a = parse_address(uri);
        BOOST_TEST(a.locks_are_sessions);
        BOOST_TEST(a.name == "postgresql://h:5432/shop?redlock=session");
        BOOST_TEST(a.password == "p?w");
        const bool has_mode = uri.find("sslmode") != uri.npos;
        BOOST_TEST(std::ranges::count(a.parameters, address::parameter("sslmode", "require")) ==
                   (has_mode ? 1 : 0));
    }
    const address rows = parse_address("postgresql://h/shop?redlock=rows");
    BOOST_TEST(!rows.locks_are_sessions);
    BOOST_TEST(rows.name == "postgresql://h:5432/shop");
    for (const std::string wrong : {"postgresql://h/x?redlock=", "postgresql://h/x?redlock=advisory",
                                    "postgresql://h/x?redlock=session&redlock=other"})
        BOOST_CHECK_THROW(parse_address(wrong), std::system_error);
}

BOOST_AUTO_TEST_CASE(what_is_wrong_is_said_without_the_password) {
    for (const std::string uri :
         {"postgresql://bob:hidden@host:port:5/x", "postgresql://bob:hidden@h/?nonsense=1",
          "postgresql://bob:hidden@a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q/x",
          "postgresql://bob:hidden@one/x?target_session_attrs=any"})
        try {
            parse_address(uri);
            BOOST_ERROR("taken: " << uri);
        } catch (const std::system_error& e) {
            BOOST_TEST((e.code() == std::error_code(errc::invalid_uri)));
            BOOST_TEST(std::string(e.what()).find("hidden") == std::string::npos);
        }
}

BOOST_AUTO_TEST_CASE(a_client_takes_one_database_and_nothing_beside_it) {
    boost::asio::io_context context;
    const auto code_of = [&](std::vector<std::string> nodes) -> std::error_code {
        config c;
        c.nodes = std::move(nodes);
        try {
            client made(context.get_executor(), c);
        } catch (const std::system_error& e) {
            return e.code();
        }
        return {};
    };
    BOOST_TEST((!code_of({"postgresql:///shop?host=/nowhere"})));
    BOOST_TEST((code_of({"postgresql://a/x", "postgresql://b/x"}) == std::error_code(errc::invalid_option)));
    BOOST_TEST((code_of({"postgresql://a/x", "redis://b"}) == std::error_code(errc::invalid_option)));
    BOOST_TEST((code_of({"postgresql://a/x?nonsense=1"}) == std::error_code(errc::invalid_uri)));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::postgresql
