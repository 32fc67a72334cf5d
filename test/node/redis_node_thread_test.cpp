#include "node/node_fixture.hpp"
#include "support/redis_server.hpp"

#include <boost/asio/post.hpp>

#include <future>
#include <thread>

// Threads: an executor with several of them, of which the strand lets one at a time touch the node.

namespace redlock::test {
namespace {

BOOST_AUTO_TEST_SUITE(redis_node_thread_suite)

BOOST_AUTO_TEST_CASE(a_node_lives_on_its_strand_whatever_threads_run_it) {
    redis_server server;
    boost::asio::io_context context;
    const auto strand = boost::asio::make_strand(boost::asio::any_io_executor(context.get_executor()));
    constexpr std::uint32_t count = 3000;
    recorder log;
    event_log events;
    auto settings = patient();
    settings.idle_ping = 1ms; // keeps the timer busy beside the replies
    node::redis_node node(strand, node::parse_address(server.uri()), 0, settings, events, time::real_time(),
                          1);
    events.then_at_turn_end = [&] { node.flush(); };
    std::promise<void> answered;
    std::promise<void> ended;
    std::uint32_t next = 0;
    bool all_accepted = true;
    const auto submit = [&] {
        std::string command;
        resp::append_command(command, {"ECHO", std::to_string(next)});
        const auto deadline = time::lease_clock::now() + patience;
        const node::request r{.command = command,
                              .receiver = &log,
                              .tag = node::reply_tag::numbered(next++),
                              .deadline = deadline};
        all_accepted = node.submit(r) == errc{} && all_accepted;
    };
    log.then = [&] {
        if (next < count) submit();
        if (log.count() == count) answered.set_value();
    };
    boost::asio::post(strand, [&] {
        node.start();
        for (int i = 0; i < 10; ++i)
            submit();
    });
    std::vector<std::jthread> threads;
    for (int i = 0; i < 3; ++i)
        threads.emplace_back([&] { context.run(); });
    BOOST_TEST((answered.get_future().wait_for(patience) == std::future_status::ready));
    boost::asio::post(strand, [&] { node.stop([&] { ended.set_value(); }); });
    BOOST_TEST((ended.get_future().wait_for(patience) == std::future_status::ready));
    threads.clear();
    BOOST_TEST(all_accepted);
    BOOST_TEST(log.count(errc{}) == count);
    for (std::uint32_t tag = 0; tag < count; ++tag)
        BOOST_REQUIRE(log.outcomes.at(tag).tag == tag);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
