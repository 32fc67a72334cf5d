// Reading and writing on the engine in memory: what is told here of the lease layer goes for any engine.

#include "lease/lease_fixture.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <deque>
#include <stop_token>

namespace redlock::test {
namespace {

namespace asio = boost::asio;

lock_options to(mode m, lock_options options = patiently()) {
    options.mode = m;
    return options;
}

struct reading_fixture : lease_fixture {
    client locks = make_client();
    client other = make_client();
};

BOOST_FIXTURE_TEST_SUITE(reading_suite, reading_fixture, *boost::unit_test::precondition(engine_in_hand))

BOOST_AUTO_TEST_CASE(readers_share_it_and_writers_do_not) {
    lease one = lock(locks, "key", to(mode::read));
    lease two = lock(locks, "key", to(mode::read));
    lease three = lock(other, "key", to(mode::read));
    BOOST_TEST(is_held());
    BOOST_TEST(try_lock(other, "key", to(mode::write, once())) == errc::held);
    BOOST_TEST(!unlock(one));
    BOOST_TEST(!unlock(two));
    BOOST_TEST(!unlock(three));
    lease writer = lock(locks, "key", to(mode::write));
    for (client* who : {&locks, &other})
        for (const mode m : {mode::read, mode::write, mode::exclusive})
            BOOST_TEST(try_lock(*who, "key", to(m, once())) == errc::held);
    BOOST_TEST(!unlock(writer));
    BOOST_TEST(!is_held());
}

BOOST_AUTO_TEST_CASE(who_waits_to_write_is_not_passed_by_new_readers) {
    lease reader = lock(locks, "key", to(mode::read));
    outcome<lease> writer, later;
    other.async_lock("key", to(mode::write), writer.handler());
    BOOST_REQUIRE(run_until([&] { return waiting() == 1; }));
    locks.async_lock("key", to(mode::read), later.handler());
    BOOST_REQUIRE(run_until([&] { return waiting() == 2; }));
    BOOST_TEST(try_lock(locks, "key", to(mode::read, once())) == errc::held);
    BOOST_TEST(!unlock(reader));
    BOOST_REQUIRE(complete(writer));
    BOOST_TEST(!later.done());
    BOOST_TEST(!unlock(writer.value()));
    BOOST_REQUIRE(complete(later));
    BOOST_TEST(!later.error());
}

BOOST_AUTO_TEST_CASE(all_readers_of_a_client_come_in_with_the_first) {
    lease writer = lock(other, "key", to(mode::write));
    std::deque<outcome<lease>> readers(8);
    for (auto& reader : readers)
        locks.async_lock("key", to(mode::read), reader.handler());
    BOOST_REQUIRE(run_until([&] { return waiting() == 1; })); // one for all of them
    BOOST_TEST(locks.metrics().waiting == readers.size());
    BOOST_TEST(!unlock(writer));
    for (auto& reader : readers) {
        BOOST_REQUIRE(complete(reader));
        BOOST_TEST(reader.value().valid());
    }
    BOOST_TEST(locks.metrics().held == readers.size());
    BOOST_TEST(locks.metrics().waiting == 0u);
    readers.clear();
    settle();
    BOOST_TEST(!is_held());
}

BOOST_AUTO_TEST_CASE(a_reader_that_runs_out_makes_room) {
    lock_options brief = to(mode::read);
    brief.renew = false;
    lease passing = lock(locks, "key", brief);
    outcome<lease> writer;
    other.async_lock("key", to(mode::write), writer.handler());
    BOOST_REQUIRE(run_until([&] { return waiting() == 1; }));
    pass(long_ttl + 1s);
    BOOST_REQUIRE(complete(writer));
    BOOST_TEST(!writer.error());
    BOOST_TEST(!passing.valid());
    BOOST_TEST(unlock(passing) == errc::lease_lost);
    BOOST_TEST(writer.value().valid());
}

BOOST_AUTO_TEST_CASE(readers_are_renewed_and_extended) {
    lease held = lock(locks, "key", to(mode::read));
    for (int i = 0; i < 5; ++i)
        pass(5min);
    BOOST_TEST(held.valid());
    BOOST_TEST(!extend(held, 3 * long_ttl));
    BOOST_TEST(held.remaining() > long_ttl);
}

BOOST_AUTO_TEST_CASE(every_reader_hears_of_the_loss) {
    std::stop_source stops[2];
    lock_options options = to(mode::read);
    options.stop = &stops[0];
    lease one = lock(locks, "key", options);
    options.stop = &stops[1];
    lease two = lock(other, "key", options);
    BOOST_TEST(lose());
    BOOST_TEST((stops[0].stop_requested() && stops[1].stop_requested()));
    BOOST_TEST((!one.valid() && !two.valid()));
    BOOST_TEST(!is_held());
}

BOOST_AUTO_TEST_CASE(tokens_rise) {
    lock_options reading = to(mode::read), writing = to(mode::write);
    reading.fencing = writing.fencing = true;
    lease one = lock(locks, "key", reading);
    lease two = lock(locks, "key", reading);
    BOOST_TEST(two.fencing_token().value() > one.fencing_token().value());
    const auto last = two.fencing_token().value();
    BOOST_TEST(!unlock(one));
    BOOST_TEST(!unlock(two));
    lease writer = lock(other, "key", writing);
    BOOST_TEST(writer.fencing_token().value() > last);
}

BOOST_AUTO_TEST_CASE(a_writer_here_is_not_handed_what_another_has_without_regard_to_readers) {
    lease reader = lock(other, "key", to(mode::read));
    lease exclusive = lock(locks, "key", to(mode::exclusive)); // knows nothing of readers
    outcome<lease> writer;
    locks.async_lock("key", to(mode::write), writer.handler());
    settle();
    BOOST_TEST(!unlock(exclusive));
    settle();
    BOOST_TEST(!writer.done());
    BOOST_TEST(!unlock(reader));
    BOOST_REQUIRE(complete(writer));
    BOOST_TEST(!writer.error());
}

BOOST_AUTO_TEST_CASE(cancelled_and_closed_calls_leave_nothing) {
    lease writer = lock(other, "key", to(mode::write));
    asio::cancellation_signal cancel;
    outcome<lease> got, left;
    locks.async_lock("key", to(mode::read), asio::bind_cancellation_slot(cancel.slot(), got.handler()));
    locks.async_lock("key", to(mode::read), left.handler());
    BOOST_REQUIRE(run_until([&] { return waiting() == 1; }));
    cancel.emit(asio::cancellation_type::total);
    BOOST_REQUIRE(complete(got));
    BOOST_TEST(got.error() == asio::error::operation_aborted);
    BOOST_TEST(waiting() == 1u);
    close(locks);
    BOOST_TEST(left.error() == errc::closed);
    BOOST_TEST(waiting() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
