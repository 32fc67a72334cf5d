#include "engines/redis/node/broadcast.hpp"
#include "engines/redis/node/fast_path.hpp"
#include "node/recorder.hpp"

#include <boost/test/unit_test.hpp>

#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::test {
namespace {

using namespace std::chrono_literals;
using node::broadcast;
using node::fast_path;
using node::reply_tag;

constexpr std::size_t output_limit = 4096;

/// What a fast path leads to, without a connection.
struct desk {
    explicit desk(std::size_t requests) : pending(requests) {
        health.attempt_started(at(0ms));
        health.connected(at(0ms));
        for (std::size_t i = 0; i < requests; ++i) {
            pending.reserve_one();
            pending.push(nullptr, {}, at(0ms));
        }
        pending.clear();
        path.open(output);
    }

    /// Gives every pending request the same reply.
    void answer_all() {
        const parsed_reply ok("+OK\r\n");
        while (pending.answer(*ok))
            continue;
    }
    std::string_view written() const { return output.unsent(); }

    node::node_health health{
        {.connect = 1s, .idle_ping = 1s, .silence = 1s, .backoff_floor = 1s, .backoff_ceiling = 1s}};
    node::pending_queue pending;
    node::output_buffer output;
    time::instant wakes_at = at(0ms);
    fast_path path{health, pending, wakes_at, output_limit};
};

struct broadcast_fixture {
    static constexpr std::uint64_t everyone = 0b111;

    recorder log;
    std::vector<std::unique_ptr<desk>> desks;
    broadcast all;
    std::string batch;      ///< where the commands stand, one behind the other
    std::size_t placed = 0; ///< bytes of it

    broadcast_fixture() {
        batch.resize(64 * 1024);
        open(256);
    }

    void open(std::size_t requests) {
        desks.clear();
        std::vector<fast_path*> paths;
        for (int i = 0; i < 3; ++i)
            paths.push_back(&desks.emplace_back(std::make_unique<desk>(requests))->path);
        all.set_nodes(paths);
    }
    std::string_view place(std::string_view command) {
        command.copy(batch.data() + placed, command.size());
        const std::string_view at_its_place = std::string_view(batch).substr(placed, command.size());
        placed += command.size();
        return at_its_place;
    }
    static std::uint64_t bits(core::node_set nodes) {
        std::uint64_t found = 0;
        for (const std::uint32_t node : nodes)
            found |= std::uint64_t{1} << node;
        return found;
    }
    /// A bit for each node that took it.
    std::uint64_t submit(std::string_view command, std::uint32_t kind,
                         std::chrono::milliseconds deadline = 10ms) {
        return bits(all.submit(place(command), &log, reply_tag::of(0, kind), at(deadline)));
    }
    /// The tags in the order in which one desk hands out its replies.
    std::vector<std::uint32_t> answered_by(std::size_t index) {
        log.outcomes.clear();
        desks[index]->answer_all();
        std::vector<std::uint32_t> tags;
        for (const auto& o : log.outcomes)
            tags.push_back(o.tag);
        return tags;
    }
};

using tags = std::vector<std::uint32_t>;

std::uint32_t number_of(std::uint32_t index, std::uint32_t kind) {
    return reply_tag::of(index, kind).number();
}

BOOST_FIXTURE_TEST_SUITE(broadcast_suite, broadcast_fixture)

BOOST_AUTO_TEST_CASE(every_node_gets_all_requests_in_order_with_its_index_in_the_tag) {
    BOOST_TEST(submit("one ", 1) == everyone);
    BOOST_TEST(submit("two ", 2) == everyone);
    for (const auto& d : desks)
        BOOST_TEST(d->pending.empty());
    all.hand_out();
    for (std::uint32_t index = 0; index < 3; ++index) {
        BOOST_TEST(desks[index]->written() == "one two ");
        BOOST_TEST(desks[index]->path.submitted() == 2u);
        BOOST_TEST((desks[index]->pending.next_deadline() == at(10ms)));
        BOOST_TEST(answered_by(index) == (tags{number_of(index, 1), number_of(index, 2)}),
                   boost::test_tools::per_element());
    }
    all.hand_out(); // nothing
    BOOST_TEST(desks[0]->path.submitted() == 2u);
}

BOOST_AUTO_TEST_CASE(it_remembers_who_is_to_be_flushed) {
    BOOST_TEST(!all.has_unflushed());
    submit("one ", 1);
    BOOST_TEST(all.has_unflushed());
    BOOST_TEST(bits(all.take_unflushed()) == everyone);
    BOOST_TEST(!all.has_unflushed());
}

BOOST_AUTO_TEST_CASE(a_node_that_would_not_take_the_request_is_left_out) {
    desks[0]->path.close();
    desks[1]->wakes_at = at(11ms); // after the deadline
    BOOST_TEST(submit("one ", 1) == 0b100u);
    all.hand_out();
    BOOST_TEST(answered_by(2) == (tags{number_of(2, 1)}), boost::test_tools::per_element());
    BOOST_TEST(desks[0]->pending.empty());
    BOOST_TEST(desks[1]->pending.empty());
    desks[2]->health.missed_deadline(at(1ms));
    BOOST_TEST(submit("two ", 2) == 0u);
    BOOST_TEST(bits(all.take_unflushed()) == 0b100u);
}

BOOST_AUTO_TEST_CASE(a_node_without_a_fast_path_is_left_out) {
    all.set_nodes({nullptr, &desks[1]->path, nullptr});
    BOOST_TEST(submit("one ", 1) == 0b010u);
    all.hand_out();
    all.set_nodes({nullptr, nullptr});
    BOOST_TEST(submit("two ", 2) == 0u);
}

BOOST_AUTO_TEST_CASE(another_request_to_one_node_stands_behind_what_was_collected) {
    submit("one ", 1);
    BOOST_TEST(desks[1]->path.submit(place("own "), &log, reply_tag::numbered(77), at(10ms)));
    BOOST_TEST(desks[1]->written() == "one own ");
    BOOST_TEST(desks[0]->written() == "one ");
    // What follows stands in one row with that only at the node that was sent all of it.
    BOOST_TEST(submit("two ", 2) == 0b010u);
    all.hand_out();
    BOOST_TEST(desks[1]->written() == "one own two ");
    BOOST_TEST(answered_by(1) == (tags{number_of(1, 1), 77, number_of(1, 2)}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(requests_with_another_deadline_are_a_row_of_their_own) {
    submit("one ", 1, 10ms);
    BOOST_TEST(submit("two ", 2, 20ms) == everyone);
    all.hand_out();
    BOOST_TEST((desks[0]->pending.next_deadline() == at(10ms)));
    BOOST_TEST(desks[0]->pending.expire(at(10ms)) == 1u);
    BOOST_TEST((desks[0]->pending.next_deadline() == at(20ms)));
}

BOOST_AUTO_TEST_CASE(it_takes_no_more_than_each_node_has_room_for) {
    open(70);
    submit("", 0);
    all.hand_out();
    answered_by(0);
    answered_by(2);
    std::size_t taken = 1; // by the middle one
    for (std::uint32_t kind = 1; kind < 100; ++kind) {
        const std::uint64_t takers = submit("x", kind);
        taken += takers >> 1 & 1;
        BOOST_REQUIRE(takers == (kind < 70 ? everyone : kind == 70 ? 0b101u : 0u));
    }
    all.hand_out();
    BOOST_TEST(taken == 70u);
    for (const auto& d : desks)
        BOOST_TEST(d->pending.size() == 70u);
}

BOOST_AUTO_TEST_CASE(it_takes_no_more_bytes_than_the_output_may_hold) {
    const std::string half(output_limit / 2, 'x');
    BOOST_TEST(submit(half, 1) == everyone);
    BOOST_TEST(submit(half, 2) == everyone);
    BOOST_TEST(submit("x", 3) == 0u);
    for (const auto& d : desks)
        BOOST_TEST(d->written().size() == output_limit);
}

BOOST_AUTO_TEST_CASE(what_was_collected_fails_with_what_was_sent_before) {
    submit("one ", 1);
    desks[0]->path.settle();
    desks[0]->path.close();
    desks[0]->pending.fail_all(errc::node_unavailable);
    BOOST_TEST(log.outcomes == (std::vector<request_outcome>{{number_of(0, 1), errc::node_unavailable, ""}}),
               boost::test_tools::per_element());
    BOOST_TEST(submit("two ", 2) == 0b110u);
}

// Many rows, through the wrapping of the rings, mixed with requests to one node.
BOOST_AUTO_TEST_CASE(nothing_is_lost_or_out_of_order) {
    std::mt19937 random(7);
    std::vector<tags> expected(3);
    for (std::uint32_t kind = 1; kind < 5000; ++kind) {
        const auto choice = random() % 100;
        if (choice < 90) {
            const std::uint64_t takers = submit("s", kind);
            for (std::uint32_t index = 0; index < 3; ++index)
                if (takers >> index & 1) expected[index].push_back(number_of(index, kind));
        } else if (choice < 97) {
            const std::size_t index = random() % 3;
            if (desks[index]->path.submit(place("o"), &log, reply_tag::of(0, kind), at(10ms)))
                expected[index].push_back(number_of(0, kind));
        } else {
            all.hand_out();
            for (std::uint32_t index = 0; index < 3; ++index) {
                BOOST_REQUIRE(desks[index]->written().size() == expected[index].size());
                desks[index]->output.sent(desks[index]->written().size());
                BOOST_REQUIRE(answered_by(index) == expected[index]);
                expected[index].clear();
            }
            placed = 0;
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
