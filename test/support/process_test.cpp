#include "support/child_process.hpp"
#include "support/event_loop.hpp"
#include "support/eventually.hpp"
#include "support/temporary_folder.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <csignal>
#include <fstream>

namespace redlock::test {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(process_suite)

BOOST_AUTO_TEST_CASE(talks_in_lines) {
    child_process cat({"cat"});
    cat.write_line("one");
    cat.write_line("two");
    BOOST_TEST(cat.read_line(patience).value() == "one");
    BOOST_TEST(cat.read_line(patience).value() == "two");
    BOOST_TEST(!cat.read_line(1ms).has_value());
    cat.close_input();
    BOOST_TEST(!cat.read_line(patience).has_value());
    BOOST_TEST(cat.wait(patience).value() == 0);
}

BOOST_AUTO_TEST_CASE(a_stopped_child_is_silent_until_it_is_resumed) {
    child_process cat({"cat"});
    cat.stop();
    cat.write_line("late");
    BOOST_TEST(!cat.read_line(100ms).has_value());
    cat.resume();
    BOOST_TEST(cat.read_line(patience).value() == "late");
}

BOOST_AUTO_TEST_CASE(a_killed_child_has_ended) {
    child_process cat({"cat"});
    cat.kill();
    BOOST_TEST(cat.wait(0ms).value() == -SIGKILL);
    BOOST_TEST(::kill(cat.pid(), 0) == -1);
    BOOST_CHECK_THROW(cat.write_line("nobody reads this"), std::system_error);
}

BOOST_AUTO_TEST_CASE(a_missing_program_is_an_error) {
    BOOST_CHECK_THROW(child_process({"/nonexistent/program"}), std::system_error);
}

BOOST_AUTO_TEST_CASE(a_temporary_folder_goes_with_its_content) {
    std::filesystem::path path;
    {
        const temporary_folder folder;
        path = folder.path();
        std::ofstream(path / "file") << "content";
        BOOST_TEST(std::filesystem::exists(path / "file"));
    }
    BOOST_TEST(!std::filesystem::exists(path));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(event_loop_suite, event_loop)

asio::awaitable<int> answer() { co_return 42; }

asio::awaitable<void> failure() {
    throw std::logic_error("on purpose");
    co_return;
}

asio::awaitable<void> never() {
    asio::steady_timer timer(co_await asio::this_coro::executor, asio::steady_timer::time_point::max());
    co_await timer.async_wait(asio::use_awaitable);
}

BOOST_AUTO_TEST_CASE(returns_what_a_coroutine_returns) { BOOST_TEST(run(answer()) == 42); }

BOOST_AUTO_TEST_CASE(throws_what_a_coroutine_throws) { BOOST_CHECK_THROW(run(failure()), std::logic_error); }

BOOST_AUTO_TEST_CASE(gives_up_on_a_coroutine_that_does_not_end) {
    BOOST_CHECK_THROW(run(never(), 20ms), std::runtime_error);
    BOOST_TEST(run(answer()) == 42);
}

BOOST_AUTO_TEST_CASE(runs_handlers_until_something_is_true) {
    int calls = 0;
    asio::steady_timer timer(context, 1ms);
    timer.async_wait([&](boost::system::error_code) { ++calls; });
    BOOST_TEST(run_until([&] { return calls == 1; }));
    BOOST_TEST(!run_until(10ms, [] { return false; }));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
