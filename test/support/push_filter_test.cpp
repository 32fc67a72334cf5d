#include "support/push_filter.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

using namespace redlock::test;

namespace {

const std::string reply = "*2\r\n$1\r\na\r\n:1\r\n";
const std::string push = ">3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$3\r\ndel\r\n";
const std::string message = "*3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$3\r\ndel\r\n";

} // namespace

BOOST_AUTO_TEST_SUITE(filter_of_pushes)

BOOST_AUTO_TEST_CASE(the_length_of_a_value_is_known_when_all_of_it_is_there) {
    for (const std::string& value :
         {reply, push, message, std::string("+OK\r\n"), std::string("$-1\r\n"), std::string("_\r\n"),
          std::string("%1\r\n+a\r\n:1\r\n"), std::string("*0\r\n")}) {
        BOOST_TEST(length_of_value(value + "+next") == value.size());
        for (std::size_t cut = 0; cut < value.size(); ++cut)
            BOOST_TEST(length_of_value(value.substr(0, cut)) == 0u);
    }
}

BOOST_AUTO_TEST_CASE(without_faults_all_passes_in_whatever_pieces) {
    push_filter filter(1);
    std::string passed;
    for (const char byte : reply + push + reply + message)
        passed += filter.pass({&byte, 1}, {});
    BOOST_TEST(passed == reply + push + reply + message);
}

BOOST_AUTO_TEST_CASE(each_fault_does_what_it_says) {
    push_filter filter(1);
    BOOST_TEST(filter.pass(reply + push + message + reply, {.drop = 100}) == reply + reply);
    BOOST_TEST(filter.pass(push + reply, {.duplicate = 100}) == push + push + reply);
    BOOST_TEST(filter.pass(push + reply + reply, {.hold_back = 100}) == reply + push + reply);
}

BOOST_AUTO_TEST_SUITE_END()
