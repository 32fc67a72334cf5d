#include "etcd_line/line_fixture.hpp"
#include "support/loop_thread.hpp"

#include <sys/wait.h>
#include <unistd.h>

namespace redlock::test {

namespace {

struct stop_fixture : member_fixture, line_fixture {
    stop_fixture() : line_fixture(to_ports({server.port()})) {}
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(stop_suite, stop_fixture)

BOOST_AUTO_TEST_CASE(whatever_step_it_is_stopped_at_every_call_is_told_once) {
    for (int steps = 0; steps < 12; ++steps) {
        line_fixture l(to_ports({server.port()}));
        heard_stream watches(etcd::methods::watch, l.loop.line());
        l.loop.when_served = [&] {
            watches.open();
            watches.send(encoded(messages::watch_create_request{.key = "key"}), true);
        };
        l.loop.start();
        const result_pointer one = l.ask(etcd::methods::put, put("key"));
        const result_pointer kept = l.ask(etcd::methods::put, put("key"), {}, true);
        for (int i = 0; i < steps; ++i)
            l.loop.context.run_one_for(10ms);
        l.loop.turn([&] { l.loop.line().fail_all(errc::closed); });
        for (const result_pointer& each : {one, kept}) {
            BOOST_TEST(each->done());
            if (each->failed) BOOST_TEST((each->failed->why == errc::closed));
        }
        BOOST_TEST(!watches.is_open());
        BOOST_TEST(!l.loop.line().is_busy());
        l.loop.context.poll();
        BOOST_TEST(l.loop.losses.empty());
    }
}

BOOST_AUTO_TEST_CASE(what_is_forgotten_is_not_told) {
    for (int steps = 0; steps < 12; ++steps) {
        line_fixture l(to_ports({server.port()}));
        heard_stream watches(etcd::methods::watch, l.loop.line());
        l.loop.when_served = [&] { watches.open(); };
        l.loop.start();
        const result_pointer one = l.ask(etcd::methods::put, put("key"));
        for (int i = 0; i < steps; ++i)
            l.loop.context.run_one_for(10ms);
        const bool done = one->done();
        l.loop.line().abandon();
        BOOST_TEST(one->done() == done);
        BOOST_TEST(one.use_count() == 1);
        BOOST_TEST(!watches.end.has_value());
    }
}

BOOST_AUTO_TEST_CASE(a_line_may_be_stopped_in_whatever_it_tells) {
    {
        line_fixture l(to_ports({server.port()}));
        l.loop.when_served = [&] { l.loop.line().stop(); };
        l.loop.start();
        BOOST_TEST(l.loop.run_until([&] { return l.loop.services == 1; }));
    }
    line_fixture l(to_ports({server.port()}));
    l.loop.when_lost = [&] { l.loop.line().fail_all(errc::closed); };
    BOOST_TEST_REQUIRE(l.loop.serves());
    const result_pointer one = l.ask(etcd::methods::put, put("key"), {}, true);
    server.kill(0);
    BOOST_TEST(l.loop.loses());
    BOOST_TEST(one->done());
    BOOST_TEST(!l.loop.line().may_soon_serve());
}

BOOST_AUTO_TEST_CASE(a_child_that_leaves_does_not_disturb_its_parent) {
    BOOST_TEST_REQUIRE(loop.serves());
    answer(etcd::methods::put, put("key"));
    const result_pointer one = ask(etcd::methods::put, put("key"));
    loop.context.notify_fork(boost::asio::execution_context::fork_prepare);
    const pid_t child = fork_between_handlers();
    if (child == 0) {
        loop.context.notify_fork(boost::asio::execution_context::fork_child);
        loop.line().leave();
        loop.turn([&] { loop.line().fail_all(errc::closed); });
        ::_exit(one->failed && one->failed->in_doubt ? 0 : 1);
    }
    loop.context.notify_fork(boost::asio::execution_context::fork_parent);
    int status = -1;
    BOOST_TEST(::waitpid(child, &status, 0) == child);
    BOOST_TEST(status == 0);
    BOOST_TEST(ends(one));
    BOOST_TEST(one->response.has_value());
    answer(etcd::methods::put, put("key"));
    BOOST_TEST(loop.losses.empty());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace redlock::test
