#include "engines/redis/node/queue/held_requests.hpp"
#include "node/recorder.hpp"

#include <boost/test/unit_test.hpp>

namespace redlock::test {
namespace {

using namespace std::chrono_literals;

struct held_fixture {
    node::held_requests held{3, 20};
    recorder log;

    bool push(std::uint32_t tag, std::string_view command, std::chrono::milliseconds deadline) {
        return held.push({.command = command,
                          .receiver = &log,
                          .tag = node::reply_tag::numbered(tag),
                          .deadline = at(deadline)});
    }
};

BOOST_FIXTURE_TEST_SUITE(held_requests_suite, held_fixture)

BOOST_AUTO_TEST_CASE(are_taken_in_order_with_a_copy_of_their_commands) {
    std::string command = "first";
    push(1, command, 10ms);
    command = "other";
    push(2, command, 10ms);
    auto taken = held.take();
    BOOST_REQUIRE(taken.has_value());
    BOOST_TEST(taken->command == "first");
    BOOST_TEST(taken->tag.number() == 1u);
    BOOST_TEST((taken->deadline == at(10ms)));
    taken = held.take();
    BOOST_REQUIRE(taken.has_value());
    BOOST_TEST(taken->command == "other");
    BOOST_TEST(!held.take().has_value());
}

BOOST_AUTO_TEST_CASE(both_limits_hold_and_what_leaves_makes_room) {
    BOOST_TEST(push(1, "0123456789", 10ms));
    BOOST_TEST(!push(2, "0123456789+", 10ms));
    BOOST_TEST(push(2, "0123456789", 10ms));
    BOOST_TEST(push(3, "", 20ms));
    BOOST_TEST(!push(4, "", 20ms));
    held.expire(at(10ms));
    BOOST_TEST(push(5, "01234567890123456789", 20ms));
    held.fail_all(errc::closed);
    BOOST_TEST(push(6, "01234567890123456789", 20ms));
    held.take();
    BOOST_TEST(push(7, "01234567890123456789", 20ms));
    held.clear();
    BOOST_TEST(push(8, "01234567890123456789", 20ms));
}

BOOST_AUTO_TEST_CASE(an_expired_request_is_never_taken) {
    push(1, "a", 10ms);
    push(2, "b", 20ms);
    BOOST_TEST((held.next_deadline() == at(10ms)));
    BOOST_TEST(held.expire(at(15ms)) == 1u);
    BOOST_TEST((log.outcomes.at(0) == request_outcome{1, errc::node_timeout, ""}));
    BOOST_TEST((held.next_deadline() == at(20ms)));
    BOOST_TEST(held.take()->tag.number() == 2u);
    BOOST_TEST((held.next_deadline() == time::instant::max()));
}

BOOST_AUTO_TEST_CASE(a_deadline_before_the_previous_one_is_put_off) {
    push(1, "a", 20ms);
    push(2, "b", 10ms);
    BOOST_TEST(held.expire(at(19ms)) == 0u);
    BOOST_TEST(held.expire(at(20ms)) == 2u);
}

BOOST_AUTO_TEST_CASE(failing_tells_everyone_and_clearing_nobody) {
    push(1, "a", 10ms);
    held.push({.command = "b", .deadline = at(10ms)}); // nobody wants the reply
    push(3, "c", 10ms);
    held.fail_all(errc::authentication_failed);
    const std::vector<request_outcome> expected{{1, errc::authentication_failed, ""},
                                                {3, errc::authentication_failed, ""}};
    BOOST_TEST(log.outcomes == expected, boost::test_tools::per_element());
    push(4, "d", 10ms);
    held.clear();
    BOOST_TEST(held.empty());
    BOOST_TEST(log.count() == 2u);
}

BOOST_AUTO_TEST_CASE(receivers_may_push_and_fail_from_inside_their_calls) {
    push(1, "a", 10ms);
    push(2, "b", 10ms);
    log.then = [&] {
        log.then = [&] { held.fail_all(errc::closed); };
        push(3, "c", 30ms);
    };
    BOOST_TEST(held.expire(at(10ms)) == 2u);
    const std::vector<request_outcome> expected{
        {1, errc::node_timeout, ""}, {2, errc::node_timeout, ""}, {3, errc::closed, ""}};
    BOOST_TEST(log.outcomes == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
