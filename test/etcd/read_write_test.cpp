// Locks for reading and writing in a real etcd cluster.

#include "etcd_fixture.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <deque>
#include <stop_token>
#include <vector>

namespace redlock::test {
namespace {

namespace asio = boost::asio;

lock_options to(mode m, lock_options options = patiently()) {
    options.mode = m;
    return options;
}

struct etcd_read_write_fixture : etcd_fixture {
    client locks = make_client(), others = make_client();
};

BOOST_FIXTURE_TEST_SUITE(read_write_suite, etcd_read_write_fixture)

BOOST_AUTO_TEST_CASE(readers_share_it_and_writers_do_not) {
    lease one = lock(locks, "key", to(mode::read));
    lease two = lock(locks, "key", to(mode::read));
    lease three = lock(others, "key", to(mode::read));
    BOOST_TEST(keys() == 3u);
    for (const mode m : {mode::write, mode::exclusive})
        BOOST_TEST(try_lock(others, "key", to(m, once())) == errc::held);
    BOOST_TEST(!unlock(one));
    BOOST_TEST(!unlock(two));
    BOOST_TEST(!unlock(three));
    lease writer = lock(locks, "key", to(mode::write));
    for (client* who : {&locks, &others})
        for (const mode m : {mode::read, mode::write, mode::exclusive})
            BOOST_TEST(try_lock(*who, "key", to(m, once())) == errc::held);
    BOOST_TEST(!unlock(writer));
    lease alone = lock(locks, "key", to(mode::exclusive));
    BOOST_TEST(try_lock(others, "key", to(mode::read, once())) == errc::held);
    BOOST_TEST(!unlock(alone));
    BOOST_TEST(keys() == 0u);
}

BOOST_AUTO_TEST_CASE(who_waits_to_write_is_not_passed_by_new_readers) {
    lease reader = lock(locks, "key", to(mode::read));
    outcome<lease> writer, later;
    others.async_lock("key", to(mode::write), writer.handler());
    BOOST_REQUIRE(waits(locks, 1));
    locks.async_lock("key", to(mode::read), later.handler());
    BOOST_REQUIRE(waits(locks, 2));
    BOOST_TEST(try_lock(others, "key", to(mode::read, once())) == errc::held);
    BOOST_TEST(!unlock(reader));
    complete(writer);
    BOOST_TEST(!writer.error());
    BOOST_TEST(waits(others, 1));
    BOOST_TEST(!later.done());
    BOOST_TEST(!unlock(writer.value()));
    complete(later);
    BOOST_TEST(!later.error());
}

// Of readers in a row each comes in with the first, and the writer behind waits for the last, whoever it is.
BOOST_AUTO_TEST_CASE(the_queue_is_served_in_order_and_readers_in_a_row_together) {
    client third = make_client(), fourth = make_client(), fifth = make_client();
    lease writer = lock(locks, "key", to(mode::write));
    outcome<lease> readers[2], next, behind;
    others.async_lock("key", to(mode::read), readers[0].handler());
    BOOST_REQUIRE(waits(locks, 1));
    third.async_lock("key", to(mode::read), readers[1].handler());
    BOOST_REQUIRE(waits(locks, 2));
    fourth.async_lock("key", to(mode::write), next.handler());
    BOOST_REQUIRE(waits(locks, 3));
    fifth.async_lock("key", to(mode::read), behind.handler());
    BOOST_REQUIRE(waits(locks, 4));
    BOOST_TEST(!unlock(writer));
    for (auto& reader : readers) {
        complete(reader);
        BOOST_TEST(!reader.error());
    }
    BOOST_TEST(!unlock(readers[1].value()));
    BOOST_TEST(waits(locks, 2));
    BOOST_TEST((!next.done() && !behind.done()));
    BOOST_TEST(!unlock(readers[0].value()));
    complete(next);
    BOOST_TEST(!next.error());
    BOOST_TEST(!behind.done());
    BOOST_TEST(!unlock(next.value()));
    complete(behind);
    BOOST_TEST(!behind.error());
    BOOST_TEST(!unlock(behind.value()));
    BOOST_TEST(keys() == 0u);
}

BOOST_AUTO_TEST_CASE(all_readers_of_a_client_come_in_with_the_first) {
    lease writer = lock(others, "key", to(mode::write));
    std::deque<outcome<lease>> readers(8);
    for (auto& reader : readers)
        locks.async_lock("key", to(mode::read), reader.handler());
    BOOST_REQUIRE(waits(others, 1)); // one for all of them
    BOOST_TEST(!unlock(writer));
    for (auto& reader : readers) {
        complete(reader);
        BOOST_TEST(reader.value().valid());
    }
    BOOST_TEST(leases() == 2u); // one for each client
    readers.clear();
    BOOST_TEST(becomes_free());
}

BOOST_AUTO_TEST_CASE(readers_that_run_out_or_die_make_room) {
    {
        event_loop doomed;
        client dies(doomed.context.get_executor(), settings());
        outcome<lease> granted;
        dies.async_lock("key", to(mode::read, patiently(700ms)), granted.handler());
        BOOST_REQUIRE(doomed.run_until([&] { return granted.done(); }));
        BOOST_REQUIRE(!granted.error());
    }
    lock_options brief = to(mode::read, patiently(700ms));
    brief.renew = false;
    lease passing = lock(locks, "key", brief);
    lease staying = lock(locks, "key", to(mode::read, patiently(5s)));
    BOOST_TEST(run_until([&] { return keys() == 1 && !passing.valid(); }));
    BOOST_TEST(staying.valid());
    BOOST_TEST(try_lock(others, "key", to(mode::write, once())) == errc::held);
    BOOST_TEST(!unlock(staying));
    BOOST_TEST(!try_lock(others, "key", to(mode::write, once())));
}

BOOST_AUTO_TEST_CASE(each_of_many_readers_is_renewed_and_extended) {
    std::vector<lease> all;
    for (int i = 0; i < 40; ++i)
        all.push_back(lock(locks, "key", to(mode::read, patiently(900ms))));
    BOOST_TEST(run_until([&] { return locks.metrics().renewals >= 40 * 4; }));
    for (lease& one : all)
        BOOST_TEST(one.valid());
    outcome<> extended;
    all[7].async_extend(20s, extended.handler());
    complete(extended);
    BOOST_TEST(!extended.error());
    BOOST_TEST((all[7].remaining() > 18s));
    for (lease& one : all)
        BOOST_TEST(!unlock(one));
    BOOST_TEST(keys() == 0u);
}

BOOST_AUTO_TEST_CASE(every_reader_hears_of_the_loss) {
    std::stop_source stops[2];
    lock_options options = to(mode::read, patiently(900ms));
    options.stop = &stops[0];
    lease one = lock(locks, "key", options);
    options.stop = &stops[1];
    lease two = lock(others, "key", options);
    BOOST_REQUIRE(run_until([&] { return locks.metrics().renewals > 0 && others.metrics().renewals > 0; }));
    cluster.control({"del", "--prefix", "redlock/"});
    BOOST_TEST(run_until([&] { return stops[0].stop_requested() && stops[1].stop_requested(); }));
    BOOST_TEST((!one.valid() && !two.valid()));
}

// Those of readers say who asked first; those of writers are above all before and below all behind.
BOOST_AUTO_TEST_CASE(tokens_rise_and_are_current_while_they_are_held) {
    lease one = lock(locks, "key", to(mode::read, fenced()));
    lease two = lock(locks, "key", to(mode::read, fenced()));
    BOOST_TEST(*two.fencing_token() > *one.fencing_token());
    for (const lease* each : {&one, &two})
        BOOST_TEST(!check(others, *each->fencing_token()));
    outcome<lease> writing, reading;
    others.async_lock("key", to(mode::write, fenced()), writing.handler());
    BOOST_REQUIRE(waits(locks, 1));
    locks.async_lock("key", to(mode::read, fenced()), reading.handler());
    BOOST_REQUIRE(waits(locks, 2));
    lease elsewhere = lock(others, "other", fenced()); // takes a revision behind those that made these keys
    BOOST_TEST(!unlock(one));
    BOOST_TEST(check(others, *one.fencing_token()) == errc::lease_lost);
    BOOST_TEST(!check(others, *two.fencing_token()));
    BOOST_TEST(!unlock(two));
    complete(writing);
    const std::uint64_t written = *writing.value().fencing_token();
    BOOST_TEST(written > *elsewhere.fencing_token());
    BOOST_TEST(!check(locks, written));
    BOOST_TEST(!unlock(writing.value()));
    complete(reading);
    BOOST_TEST(*reading.value().fencing_token() > written);
    BOOST_TEST(!check(others, *reading.value().fencing_token()));
}

BOOST_AUTO_TEST_CASE(two_readers_that_want_to_write_do_not_wait_for_ever) {
    lease one = lock(locks, "key", to(mode::read));
    lease two = lock(others, "key", to(mode::read));
    lock_options writing = to(mode::write);
    writing.wait = 200ms;
    outcome<lease> here, there;
    locks.async_lock("key", writing, here.handler());
    others.async_lock("key", writing, there.handler());
    complete(here);
    complete(there);
    BOOST_TEST((here.error() == errc::wait_timeout && there.error() == errc::wait_timeout));
    BOOST_TEST((one.valid() && two.valid()));
    BOOST_TEST(run_until([&] { return keys() == 2; }));
}

BOOST_AUTO_TEST_CASE(cancelled_and_closed_calls_leave_nothing) {
    lease writer = lock(others, "key", to(mode::write));
    asio::cancellation_signal cancel;
    outcome<lease> got, left;
    locks.async_lock("key", to(mode::read), asio::bind_cancellation_slot(cancel.slot(), got.handler()));
    locks.async_lock("key", to(mode::read), left.handler());
    BOOST_REQUIRE(waits(others, 1));
    cancel.emit(asio::cancellation_type::total);
    complete(got);
    BOOST_TEST(got.error() == asio::error::operation_aborted);
    BOOST_TEST(waits(others, 1));
    close(locks);
    BOOST_TEST(left.error() == errc::closed);
    BOOST_TEST(keys() == 1u);
}

BOOST_AUTO_TEST_CASE(sets_and_owners_write) {
    outcome<lease_set> both;
    locks.async_lock_all({"a", "b"}, to(mode::write, once()), both.handler());
    complete(both);
    BOOST_TEST(!both.error());
    BOOST_TEST(try_lock(others, "a", to(mode::read, once())) == errc::held);
    both.drop_values();
    BOOST_TEST(becomes_free());
    const owner me;
    lock_options options = to(mode::write);
    options.owner = &me;
    lease outer = lock(locks, "key", options), inner = lock(locks, "key", options);
    BOOST_TEST(!unlock(inner));
    BOOST_TEST(try_lock(others, "key", to(mode::read, once())) == errc::held);
    BOOST_TEST(!unlock(outer));
    BOOST_TEST(keys() == 0u);
}

BOOST_AUTO_TEST_CASE(inspect_shows_those_who_read_and_break_ends_them) {
    config named = settings();
    named.holder_label = "who reads";
    client reads(context.get_executor(), named);
    lease one = lock(reads, "key", to(mode::read, fenced(20s)));
    lease two = lock(locks, "key", to(mode::read, fenced(30s)));
    outcome<lease> writer;
    others.async_lock("key", to(mode::write), writer.handler());
    BOOST_REQUIRE(waits(others, 1));
    const key_report shown = inspect(others);
    BOOST_TEST(!shown.holder);
    BOOST_TEST(shown.readers.size() == 2u);
    const node_key_report& there = shown.nodes.at(0);
    BOOST_REQUIRE((there.readers && there.readers->size() == 2));
    BOOST_TEST(there.readers->at(0).label == "who reads");
    BOOST_TEST((there.readers->at(0).remaining > 0s && there.readers->at(0).remaining <= 20s));
    BOOST_TEST((there.readers->at(1).remaining > 20s && there.readers->at(1).remaining <= 30s));
    BOOST_TEST((there.fence == two.fencing_token()));
    outcome<break_report> broken;
    others.async_break(shown, broken.handler());
    complete(broken);
    BOOST_TEST(broken.value().removed == 1u);
    BOOST_TEST(broken.value().nodes.at(0).readers_removed == 2u);
    complete(writer);
    BOOST_TEST(!writer.error());
    BOOST_TEST(unlock(one) == errc::lease_lost);
    outcome<break_report> again;
    others.async_break(shown, again.handler());
    complete(again);
    BOOST_TEST((again.value().nodes.at(0).outcome == removal::changed));
    BOOST_TEST(writer.value().valid());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
