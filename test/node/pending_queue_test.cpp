#include "engines/redis/node/queue/pending_queue.hpp"
#include "node/recorder.hpp"

#include <boost/test/unit_test.hpp>

#include <deque>
#include <random>

namespace redlock::test {
namespace {

using namespace std::chrono_literals;
using node::pending_queue;
using node::reply_tag;

struct queue_fixture {
    pending_queue queue{1000};
    recorder log;
    parsed_reply ok{"+OK\r\n"};

    void push(std::uint32_t tag, std::chrono::milliseconds deadline) {
        queue.reserve_one();
        queue.push(&log, reply_tag::numbered(tag), at(deadline));
    }
};

BOOST_FIXTURE_TEST_SUITE(pending_queue_suite, queue_fixture)

BOOST_AUTO_TEST_CASE(replies_go_to_the_receivers_in_order) {
    push(1, 10ms);
    push(2, 10ms);
    BOOST_TEST(queue.answer(*ok));
    BOOST_TEST(queue.answer(*parsed_reply(":7\r\n")));
    BOOST_TEST(log.outcomes == (std::vector<request_outcome>{{1, errc{}, "OK"}, {2, errc{}, "7"}}),
               boost::test_tools::per_element());
    BOOST_TEST(queue.empty());
}

BOOST_AUTO_TEST_CASE(has_room_up_to_its_limit_as_far_as_there_is_memory) {
    pending_queue small(70);
    BOOST_TEST(!small.has_room());
    for (std::uint32_t tag = 0; tag < 70; ++tag) {
        small.reserve_one();
        BOOST_REQUIRE(small.has_room());
        BOOST_REQUIRE(!small.full());
        small.push(&log, reply_tag::numbered(tag), at(10ms));
        BOOST_REQUIRE(small.has_room() == (tag != 63 && tag != 69)); // the memory of 64, the limit
    }
    BOOST_TEST(small.full());
    BOOST_TEST(small.answer(*ok));
    BOOST_TEST(small.has_room());
    small.clear();
    BOOST_TEST(small.has_room());
}

BOOST_AUTO_TEST_CASE(a_reply_without_a_request_is_noticed) {
    BOOST_TEST(!queue.answer(*ok));
    push(1, 10ms);
    BOOST_TEST(queue.answer(*ok));
    BOOST_TEST(!queue.answer(*ok));
    BOOST_TEST(log.count() == 1u);
}

BOOST_AUTO_TEST_CASE(a_request_expires_at_its_deadline_and_not_before) {
    push(1, 10ms);
    push(2, 20ms);
    BOOST_TEST((queue.next_deadline() == at(10ms)));
    BOOST_TEST(queue.expire(at(10ms) - 1ns) == 0u);
    BOOST_TEST(queue.expire(at(10ms)) == 1u);
    BOOST_TEST((queue.next_deadline() == at(20ms)));
    BOOST_TEST(log.outcomes == (std::vector<request_outcome>{{1, errc::node_timeout, ""}}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_abandoned_slot_swallows_its_late_reply) {
    push(1, 10ms);
    push(2, 20ms);
    queue.expire(at(10ms));
    BOOST_TEST(queue.size() == 2u);
    BOOST_TEST(queue.answer(*parsed_reply("+late\r\n")));
    BOOST_TEST(queue.answer(*parsed_reply("+second\r\n")));
    BOOST_TEST(log.outcomes ==
                   (std::vector<request_outcome>{{1, errc::node_timeout, ""}, {2, errc{}, "second"}}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(nothing_is_awaited_once_all_are_abandoned) {
    push(1, 10ms);
    BOOST_TEST(queue.awaited());
    queue.expire(at(10ms));
    BOOST_TEST(!queue.awaited());
    BOOST_TEST(!queue.empty());
    BOOST_TEST((queue.next_deadline() == time::instant::max()));
}

BOOST_AUTO_TEST_CASE(failing_tells_those_that_still_wait_once) {
    push(1, 10ms);
    push(2, 20ms);
    push(3, 20ms);
    queue.expire(at(10ms));
    queue.fail_all(errc::node_unavailable);
    queue.fail_all(errc::node_unavailable);
    const std::vector<request_outcome> expected{
        {1, errc::node_timeout, ""}, {2, errc::node_unavailable, ""}, {3, errc::node_unavailable, ""}};
    BOOST_TEST(log.outcomes == expected, boost::test_tools::per_element());
    BOOST_TEST(queue.empty());
    push(4, 30ms);
    BOOST_TEST(queue.answer(*ok));
    BOOST_TEST((log.outcomes.back() == request_outcome{4, errc{}, "OK"}));
}

BOOST_AUTO_TEST_CASE(clearing_calls_nobody) {
    push(1, 10ms);
    queue.clear();
    BOOST_TEST(queue.empty());
    BOOST_TEST(log.count() == 0u);
    BOOST_TEST(!queue.answer(*ok));
}

BOOST_AUTO_TEST_CASE(a_deadline_before_the_previous_one_is_put_off) {
    push(1, 20ms);
    push(2, 10ms);
    BOOST_TEST(queue.expire(at(19ms)) == 0u);
    BOOST_TEST(queue.expire(at(20ms)) == 2u);
    push(3, 15ms); // nobody waits any more for whom the order would matter
    BOOST_TEST((queue.next_deadline() == at(15ms)));
}

BOOST_AUTO_TEST_CASE(a_request_without_a_receiver_takes_a_slot_like_any_other) {
    queue.reserve_one();
    queue.push(nullptr, reply_tag{}, at(10ms));
    push(1, 10ms);
    BOOST_TEST(queue.answer(*parsed_reply("+for nobody\r\n")));
    BOOST_TEST(queue.answer(*ok));
    BOOST_TEST((log.outcomes.at(0) == request_outcome{1, errc{}, "OK"}));
    queue.reserve_one();
    queue.push(nullptr, reply_tag{}, at(10ms));
    BOOST_TEST(queue.expire(at(10ms)) == 1u);
    queue.push(nullptr, reply_tag{}, at(10ms));
    queue.fail_all(errc::closed);
    BOOST_TEST(log.count() == 1u);
}

BOOST_AUTO_TEST_CASE(the_limit_counts_abandoned_slots) {
    pending_queue small(2);
    for (int i = 0; i < 2; ++i) {
        BOOST_TEST(!small.full());
        small.reserve_one();
        small.push(&log, reply_tag{}, at(10ms));
    }
    BOOST_TEST(small.full());
    small.expire(at(10ms));
    BOOST_TEST(small.full());
    small.answer(*ok);
    BOOST_TEST(!small.full());
}

BOOST_AUTO_TEST_CASE(receivers_may_push_from_inside_every_call) {
    std::uint32_t tag = 0;
    log.then = [&] {
        if (tag < 200) push(++tag, 1000ms); // past the first size of the ring
    };
    push(0, 10ms);
    queue.answer(*ok);
    BOOST_TEST(tag == 1u);
    queue.expire(at(1000ms)); // each failure pushes the next request, which is overdue as well
    BOOST_TEST(tag == 200u);
    BOOST_TEST(log.count() == 201u);
    BOOST_TEST(queue.size() == 200u);
}

BOOST_AUTO_TEST_CASE(receivers_may_fail_the_queue_from_inside_every_call) {
    log.then = [&] { queue.fail_all(errc::closed); };
    for (std::uint32_t tag = 0; tag < 3; ++tag)
        push(tag, 10ms);
    BOOST_TEST(queue.expire(at(10ms)) == 1u);
    BOOST_TEST(log.count() == 3u);
    BOOST_TEST(log.count(errc::closed) == 2);
    for (std::uint32_t tag = 0; tag < 3; ++tag)
        push(tag, 10ms);
    queue.answer(*ok);
    BOOST_TEST(log.count() == 6u);
    BOOST_TEST(queue.empty());
}

// The queue against the plainest model of it, through growth, wrap-around and release of the ring.
BOOST_AUTO_TEST_CASE(behaves_like_a_list_of_requests) {
    struct modelled {
        std::uint32_t tag;
        time::instant deadline;
        bool abandoned;
    };
    std::mt19937 random(20260101);
    pending_queue big(100'000);
    std::deque<modelled> model;
    std::vector<request_outcome> expected;
    auto now = at(0ms);
    std::uint32_t tag = 0;
    for (int round = 0; round < 400; ++round) {
        const auto burst = random() % (round % 50 == 0 ? 9000 : 40);
        for (unsigned i = 0; i < burst; ++i) {
            big.reserve_one();
            big.push(&log, reply_tag::numbered(++tag), now + 50ms);
            model.push_back({tag, now + 50ms, false});
        }
        now += std::chrono::milliseconds(random() % 30);
        for (auto& m : model) {
            if (m.deadline > now || m.abandoned) continue;
            m.abandoned = true;
            expected.push_back({m.tag, errc::node_timeout, ""});
        }
        big.expire(now);
        const auto answers = random() % 4 == 0 ? model.size() : random() % (model.size() + 1);
        for (std::size_t i = 0; i < answers; ++i) {
            if (!model.front().abandoned) expected.push_back({model.front().tag, errc{}, "OK"});
            model.pop_front();
            BOOST_REQUIRE(big.answer(*ok));
        }
        BOOST_REQUIRE(big.size() == model.size());
    }
    BOOST_TEST((log.outcomes == expected));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
