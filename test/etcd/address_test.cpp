#include "engines/etcd/address.hpp"

#include <redlock/client.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace redlock::etcd {
namespace {

BOOST_AUTO_TEST_SUITE(address_suite)

BOOST_AUTO_TEST_CASE(what_is_left_out_is_as_usual) {
    const address a = parse_address("etcd://db.example");
    BOOST_TEST(!a.is_encrypted);
    BOOST_REQUIRE(a.endpoints.size() == 1u);
    BOOST_TEST(a.endpoints[0].host == "db.example");
    BOOST_TEST(a.endpoints[0].port == 2379);
    BOOST_TEST(a.prefix == "redlock");
    BOOST_TEST(a.user.empty());
    BOOST_TEST(a.password.empty());
    BOOST_TEST(a.name() == "etcd://db.example:2379/redlock");
    BOOST_TEST(parse_address("etcd://db.example/").prefix == "redlock");
}

BOOST_AUTO_TEST_CASE(every_part_is_understood) {
    const address a =
        parse_address("etcds://bob:se%20c%40ret@one:1,[2001:0DB8::0:1]:2,[::1],10.0.0.4/a/b%20c");
    BOOST_TEST(a.is_encrypted);
    BOOST_TEST(a.user == "bob");
    BOOST_TEST(a.password == "se c@ret");
    BOOST_TEST(a.prefix == "a/b c");
    const std::vector<endpoint> all{{"one", 1}, {"2001:db8::1", 2}, {"::1", 2379}, {"10.0.0.4", 2379}};
    BOOST_TEST((a.endpoints == all));
    BOOST_TEST(a.endpoints[1].where().host == "2001:db8::1");
    BOOST_TEST(a.endpoints[1].where().port == 2);
    BOOST_TEST(a.name() == "etcds://one:1,[2001:db8::1]:2,[::1]:2379,10.0.0.4:2379/a/b%20c");
    BOOST_TEST(a.reveals_secret("with se c@ret in it"));
    BOOST_TEST(!a.reveals_secret(a.name()));
}

BOOST_AUTO_TEST_CASE(the_name_leads_to_the_same_place) {
    for (const char* uri :
         {"etcd://h", "etcds://u:p@[::1]:7,b/x/y", "etcd://u@h:65535/%C3%A4%25%3F%23%2F1"}) {
        address given = parse_address(uri);
        const address named = parse_address(given.name());
        given.user.clear();
        given.password.clear();
        BOOST_TEST((named == given));
        BOOST_TEST(named.name() == given.name());
    }
}

BOOST_AUTO_TEST_CASE(as_much_as_is_allowed_is_taken) {
    std::string hosts = "h0";
    for (int i = 1; i < 15; ++i)
        hosts += ",h" + std::to_string(i);
    BOOST_TEST(parse_address("etcd://" + hosts).endpoints.size() == 15u);
    BOOST_TEST(parse_address("etcd://h/" + std::string(200, 'p')).prefix.size() == 200u);
    BOOST_TEST(parse_address("etcd://" + std::string(253, 'h')).endpoints[0].host.size() == 253u);
    BOOST_TEST(parse_address("etcd://u:" + std::string(1024, 'p') + "@h").password.size() == 1024u);
}

struct refusal {
    std::string uri;
    std::string sentence; ///< behind "etcd address: "
    errc code = errc::invalid_uri;
};

std::vector<refusal> refusals() {
    std::string many = "h0";
    for (int i = 1; i < 16; ++i)
        many += ",h" + std::to_string(i);
    const std::string host =
        "a host is not one; its port must be a number, and an IPv6 address must stand in "
        "brackets";
    const std::string letters = "a host may have letters, digits, dots, hyphens and underscores only";
    const std::string login = "in user and password, reserved characters must be percent-encoded";
    const std::string slash = "the prefix of the keys has a slash at its end, or two in a row";
    const std::string scheme = "it begins with neither etcd:// nor etcds://";
    return {
        {"", scheme},
        {"redis://hidden", scheme},
        {"etcd:hidden", scheme},
        {"etcd://", "a host is missing"},
        {"etcd:///hidden", "a host is missing"},
        {"etcd://u:hidden@", "a host is missing"},
        {"etcd://:2379", "a host is missing"},
        {"etcd://a,", "a host is missing"},
        {"etcd://a,,b", "a host is missing"},
        {"etcd://u:hidden@::1", host},
        {"etcd://[::1", host},
        {"etcd://[hidden]", host},
        {"etcd://h:hidden", host},
        {"etcd://h:1:2", host},
        {"etcd://hid den", host},
        {"etcd://hid%20den", letters},
        {"etcd://h!", letters},
        {"etcd://h:0", "a port is not a number from 1 to 65535"},
        {"etcd://h:65536", "a port is not a number from 1 to 65535"},
        {"etcd://h:", "a port is not a number from 1 to 65535"},
        {"etcd://" + std::string(254, 'h'), "a host has more than 253 bytes"},
        {"etcd://" + many, "it names more than 15 endpoints"},
        {"etcd://u:hid@den@h", login},
        {"etcd://u:hidden%@h", login},
        {"etcd://u:hidden%00@h", "the password contains a NUL byte"},
        {"etcd://u%00:hidden@h", "the user contains a NUL byte"},
        {"etcd://:hidden@h", "it has a password but no user"},
        {"etcd://" + std::string(1025, 'u') + "@h", "the user has more than 1024 bytes"},
        {"etcd://u:" + std::string(1025, 'p') + "@h", "the password has more than 1024 bytes"},
        {"etcd://h/x?hidden", "it has a query, which begins with ?, and takes none"},
        {"etcd://h?hidden", "it has a query, which begins with ?, and takes none"},
        {"etcd://h/x#hidden", "it has a fragment, which begins with #"},
        {"etcd://h/hidden%", "in the prefix of the keys, reserved characters must be percent-encoded"},
        {"etcd://h/hidden/", slash},
        {"etcd://h//hidden", slash},
        {"etcd://h/a//hidden", slash},
        {"etcd://h/hidden%2F", slash},
        {"etcd://h/hidden%00", "the prefix of the keys contains a NUL byte"},
        {"etcd://h/" + std::string(201, 'p'), "the prefix of the keys has more than 200 bytes"},
        {"etcd://h/" + std::string(20'000, 'p'), "it has more than 16384 bytes"},
        {std::string("etcd://hidden\0", 14), "it contains a NUL byte"},
        {"etcd://a:7,b,A:7", "endpoint number 3 is that of number 1 once more", errc::duplicate_node},
        {"etcd://a,[::1],[0::1]", "endpoint number 3 is that of number 2 once more", errc::duplicate_node},
        {"etcd://a,a:2379", "endpoint number 2 is that of number 1 once more", errc::duplicate_node},
    };
}

BOOST_AUTO_TEST_CASE(what_is_wrong_is_said_and_nothing_is_quoted) {
    for (const refusal& each : refusals())
        try {
            parse_address(each.uri);
            BOOST_ERROR("taken: " << each.uri);
        } catch (const std::system_error& e) {
            BOOST_TEST_CONTEXT(each.uri) {
                const std::error_code code = each.code;
                BOOST_TEST((e.code() == code));
                BOOST_TEST(e.what() == "etcd address: " + each.sentence + ": " + code.message());
            }
        }
}

BOOST_AUTO_TEST_CASE(a_cluster_stands_alone_in_the_list) {
    boost::asio::io_context context;
    for (std::vector<std::string> nodes : {std::vector<std::string>{"etcd://a", "etcd://b"},
                                           std::vector<std::string>{"etcds://a", "redis://b"}}) {
        config c;
        c.nodes = std::move(nodes);
        BOOST_CHECK_EXCEPTION(client(context.get_executor(), c), std::system_error, [](const auto& e) {
            return e.code() == std::error_code(errc::invalid_option) &&
                   std::string(e.what()).find("must list etcd:// alone, not among 2 nodes") !=
                       std::string::npos;
        });
    }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::etcd
