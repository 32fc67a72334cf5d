// A server that is asked for more than it can do. How much a real one can do depends on the machine, so a
// peer plays it that takes its time for each command.

#include "lock_fixture.hpp"
#include "support/scripted_peer.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/test/unit_test.hpp>

#include <thread>

namespace redlock::test {
namespace {

/// One command after the other, each in a fifth of a millisecond or more.
std::string answer_slowly(const command_parser::command& command) {
    std::this_thread::sleep_for(200us);
    const std::string& word = command.front();
    if (word == "HELLO") return "%1\r\n+server\r\n+other\r\n";
    if (word == "SET") return "_\r\n";
    if (word == "EVAL" || word == "EVALSHA") return ":1\r\n";
    return "+OK\r\n";
}

struct crowd : event_loop {
    static constexpr std::size_t size = 1000;

    scripted_peer server{{.answer = answer_slowly}};
    client locks{context.get_executor(), {.nodes = {server.uri()}, .node_timeout = 50ms}};
    std::size_t served = 0;
    std::size_t failures = 0;

    crowd() {
        for (std::size_t i = 0; i < size; ++i)
            asio::co_spawn(context, insist("key:" + std::to_string(i)), asio::detached);
    }

    asio::awaitable<void> insist(std::string key) {
        for (;;) {
            auto [failed, held] = co_await locks.async_lock(key, {}, asio::as_tuple(asio::use_awaitable));
            if (!failed) break;
            ++failures;
        }
        ++served;
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(overload, crowd)

// All at once would take the server four times the deadline.
BOOST_AUTO_TEST_CASE(a_crowd_that_insists_is_served_in_the_end) {
    BOOST_TEST(run_until(3 * patience, [&] { return served == size; }));
    BOOST_TEST_MESSAGE(failures << " tries failed");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace redlock::test
