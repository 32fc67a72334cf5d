// Clients and leases that were moved from.

#include "any_operation.hpp"

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/strand.hpp>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <optional>
#include <thread>

namespace redlock::test {
namespace {

namespace data = boost::unit_test::data;

bool is_of_lease(operation what) {
    return what == operation::unlock || what == operation::extend || what == operation::wait_lost;
}

struct empty_test_fixture : lock_fixture {
    empty_test_fixture() : lock_fixture(3) {}
    client locks{context.get_executor(), settings()};
};

BOOST_FIXTURE_TEST_SUITE(moved_from, empty_test_fixture)

BOOST_DATA_TEST_CASE_F(empty_test_fixture, a_call_on_a_client_that_was_moved_from_is_refused,
                       data::make(all_operations), what) {
    client other(std::move(locks));
    lease none;
    error_code found;
    bool ran_here = false;
    auto call = [&]() -> asio::awaitable<void> {
        try {
            co_await perform(what, locks, none);
        } catch (const boost::system::system_error& e) {
            found = e.code();
        }
        ran_here = context.get_executor().running_in_this_thread();
    };
    run(call());
    BOOST_TEST(ran_here);
    if (is_of_lease(what))
        BOOST_TEST(found == errc::lease_lost);
    else if (what == operation::close)
        BOOST_TEST(!found);
    else
        BOOST_TEST(found == errc::closed);
    lease held = lock(other, "wanted");
    BOOST_TEST(held.valid());
    close(other);
}

BOOST_AUTO_TEST_CASE(a_client_that_was_moved_from_has_nothing_to_tell) {
    client other(std::move(locks));
    BOOST_TEST(locks.metrics().nodes.empty());
    BOOST_TEST(static_cast<bool>(locks.get_executor()));
    locks = std::move(other);
    BOOST_TEST(locks.metrics().nodes.size() == 3u);
    close(locks);
}

// Prepared before the move, started after it: it belongs to the client that it was asked of.
BOOST_AUTO_TEST_CASE(an_operation_of_a_client_goes_on_after_the_move) {
    auto prepared = locks.async_lock("key", patiently());
    client other(std::move(locks));
    outcome<lease> result;
    std::move(prepared)(result.handler());
    BOOST_TEST(run_until([&] { return result.done(); }));
    BOOST_TEST(!result.error());
    close(other);
}

BOOST_AUTO_TEST_CASE(a_call_on_an_empty_lease_keeps_to_the_executor_of_its_handler) {
    auto strand = asio::make_strand(context);
    lease none;
    int ran = 0;
    const auto handler = [&](error_code ec) {
        BOOST_TEST(ec == errc::lease_lost);
        ran += strand.running_in_this_thread();
    };
    none.async_unlock(asio::bind_executor(strand, handler));
    none.async_extend(5s, asio::bind_executor(strand, handler));
    none.async_wait_lost(asio::bind_executor(strand, handler));
    BOOST_TEST(ran == 0);
    BOOST_TEST(run_until([&] { return ran == 3; }));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
