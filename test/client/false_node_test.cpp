#include "false_node.hpp"
#include "lock_fixture.hpp"

#include <redlock/observer.hpp>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <deque>
#include <numeric>
#include <optional>
#include <ostream>

namespace redlock::test {
namespace {

namespace data = boost::unit_test::data;

struct misled {
    const char* name;
    std::size_t nodes;
    false_node how;
    wakeup found;
};
std::ostream& operator<<(std::ostream& out, const misled& m) { return out << m.name; }

const misled ways[] = {
    {"gone whenever one looks", 3, {}, wakeup::timed},
    {"deleted with each refusal", 3, {.events = true}, wakeup::keyspace_events},
    {"deleted with each refusal on the only node", 1, {.events = true}, wakeup::keyspace_events},
    {"gone on servers that name no holder", 3, {.nameless = true}, wakeup::timed},
    {"deleted on the only one, which names no holder",
     1,
     {.events = true, .nameless = true},
     wakeup::keyspace_events},
    {"always about to run out", 3, {.life = "0"}, wakeup::timed},
};

bool can_be_printed(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

/// A client of such nodes.
struct false_node_test_fixture : event_loop {
    explicit false_node_test_fixture(const false_node& how, std::size_t count = 3,
                                     std::shared_ptr<observer> told = nullptr,
                                     std::chrono::milliseconds node_timeout = config().node_timeout) {
        config c;
        c.node_timeout = node_timeout;
        for (std::size_t i = 0; i < count; ++i)
            c.nodes.push_back(nodes.emplace_back(misleading(how, "run " + std::to_string(i))).uri());
        c.observer = std::move(told);
        locks.emplace(context.get_executor(), c);
    }
    bool knows(wakeup found) {
        return run_until([&] {
            const metrics_snapshot seen = locks->metrics();
            return std::ranges::all_of(seen.nodes, [&](const node_metrics& n) { return n.wakeup == found; });
        });
    }
    /// By one who has time: it is about what they say, not when.
    key_report inspected() {
        config c;
        c.node_timeout = std::chrono::seconds(5);
        for (const scripted_peer& node : nodes)
            c.nodes.push_back(node.uri());
        client looks(context.get_executor(), c);
        return run(looks.async_inspect("key", asio::use_awaitable));
    }
    std::size_t commands() const {
        return std::accumulate(nodes.begin(), nodes.end(), std::size_t{0},
                               [](std::size_t sum, const scripted_peer& n) { return sum + n.commands(); });
    }

    std::deque<scripted_peer> nodes;
    std::optional<client> locks;
};

BOOST_AUTO_TEST_SUITE(false_nodes)

// Nothing that the nodes say is followed by a grant: then what they say is not worth a try each time.
BOOST_DATA_TEST_CASE(who_is_told_in_vain_asks_less_and_less, data::make(ways), way) {
    false_node how = way.how;
    how.repents = std::make_shared<std::atomic<bool>>(false);
    false_node_test_fixture f(how, way.nodes);
    BOOST_REQUIRE(f.knows(way.found));
    outcome<lease> waiting;
    f.locks->async_lock("key", patiently(), waiting.handler());
    BOOST_REQUIRE(f.run_until([&] { return f.locks->metrics().refusals > 2; }));
    const std::size_t before = f.commands();
    BOOST_TEST(!f.run_until(2s, [&] { return waiting.done(); }));
    const std::size_t spent = f.commands() - before;
    BOOST_TEST_MESSAGE(way << ": " << spent << " commands");
    // A try, a look and an answer to nobody at each node, half a node timeout apart in the end.
    BOOST_TEST(spent <= 3u * way.nodes * (2000u / 25u) + 100u);
    BOOST_TEST(spent >= way.nodes * (2000u / 200u)); // it goes on
    *how.repents = true;
    BOOST_TEST(f.run_until([&] { return waiting.done(); }));
    BOOST_TEST(!waiting.error());
}

// 2^63 - 1 milliseconds, in nanoseconds, wrap around to the past.
BOOST_AUTO_TEST_CASE(a_life_beyond_all_times_is_no_end_at_all) {
    false_node_test_fixture f({.life = "9223372036854775807"});
    BOOST_REQUIRE(f.knows(wakeup::timed));
    outcome<lease> waiting;
    f.locks->async_lock("key", patiently(), waiting.handler());
    BOOST_TEST(!f.run_until(1s, [&] { return waiting.done(); }));
    // Blind tries at most: half a node timeout apart, but for the first.
    BOOST_TEST(f.locks->metrics().refusals <= 1000u / 25u + 10u);
    const key_report seen = f.inspected();
    for (const node_key_report& node : seen.nodes) {
        BOOST_REQUIRE(node.remaining.has_value());
        BOOST_TEST(node.remaining->count() == std::int64_t{1} << 53);
    }
}

// It would be the token, and end the counting on every node.
BOOST_AUTO_TEST_CASE(a_fence_that_no_script_can_count_is_no_token) {
    false_node_test_fixture f(
        {.fence = "9223372036854775807", .repents = std::make_shared<std::atomic<bool>>(true)}, 3, nullptr,
        5s); // it is about what they say, not when
    BOOST_REQUIRE(f.knows(wakeup::timed));
    outcome<lease> result;
    f.locks->async_try_lock("key", {.ttl = long_ttl, .fencing = true}, result.handler());
    BOOST_REQUIRE(f.run_until([&] { return result.done(); }));
    BOOST_TEST(result.error() == errc::protocol_error);
}

struct listener : observer {
    void node_changed(std::string_view, bool, std::string_view reason) noexcept override {
        texts.emplace_back(reason);
    }
    void node_warned(std::string_view, std::string_view text) noexcept override {
        texts.emplace_back(text);
        ++warnings;
    }
    std::vector<std::string> texts;
    int warnings = 0;
};

BOOST_AUTO_TEST_CASE(what_a_server_says_of_itself_commands_no_terminal) {
    const auto told = std::make_shared<listener>();
    false_node_test_fixture f(
        {.info = "maxmemory:1000\r\nmaxmemory_policy:\x1b[2J\x07" + std::string(1000, 'x') + "\r\n"}, 3,
        told);
    BOOST_REQUIRE(f.run_until([&] { return told->warnings == 3; }));
    for (const std::string& text : told->texts) {
        BOOST_TEST(can_be_printed(text), text);
        BOOST_TEST(text.size() < 300u);
    }
    for (const node_metrics& node : f.locks->metrics().nodes)
        BOOST_TEST(can_be_printed(node.eviction_policy));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
