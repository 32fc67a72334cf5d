// The face for threads, with the engine in memory.

#include "support/eventually.hpp"

#include <redlock/blocking.hpp>
#include <redlock/testing.hpp>

#include <boost/system/system_error.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <functional>
#include <future>
#include <string>
#include <thread>
#include <vector>

namespace redlock::test {

bool lock_without_asio();

namespace {

using namespace std::chrono_literals;
using boost::system::error_code;
using boost::system::system_error;

error_code code_of(const std::function<void()>& body) {
    try {
        body();
    } catch (const system_error& e) {
        return e.code();
    }
    return {};
}

struct blocking_fixture {
    blocking::client another() const { return blocking::client({.nodes = {"memory://" + name}}); }

    const std::string name = boost::unit_test::framework::current_test_case().p_name;
    testing::memory_handle store{name};
    blocking::client locks = another();
};

BOOST_FIXTURE_TEST_SUITE(threads, blocking_fixture)

BOOST_AUTO_TEST_CASE(a_lock_is_held_until_it_is_unlocked) {
    blocking::client other = another();
    blocking::lease held = locks.lock("key", {.fencing = true});
    BOOST_TEST(held.valid());
    BOOST_TEST(held.key() == "key");
    BOOST_TEST((held.remaining() > 1s));
    BOOST_TEST(held.fencing_token().has_value());
    BOOST_TEST(held.slot() == 0u);
    BOOST_TEST(!other.try_lock("key"));
    held.extend(60s);
    BOOST_TEST((held.remaining() > 30s));
    held.unlock();
    BOOST_TEST(!held.valid());
    BOOST_TEST(bool(other.try_lock("key")));
}

BOOST_AUTO_TEST_CASE(the_header_has_no_asio_in_it) { BOOST_TEST(lock_without_asio()); }

BOOST_AUTO_TEST_CASE(the_end_of_the_object_gives_the_key_back) {
    blocking::client other = another();
    { const blocking::lease held = locks.lock("key"); }
    BOOST_TEST(bool(other.lock("key", {.wait = 60s})));
}

BOOST_AUTO_TEST_CASE(what_is_held_by_somebody_else_is_waited_for_as_long_as_wanted) {
    blocking::client other = another();
    const blocking::lease held = locks.lock("key");
    BOOST_TEST(!other.try_lock_for("key", 10ms));
    BOOST_TEST(code_of([&] { static_cast<void>(other.lock("key", {.wait = 10ms})); }) == errc::wait_timeout);
    BOOST_TEST(code_of([&] { static_cast<void>(other.lock("key", {.wait = 0ms})); }) == errc::held);
}

BOOST_AUTO_TEST_CASE(what_is_thrown_names_the_key_or_the_option) {
    const auto text_of = [&](const std::string& key, lock_options options) -> std::string {
        try {
            static_cast<void>(locks.try_lock(key, options));
        } catch (const std::exception& e) {
            return e.what();
        }
        return {};
    };
    BOOST_TEST(text_of("key", {.ttl = 1ms}).find("ttl") != std::string::npos);
    BOOST_TEST(text_of("key:redlock-fence", {}).find("key:redlock-fence") != std::string::npos);
    BOOST_CHECK_THROW(blocking::client({}), std::system_error);
}

BOOST_AUTO_TEST_CASE(a_thread_that_is_to_stop_gives_up) {
    blocking::client other = another();
    const blocking::lease held = locks.lock("key");
    std::promise<error_code> end;
    std::jthread waiting([&](std::stop_token asked) {
        end.set_value(code_of([&] { static_cast<void>(other.lock("key", asked)); }));
    });
    BOOST_REQUIRE(eventually([&] { return store.waiting("key") == 1u; }));
    waiting.request_stop();
    BOOST_TEST(end.get_future().get() == boost::system::errc::operation_canceled);
    std::stop_source before;
    before.request_stop();
    BOOST_TEST(code_of([&] { static_cast<void>(other.lock("key", before.get_token())); }) ==
               boost::system::errc::operation_canceled);
}

BOOST_AUTO_TEST_CASE(threads_keep_each_other_out) {
    constexpr int threads = 8, turns = 50;
    std::atomic<int> inside = 0;
    int sum = 0;
    bool overlap = false;
    {
        std::vector<std::jthread> all;
        for (int i = 0; i < threads; ++i)
            all.emplace_back([&] {
                for (int turn = 0; turn < turns; ++turn) {
                    blocking::lease held = locks.lock("key");
                    overlap = overlap || inside++ != 0;
                    ++sum;
                    --inside;
                    held.unlock();
                }
            });
    }
    BOOST_TEST(sum == threads * turns);
    BOOST_TEST(!overlap);
}

BOOST_AUTO_TEST_CASE(a_loss_requests_stop) {
    const blocking::lease held = locks.lock("key");
    std::promise<void> told;
    const std::stop_callback on_stop(held.stop_token(), [&] { told.set_value(); });
    BOOST_TEST(store.lose("key"));
    told.get_future().get();
    BOOST_TEST(!held.valid());
}

BOOST_AUTO_TEST_CASE(an_unlock_of_what_was_lost_says_so) {
    blocking::lease held = locks.lock("key");
    BOOST_TEST(store.lose("key"));
    error_code error;
    held.unlock(error);
    BOOST_TEST(error == errc::lease_lost);
    BOOST_TEST(code_of([&] { held.unlock(); }) == errc::lease_lost);
    blocking::lease none;
    BOOST_TEST(!none);
    BOOST_TEST(!none.valid());
    BOOST_TEST(none.key().empty());
    BOOST_TEST(code_of([&] { none.unlock(); }) == errc::lease_lost);
    BOOST_TEST(code_of([&] { none.extend(1s); }) == errc::lease_lost);
}

BOOST_AUTO_TEST_CASE(the_end_of_the_client_ends_what_it_gave) {
    blocking::client other = another();
    blocking::lease held = locks.lock("key");
    blocking::lease waits_for = other.lock("other");
    std::promise<error_code> end;
    std::jthread waiting([&] { end.set_value(code_of([&] { static_cast<void>(locks.lock("other")); })); });
    BOOST_REQUIRE(eventually([&] { return store.waiting("other") == 1u; }));
    locks = another();
    BOOST_TEST(end.get_future().get() == errc::closed);
    BOOST_TEST(!held.valid());
    BOOST_TEST(held.stop_token().stop_requested());
    BOOST_TEST(code_of([&] { held.unlock(); }) == errc::closed);
    BOOST_TEST(bool(other.try_lock("key")));
}

BOOST_AUTO_TEST_CASE(a_client_that_was_moved_from_is_closed) {
    blocking::client moved = std::move(locks);
    BOOST_TEST(code_of([&] { static_cast<void>(locks.lock("key")); }) == errc::closed);
    BOOST_TEST(bool(moved.lock("key")));
}

BOOST_AUTO_TEST_CASE(a_callback_that_would_wait_for_itself_is_told) {
    const blocking::lease held = locks.lock("key");
    std::promise<error_code> told;
    const std::stop_callback on_stop(held.stop_token(), [&] {
        told.set_value(code_of([&] { static_cast<void>(locks.lock("another key")); }));
    });
    BOOST_TEST(store.lose("key"));
    BOOST_TEST(told.get_future().get() == boost::system::errc::resource_deadlock_would_occur);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
