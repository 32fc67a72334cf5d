#include "critical.hpp"
#include "lease_fixture.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <exception>
#include <memory>
#include <thread>

namespace redlock::test {
namespace {

namespace asio = boost::asio;

/// A client on a thread of its own, with several callers.
class contender {
public:
    contender(const config& c, critical& at, bool fencing, int callers, int rounds)
        : locks_(std::make_unique<client>(loop_.get_executor(), c)),
          at_(at),
          fencing_(fencing),
          callers_(callers) {
        for (int i = 0; i < callers; ++i)
            asio::co_spawn(loop_, call(rounds), [this](std::exception_ptr failure) { over(failure); });
    }
    /// Of a test that has failed.
    ~contender() {
        loop_.stop();
        if (thread_.joinable()) thread_.join();
    }
    void start() {
        thread_ = std::thread([this] { loop_.run(); });
    }
    void join() {
        thread_.join();
        if (failure_) std::rethrow_exception(failure_);
    }
    /// While it cannot have come to its end.
    bool waits() const {
        const metrics_snapshot now = locks_->metrics();
        return now.waiting > 0 && now.refusals > 0;
    }
    std::uint64_t remote_handoffs = 0;

private:
    asio::awaitable<void> call(int rounds) {
        lock_options options = patiently();
        options.fencing = fencing_;
        for (int i = 0; i < rounds; ++i) {
            lease held = co_await locks_->async_lock("key", options, asio::use_awaitable);
            at_.enter(held.fencing_token().value_or(0));
            at_.leave();
            co_await held.async_unlock(asio::use_awaitable);
        }
    }
    void over(std::exception_ptr failure) {
        if (failure) {
            failure_ = failure;
            for (const auto& n : locks_->metrics().nodes)
                BOOST_TEST_MESSAGE(n.last_error_text);
        }
        if (--callers_ > 0) return;
        remote_handoffs = locks_->metrics().remote_handoffs;
        locks_.reset();
    }

    asio::io_context loop_{1};
    std::unique_ptr<client> locks_;
    critical& at_;
    const bool fencing_;
    int callers_;
    std::exception_ptr failure_;
    std::thread thread_;
};

struct two_threads_test_fixture : lease_fixture {
    void contend(bool fencing, int callers, int rounds) {
        if (!hand) rounds /= 50; // each waits for a disk, perhaps
        contender a(settings(), at, fencing, callers, rounds), b(settings(), at, fencing, callers, rounds);
        client first = make_client();
        lease held = lock(first);
        a.start();
        b.start();
        // So that neither is done before the other. Not every engine knows how many wait.
        const bool is_told = hand || inspect(first).waiting.has_value();
        BOOST_TEST(run_until([&] { return is_told ? waiting() == 2 : a.waits() && b.waits(); }));
        BOOST_TEST(!unlock(held));
        a.join();
        b.join();
        BOOST_TEST(at.overlaps == 0);
        BOOST_TEST(at.entries == 2 * callers * rounds);
        handovers = a.remote_handoffs + b.remote_handoffs;
        BOOST_TEST(handovers > 0u);
        BOOST_TEST_MESSAGE(handovers << " grants after a wait for the other thread");
        BOOST_TEST(!is_held());
        BOOST_TEST(run_until([&] { return waiting() == 0; })); // a server may take a moment to see them go
    }

    critical at;
    std::uint64_t handovers = 0;
};

BOOST_FIXTURE_TEST_SUITE(two_threads_suite, two_threads_test_fixture)

BOOST_AUTO_TEST_CASE(two_callers_take_turns) { contend(false, 1, 5000); }

BOOST_AUTO_TEST_CASE(tokens_rise_whoever_is_served) { contend(true, 1, 2000); }

BOOST_AUTO_TEST_CASE(callers_of_one_client_and_of_two_take_turns) { contend(true, 4, 500); }

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(handle_and_threads_suite, two_threads_test_fixture,
                         *boost::unit_test::precondition(engine_in_hand))

// Every call completes, whatever another thread does to the keys meanwhile.
BOOST_AUTO_TEST_CASE(keys_can_be_lost_while_they_are_passed_on) {
    std::atomic<bool> over{false};
    std::thread meddler([&] {
        for (unsigned i = 0; !over; ++i) {
            if (i % 3 == 0) hand->hold(prefix + "key", 1ms);
            hand->lose(prefix + "key");
            hand->let_time_pass(1ms);
            std::this_thread::yield();
        }
    });
    int completed = 0, started = 0;
    client a = make_client(), b = make_client();
    while (started < 2000) {
        for (client* locks : {&a, &b}) {
            ++started;
            locks->async_lock("key", patiently(), [&](error_code e, lease) {
                BOOST_CHECK(!e);
                ++completed;
            });
        }
        BOOST_REQUIRE(run_until([&] { return completed == started; }));
    }
    over = true;
    meddler.join();
    settle();
    lose();
    BOOST_TEST(waiting() == 0u);
    BOOST_TEST(!is_held());
}

// A client that is closed hears of nothing any more, also while it is being destroyed.
BOOST_AUTO_TEST_CASE(time_can_pass_while_clients_come_and_go) {
    std::atomic<bool> over{false};
    std::thread clock([&] {
        while (!over)
            hand->let_time_pass(1ms);
    });
    for (int i = 0; i < 2000; ++i) {
        client locks = make_client();
        close(locks);
    }
    over = true;
    clock.join();
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
