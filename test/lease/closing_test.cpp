#include "lease_fixture.hpp"

#include <redlock/observer.hpp>
#include <redlock/with_diagnostics.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <future>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace redlock::test {
namespace {

namespace asio = boost::asio;

/// A client in every state at once.
struct everything {
    explicit everything(lease_fixture& f) : locks(std::in_place, f.make_client()) {
        lock_options options = patiently();
        options.stop = &work;
        held = f.lock(*locks, "held", options);
        f.hold(24h, "wanted");
        locks->async_lock("wanted", patiently(), contends.handler());
        locks->async_lock("held", patiently(), waits_behind.handler());
        locks->async_lock("wanted", patiently(), waits_for_the_first.handler());
        held.async_wait_lost(lost.handler());
        f.settle();
    }
    bool over() const {
        return contends.done() && waits_behind.done() && waits_for_the_first.done() && lost.done();
    }
    void expect_closed() const {
        for (const auto* o : {&contends, &waits_behind, &waits_for_the_first}) {
            BOOST_TEST(o->completions() == 1);
            BOOST_TEST(o->error() == errc::closed);
        }
        BOOST_TEST(lost.completions() == 1);
        BOOST_TEST(lost.error() == errc::closed);
        BOOST_TEST(work.stop_requested());
        BOOST_TEST(!held.valid());
    }

    std::stop_source work;
    std::optional<client> locks;
    lease held;
    outcome<lease> contends, waits_behind, waits_for_the_first;
    outcome<> lost;
};

struct closing_test_fixture : lease_fixture {
    void expect_nothing_left() {
        BOOST_TEST(!is_held("held"));
        BOOST_TEST(waiting("held") == 0u);
        BOOST_TEST(waiting("wanted") == 0u);
    }
};

BOOST_FIXTURE_TEST_SUITE(closing_suite, closing_test_fixture, *boost::unit_test::precondition(engine_in_hand))

BOOST_AUTO_TEST_CASE(closing_ends_everything) {
    everything all(*this);
    outcome<> first, second, third;
    all.locks->async_close(first.handler());
    all.locks->async_close(second.handler());
    BOOST_REQUIRE((complete(first) && complete(second)));
    BOOST_TEST((!first.error() && !second.error()));
    BOOST_TEST(all.over());
    all.expect_closed();
    expect_nothing_left();
    all.locks->async_close(third.handler());
    BOOST_REQUIRE(complete(third));
    BOOST_TEST(try_lock(*all.locks, "free") == errc::closed);
    BOOST_TEST(unlock(all.held) == errc::closed);
    BOOST_TEST(extend(all.held, long_ttl) == errc::closed);
    BOOST_TEST(all.locks->metrics().held == 0u);
    BOOST_TEST(all.locks->metrics().waiting == 0u);
}

// What is left of a call would last as long as the client, or longer.
BOOST_AUTO_TEST_CASE(no_call_that_was_completed_keeps_anything) {
    auto told = std::make_shared<observer>();
    const std::weak_ptr<observer> left = told;
    config c = settings();
    c.observer = std::move(told);
    {
        client locks(context.get_executor(), std::move(c));
        BOOST_TEST(!try_lock(locks));
        lease held = lock(locks);
        BOOST_TEST(!extend(held, 2 * long_ttl));
        BOOST_TEST(try_lock(locks) == errc::held);
        (void)inspect(locks);
        (void)check(locks, 1);
        outcome<> given_up, lost;
        outcome<lease> waits;
        asio::cancellation_signal loses_interest;
        const auto bound = [&](auto handler) {
            return asio::bind_cancellation_slot(loses_interest.slot(), std::move(handler));
        };
        held.async_wait_lost(bound(given_up.handler()));
        settle();
        loses_interest.emit(asio::cancellation_type::total);
        BOOST_TEST(complete(given_up));
        locks.async_lock("key", patiently(), bound(waits.handler()));
        settle();
        loses_interest.emit(asio::cancellation_type::total);
        BOOST_TEST(complete(waits));
        held.async_wait_lost(lost.handler());
        BOOST_TEST(!unlock(held));
        BOOST_TEST(complete(lost));
        close(locks);
    }
    settle();
    BOOST_TEST(left.expired());
}

BOOST_AUTO_TEST_CASE(destroying_does_the_same_in_the_background) {
    everything all(*this);
    all.locks.reset();
    BOOST_REQUIRE(run_until([&] { return all.over(); }));
    all.expect_closed();
    expect_nothing_left();
    BOOST_TEST(unlock(all.held) == errc::closed);
}

// Nothing of a client that was closed keeps its loop at work.
BOOST_AUTO_TEST_CASE(a_loop_ends_when_its_clients_are_closed) {
    asio::io_context loop(1);
    std::optional<client> locks(std::in_place, loop.get_executor(), settings());
    outcome<lease> got;
    locks->async_lock("key", patiently(), got.handler());
    loop.poll();
    BOOST_TEST(!loop.stopped());
    locks.reset();
    loop.run_for(patience);
    BOOST_TEST(loop.stopped());
    BOOST_TEST(!is_held());
    pass(1s); // which it does not hear of any more
    loop.restart();
    BOOST_TEST(loop.poll() == 0u);
}

BOOST_AUTO_TEST_CASE(assigning_closes_what_was_there) {
    everything all(*this);
    client other = make_client();
    lease kept = lock(other, "kept");
    *all.locks = std::move(other);
    BOOST_REQUIRE(run_until([&] { return all.over(); }));
    all.expect_closed();
    BOOST_TEST(kept.valid());
    BOOST_TEST(!try_lock(*all.locks, "held"));
    BOOST_TEST(!unlock(kept));
}

BOOST_AUTO_TEST_CASE(a_loop_that_is_gone_completes_nothing) {
    auto loop = std::make_unique<asio::io_context>(1);
    const auto token = std::make_shared<int>(0);
    client locks(loop->get_executor(), settings());
    lease held;
    int completions = 0;
    locks.async_lock("held", patiently(), [&, token](error_code, lease l) {
        held = std::move(l);
        held.async_wait_lost([&, token](error_code) { ++completions; });
    });
    loop->poll();
    BOOST_TEST(held.valid());
    for (const char* key : {"held", "held", "other", "other"})
        locks.async_lock(key, patiently(), [&, token](error_code, lease) { ++completions; });
    loop.reset();
    BOOST_TEST(completions == 0);
    BOOST_TEST(token.use_count() == 1);
    BOOST_TEST(is_held("held")); // as when the process had died
    BOOST_TEST(waiting("held") == 0u);
    pass(601s);
    BOOST_TEST(!is_held("held"));
    BOOST_TEST(!held.valid());
}

// A client that outlives its loop is like one that was closed, for whoever asks it from another loop.
BOOST_AUTO_TEST_CASE(a_client_whose_loop_is_gone_is_closed) {
    auto loop = std::make_unique<asio::io_context>(1);
    client locks(loop->get_executor(), settings());
    outcome<lease> granted;
    locks.async_lock("held", patiently(), granted.handler());
    loop->poll();
    BOOST_REQUIRE(granted.done());
    lease held = std::move(granted.value());
    auto prepared = locks.async_lock("held", patiently());
    loop.reset();

    BOOST_TEST(static_cast<bool>(locks.get_executor()));
    const auto here = [&](auto& ending) { return asio::bind_executor(context, ending.handler()); };
    outcome<lease> locked, later;
    outcome<key_report> inspected;
    outcome<> checked, unlocked, extended, lost, closed;
    locks.async_lock("held", patiently(), here(locked));
    std::move(prepared)(here(later));
    locks.async_inspect("held", here(inspected));
    locks.async_check("held", 1, here(checked));
    held.async_extend(long_ttl, here(extended));
    held.async_wait_lost(here(lost));
    held.async_unlock(here(unlocked));
    locks.async_close(here(closed));
    int refused = 0;
    const auto never = [](lease&) -> asio::awaitable<void> { co_return; };
    const auto used = [&](std::exception_ptr failure) {
        BOOST_CHECK_EXCEPTION(std::rethrow_exception(failure), boost::system::system_error,
                              [](const auto& e) { return e.code() == errc::closed; });
        ++refused;
    };
    locks.async_with_lock("held", patiently(), never, asio::bind_executor(context, used));
    for (const int begun : {locked.completions(), closed.completions(), unlocked.completions()})
        BOOST_TEST(begun == 0);
    BOOST_REQUIRE(run_until([&] { return closed.done() && unlocked.done() && locked.done(); }));
    settle();
    for (const error_code& e : {locked.error(), later.error(), inspected.error(), checked.error(),
                                unlocked.error(), extended.error(), lost.error()})
        BOOST_TEST(e == errc::closed);
    BOOST_TEST(!closed.error());
    BOOST_TEST(run_until([&] { return refused == 1; }));
    for (const int count :
         {locked.completions(), later.completions(), inspected.completions(), checked.completions(),
          unlocked.completions(), extended.completions(), lost.completions(), closed.completions()})
        BOOST_TEST(count == 1);
    // Without an executor of its own a handler is called on one of Asio's threads. No exception leaves it:
    // the sanitizer of threads does not see how the standard library counts the owners of one.
    std::promise<error_code> outcome_of_lock;
    locks.async_lock("held", patiently(), [&](error_code e, lease) { outcome_of_lock.set_value(e); });
    std::future<error_code> told = outcome_of_lock.get_future();
    BOOST_REQUIRE((told.wait_for(patience) == std::future_status::ready));
    BOOST_TEST(told.get() == errc::closed);
    std::promise<std::string> sentence;
    locks.async_inspect("held", with_diagnostics([&](std::exception_ptr failure, key_report) {
                            try {
                                std::rethrow_exception(std::move(failure));
                            } catch (const error_with_diagnostics& e) {
                                sentence.set_value(e.what());
                            }
                        }));
    std::future<std::string> said = sentence.get_future();
    BOOST_REQUIRE((said.wait_for(patience) == std::future_status::ready));
    BOOST_TEST(said.get() == "the execution context of the client was destroyed");
}

BOOST_AUTO_TEST_CASE(a_lease_that_lost_its_last_owner_is_given_back) {
    client locks = make_client();
    lease held = lock(locks), other = lock(locks, "other");
    held = std::move(other); // "key" is dropped
    settle();
    BOOST_TEST(!is_held());
    BOOST_TEST(held.key() == "other");
    lease moved = std::move(held);
    BOOST_TEST(!held);
    BOOST_TEST(!held.valid());
    BOOST_TEST(held.key() == "");
    BOOST_TEST(!held.stop_token().stop_possible());
    BOOST_TEST(unlock(held) == errc::lease_lost);
    BOOST_TEST(extend(held, long_ttl) == errc::lease_lost);
    BOOST_TEST(moved.valid());
    { const lease last = std::move(moved); }
    settle();
    BOOST_TEST(!is_held("other"));
    BOOST_TEST(locks.metrics().unlocks == 2u);
}

// What was asked of a lease goes on without the object.
BOOST_AUTO_TEST_CASE(operations_outlive_the_lease_object) {
    client locks = make_client();
    lease held = lock(locks);
    outcome<> extended, lost;
    held.async_extend(2 * long_ttl, extended.handler());
    held.async_wait_lost(lost.handler());
    held = lease();
    settle();
    BOOST_TEST((extended.completions() == 1 && !extended.error()));
    BOOST_TEST(lost.completions() == 1);
    BOOST_TEST(lost.error() == asio::error::operation_aborted);
    BOOST_TEST(!is_held());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
