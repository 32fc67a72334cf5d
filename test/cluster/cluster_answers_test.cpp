#include "engines/redis/node/cluster/cluster_answers.hpp"
#include "support/decoded_reply.hpp"

#include <boost/test/unit_test.hpp>

#include <optional>
#include <string>

namespace redlock::node {
namespace {

/// As `CLUSTER SLOTS` gives them.
std::string range(const std::string& first, const std::string& last, const std::string& host,
                  const std::string& port = "7000", const std::string& id = "abc") {
    return "*3\r\n:" + first + "\r\n:" + last + "\r\n*3\r\n$" + std::to_string(host.size()) + "\r\n" + host +
           "\r\n:" + port + "\r\n$" + std::to_string(id.size()) + "\r\n" + id + "\r\n";
}

struct answers_fixture {
    test::decoded_reply decoded;

    std::optional<slot_view> read(const std::string& bytes) {
        return read_slots(decoded.of(bytes), "asked.example");
    }
};

BOOST_FIXTURE_TEST_SUITE(cluster_answers, answers_fixture)

BOOST_AUTO_TEST_CASE(slots_are_read_in_their_order) {
    const auto view = read("*2\r\n" + range("100", "16383", "10.0.0.2", "7001", "b") +
                           range("0", "99", "10.0.0.1", "7000", "a"));
    BOOST_REQUIRE(view);
    BOOST_REQUIRE(view->size() == 2u);
    BOOST_TEST((view->front() ==
                slot_range{.first = 0, .last = 99, .owner = {.host = "10.0.0.1", .port = 7000}, .id = "a"}));
    BOOST_TEST(view->back().owner.port == 7001);
}

BOOST_AUTO_TEST_CASE(a_server_without_a_name_is_the_one_that_was_asked) {
    for (const char* none : {"", "?"}) {
        const auto view = read("*1\r\n" + range("0", "1", none));
        BOOST_REQUIRE(view);
        BOOST_TEST(view->front().owner.host == "asked.example");
    }
    const auto view = read("*1\r\n*3\r\n:0\r\n:1\r\n*3\r\n_\r\n:7000\r\n$1\r\na\r\n");
    BOOST_REQUIRE(view);
    BOOST_TEST(view->front().owner.host == "asked.example");
}

BOOST_AUTO_TEST_CASE(what_cannot_be_is_refused) {
    for (const std::string& wrong :
         {range("-1", "5", "h"), range("0", "16384", "h"), range("5", "4", "h"), range("0", "1", "h", "0"),
          range("0", "1", "h", "65536"), range("0", "1", "h", "-1"), range("0", "1", "a b"),
          range("0", "1", std::string(254, 'h')), range("0", "1", "h", "1", ""),
          range("0", "1", "h", "1", std::string(65, 'i')), std::string(":1\r\n"), std::string("*0\r\n"),
          std::string("*2\r\n:0\r\n:1\r\n"), std::string("*3\r\n:0\r\n:1\r\n*0\r\n")})
        BOOST_TEST(!read("*1\r\n" + wrong).has_value(), wrong);
    BOOST_TEST(!read("*2\r\n" + range("0", "9", "h") + range("9", "12", "h")).has_value());
    BOOST_TEST(!read("-ERR This instance has cluster support disabled\r\n").has_value());
    BOOST_TEST(!read("+OK\r\n").has_value());
}

// As many as a cluster may have, and no more: each is somebody to connect to.
BOOST_AUTO_TEST_CASE(more_servers_than_a_cluster_has_are_refused) {
    std::string ranges;
    for (unsigned slot = 0; slot < slot_council::most_members; ++slot)
        ranges += range(std::to_string(slot), std::to_string(slot), "h", std::to_string(slot + 1));
    const auto view = read("*1000\r\n" + ranges);
    BOOST_REQUIRE(view);
    BOOST_TEST(view->size() == slot_council::most_members);
    BOOST_TEST(!read("*1001\r\n" + ranges + range("1000", "1000", "h", "1001")).has_value());
    BOOST_TEST(read("*1001\r\n" + ranges + range("1000", "1000", "h", "1")).has_value());
}

BOOST_AUTO_TEST_CASE(no_slots_at_all_are_an_answer) {
    const auto view = read("*0\r\n");
    BOOST_REQUIRE(view);
    BOOST_TEST(view->empty());
}

BOOST_AUTO_TEST_CASE(errors_that_send_a_command_elsewhere_are_read) {
    const auto moved = read_redirection("MOVED 3999 127.0.0.1:6381", "h");
    BOOST_REQUIRE(moved);
    BOOST_TEST(!moved->for_once);
    BOOST_TEST(moved->slot == 3999u);
    BOOST_TEST((moved->to == endpoint{.host = "127.0.0.1", .port = 6381}));
    const auto asks = read_redirection("ASK 0 ::1:6381", "h");
    BOOST_REQUIRE(asks);
    BOOST_TEST(asks->for_once);
    BOOST_TEST((asks->to == endpoint{.host = "::1", .port = 6381}));
    BOOST_TEST(read_redirection("MOVED 1 :6381", "h")->to.host == "h");
}

BOOST_AUTO_TEST_CASE(other_errors_send_it_nowhere) {
    for (const char* error : {"ERR unknown", "MOVED", "MOVED ", "MOVED 1", "MOVED 1 host", "MOVED 16384 h:1",
                              "MOVED 1 h:0", "MOVED 1 h:65536", "MOVED -1 h:1", "MOVED x h:1", "ASKING 1 h:1",
                              "ASK 1 a\x01:1", "moved 1 h:1", ""})
        BOOST_TEST(!read_redirection(error, "h").has_value(), error);
}

BOOST_AUTO_TEST_CASE(a_slot_may_be_down_for_the_moment) {
    BOOST_TEST(says_slot_is_down("CLUSTERDOWN Hash slot not served"));
    BOOST_TEST(says_slot_is_down("TRYAGAIN Multiple keys request during rehashing of slot"));
    BOOST_TEST(!says_slot_is_down("MOVED 1 h:1"));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::node
