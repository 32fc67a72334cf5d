// Reading and writing on a real server.

#include "support/fault_proxy.hpp"
#include "zookeeper_fixture.hpp"

#include <algorithm>
#include <deque>
#include <string>
#include <vector>

namespace redlock::test {
namespace {

lock_options to_read(std::chrono::milliseconds wait = forever, std::chrono::milliseconds ttl = long_ttl) {
    return {.ttl = ttl, .wait = wait, .fencing = true, .mode = mode::read};
}
lock_options to_write(std::chrono::milliseconds wait = forever, std::chrono::milliseconds ttl = long_ttl) {
    return {.ttl = ttl, .wait = wait, .fencing = true, .mode = mode::write};
}

struct read_write_fixture : zookeeper_fixture {
    error_code downgrade(lease& held) {
        outcome<> result;
        held.async_downgrade(result.handler());
        complete(result);
        return result.error();
    }
    bool come_to_wait(client& by, std::uint64_t waiting) {
        return run_until([&] { return inspect(by).waiting == waiting; });
    }
};

BOOST_AUTO_TEST_SUITE(read_write_suite, *boost::unit_test::fixture<shared_server>())

BOOST_FIXTURE_TEST_CASE(readers_share_a_key_and_writers_have_it_alone, read_write_fixture) {
    client first = make_client(), second = make_client(), other = make_client();
    for (const lock_options& alone : {to_write(0ms), once()}) {
        lease a = lock(first, "key", to_read()), b = lock(second, "key", to_read(0ms));
        BOOST_TEST(try_lock(other, "key", alone) == errc::held);
        BOOST_TEST(!unlock(a));
        BOOST_TEST(try_lock(other, "key", alone) == errc::held);
        BOOST_TEST(!unlock(b));
        lease written = lock(other, "key", alone);
        BOOST_TEST(try_lock(first, "key", to_read(0ms)) == errc::held);
        BOOST_TEST(try_lock(first, "key", to_write(0ms)) == errc::held);
        BOOST_TEST(!unlock(written));
    }
}

BOOST_FIXTURE_TEST_CASE(many_come_to_read_at_once, read_write_fixture) {
    client writer = make_client();
    lease held = lock(writer, "key", to_write());
    std::deque<client> readers;
    std::deque<outcome<lease>> results;
    for (int i = 0; i < 12; ++i) {
        readers.push_back(make_client());
        results.emplace_back();
        readers.back().async_lock("key", to_read(), results.back().handler());
    }
    BOOST_TEST(come_to_wait(writer, 12));
    BOOST_TEST(!unlock(held));
    std::vector<std::uint64_t> tokens;
    for (auto& each : results) {
        complete(each);
        BOOST_REQUIRE(!each.error());
        BOOST_TEST(each.value().valid());
        tokens.push_back(each.value().fencing_token().value());
    }
    std::ranges::sort(tokens);
    BOOST_TEST((std::ranges::adjacent_find(tokens) == tokens.end()));
    BOOST_TEST(inspect(writer).readers.size() == 12u);
}

BOOST_FIXTURE_TEST_CASE(who_comes_behind_a_waiting_writer_reads_behind_him, read_write_fixture) {
    client first = make_client(), writer = make_client(), late = make_client(), last = make_client();
    lease reads = lock(first, "key", to_read());
    outcome<lease> writes, reads_late, writes_last;
    writer.async_lock("key", to_write(), writes.handler());
    BOOST_REQUIRE(come_to_wait(first, 1));
    BOOST_TEST(try_lock(late, "key", to_read(0ms)) == errc::held);
    late.async_lock("key", to_read(), reads_late.handler());
    BOOST_REQUIRE(come_to_wait(first, 2));
    last.async_lock("key", to_write(), writes_last.handler());
    BOOST_REQUIRE(come_to_wait(first, 3));
    BOOST_TEST(!unlock(reads));
    complete(writes);
    BOOST_REQUIRE(!writes.error());
    BOOST_TEST(!reads_late.done());
    BOOST_TEST(!unlock(writes.value()));
    complete(reads_late);
    BOOST_REQUIRE(!reads_late.error());
    BOOST_TEST(!writes_last.done());
    BOOST_TEST(!unlock(reads_late.value()));
    complete(writes_last);
    BOOST_TEST(!writes_last.error());
}

BOOST_FIXTURE_TEST_CASE(tokens_grow_and_those_of_readers_can_be_checked, read_write_fixture) {
    client first = make_client(), second = make_client();
    lease written = lock(first, "key", to_write());
    const std::uint64_t before = written.fencing_token().value();
    BOOST_TEST(!unlock(written));
    lease a = lock(first, "key", to_read()), b = lock(second, "key", to_read());
    const std::uint64_t token_a = a.fencing_token().value(), token_b = b.fencing_token().value();
    BOOST_TEST(before < token_a);
    BOOST_TEST(token_a < token_b);
    BOOST_TEST(!check(first, token_a));
    BOOST_TEST(!check(first, token_b));
    BOOST_TEST(check(first, before) == errc::lease_lost);
    BOOST_TEST(!unlock(a));
    BOOST_TEST(check(first, token_a) == errc::lease_lost);
    outcome<> extended;
    b.async_extend(2 * long_ttl, extended.handler());
    complete(extended);
    BOOST_TEST(!extended.error());
    BOOST_TEST(!check(first, token_b));
    BOOST_TEST(!unlock(b));
    BOOST_TEST(check(first, token_b) == errc::lease_lost);
    lease next = lock(first, "key", to_write());
    BOOST_TEST(next.fencing_token().value() > token_b);
}

BOOST_FIXTURE_TEST_CASE(a_writer_becomes_a_reader_without_letting_another_writer_in, read_write_fixture) {
    client locks = make_client(), reader = make_client(), writer = make_client();
    lease held = lock(locks, "key", to_write());
    const std::uint64_t token = held.fencing_token().value();
    outcome<lease> writes;
    writer.async_lock("key", to_write(), writes.handler());
    BOOST_REQUIRE(come_to_wait(locks, 1));
    BOOST_TEST(!downgrade(held));
    BOOST_TEST(held.valid());
    BOOST_TEST(held.fencing_token().value() == token);
    BOOST_TEST(run_until([&] { return !inspect(locks).holder; }));
    BOOST_TEST(inspect(locks).readers.size() == 1u);
    BOOST_TEST(!check(locks, token));
    BOOST_TEST(try_lock(reader, "key", to_read(0ms)) == errc::held); // the writer has come before
    BOOST_TEST(!writes.done());
    BOOST_TEST(!unlock(held));
    complete(writes);
    BOOST_REQUIRE(!writes.error());
    BOOST_TEST(!downgrade(writes.value()));
    BOOST_TEST(!try_lock(reader, "key", to_read()));
    BOOST_TEST(try_lock(reader, "key", once()) == errc::held);
    BOOST_TEST(!unlock(writes.value()));
    BOOST_TEST(!try_lock(reader, "key", patiently()));
}

BOOST_FIXTURE_TEST_CASE(readers_are_shown_listed_and_taken_away, read_write_fixture) {
    client first = make_client(), second = make_client(), other = make_client();
    lease a = lock(first, "key", to_read(forever, 1s)), b = lock(second, "key", to_read(forever, 1s));
    const key_report shown = inspect(other);
    BOOST_TEST(!shown.holder);
    BOOST_TEST(shown.readers.size() == 2u);
    BOOST_TEST(shown.waiting.value() == 0u);
    BOOST_REQUIRE(shown.nodes.at(0).readers.has_value());
    for (const reader_report& one : *shown.nodes.at(0).readers)
        BOOST_TEST((one.remaining == 1s));
    outcome<key_list> found;
    other.async_list("", found.handler());
    complete(found);
    BOOST_TEST((found.value().keys == std::vector<std::string>{"key"}));
    BOOST_TEST(!unlock(a));
    outcome<> lost;
    b.async_wait_lost(lost.handler());
    outcome<break_report> broken;
    other.async_break(shown, broken.handler());
    complete(broken);
    BOOST_TEST(!broken.error());
    BOOST_TEST(broken.value().nodes.at(0).readers_removed == 1u);
    complete(lost);
    BOOST_TEST(!b.valid());
    BOOST_TEST(inspect(other).readers.empty());
    outcome<key_list> none;
    other.async_list("", none.handler());
    complete(none);
    BOOST_TEST(none.value().keys.empty());
    BOOST_TEST(!try_lock(other));
}

// The session dies after 2 s: only then, and a ttl later, does somebody else write.
BOOST_FIXTURE_TEST_CASE(a_reader_who_is_cut_off_is_waited_for_as_long_as_he_believes, read_write_fixture) {
    fault_proxy network(ensemble.port());
    config distant = settings("zookeeper://127.0.0.1:" + std::to_string(network.port()) + root);
    distant.node_timeout = 600ms;
    client locks(context.get_executor(), distant), others = make_client(), readers = make_client();
    lease held = lock(locks, "key", to_read(forever, 3s));
    network.freeze();
    lease meanwhile = lock(readers, "key", to_read());
    BOOST_TEST(!unlock(meanwhile));
    outcome<lease> writes;
    bool overlapped = false;
    others.async_lock("key", to_write(), writes.handler());
    BOOST_TEST(run_until([&] {
        overlapped = overlapped || (writes.done() && held.valid());
        return writes.done();
    }));
    BOOST_REQUIRE(!writes.error());
    BOOST_TEST(!overlapped);
    BOOST_TEST(inspect(others).readers.empty());
    network.pass();
    BOOST_TEST(run_until([&] { return locks.metrics().nodes.at(0).state == "ready"; }));
    BOOST_TEST(writes.value().valid());
    BOOST_TEST(try_lock(locks, "key", to_read(0ms)) == errc::held);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
