#include "engines/memory/store.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <cstdint>
#include <thread>

namespace redlock::memory {
namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;

struct box final : mailbox {
    explicit box(store& s) : of(s) { of.join(*this); }
    ~box() { of.leave(*this); }
    void something_came() noexcept override {
        ++calls;
        calls.notify_all();
    }
    void empty() { of.empty(*this, served, lost); }
    void wait_until_served() {
        for (int seen = calls; empty(), served.empty(); seen = calls)
            calls.wait(seen);
    }

    store& of;
    std::atomic<int> calls{0};
    std::vector<seeker*> served;
    std::vector<std::uint64_t> lost;
};

struct caller final : seeker {
    caller(store& s, box& b, std::string_view wanted = "key", milliseconds wanted_life = 100s,
           bool fenced = false)
        : seeker(b, s.draw_claim(), wanted, wanted_life, fenced), of(s) {}
    ~caller() { of.give_up(*this); }
    void key_came() noexcept override {}
    errc seek(bool queues = true) { return of.seek(*this, queues); }
    errc release() { return of.release(key, claim); }

    store& of;
};

struct store_test_fixture {
    bool has(const caller& c) { return keys.peek(c.key).holder == c.claim; }
    std::size_t waiting() { return keys.peek("key").waiting; }

    store keys{"name"};
    box hears{keys}, others_hear{keys};
    caller first{keys, hears}, second{keys, hears}, third{keys, others_hear};
};

BOOST_FIXTURE_TEST_SUITE(store_suite, store_test_fixture)

BOOST_AUTO_TEST_CASE(a_key_goes_to_who_came_first) {
    BOOST_TEST((first.seek() == errc{}));
    BOOST_TEST((second.seek() == errc::held));
    BOOST_TEST((third.seek() == errc::held));
    BOOST_TEST(waiting() == 2u);
    BOOST_TEST((first.release() == errc{}));
    BOOST_TEST(has(second));
    BOOST_TEST(waiting() == 1u);
    BOOST_TEST(hears.calls == 1);
    hears.empty();
    BOOST_TEST((hears.served == std::vector<seeker*>{&second}));
    BOOST_TEST((second.release() == errc{}));
    BOOST_TEST(has(third));
    BOOST_TEST(others_hear.calls == 1);
    BOOST_TEST((third.release() == errc{}));
    BOOST_TEST(!keys.peek("key").holder.has_value());
    BOOST_TEST((third.release() == errc::lease_lost));
}

BOOST_AUTO_TEST_CASE(who_does_not_queue_is_refused_and_forgotten) {
    BOOST_TEST((first.seek(false) == errc{}));
    BOOST_TEST((second.seek(false) == errc::held));
    BOOST_TEST(waiting() == 0u);
    BOOST_TEST(!keys.give_up(second));
    BOOST_TEST((first.release() == errc{}));
    BOOST_TEST(!second.has_it);
}

BOOST_AUTO_TEST_CASE(a_key_that_runs_out_goes_to_the_next) {
    BOOST_TEST((first.seek() == errc{}));
    BOOST_TEST((second.seek() == errc::held));
    keys.let_time_pass(90s);
    BOOST_TEST(has(first));
    keys.let_time_pass(10s);
    BOOST_TEST(has(second));
    BOOST_TEST((keys.extend("key", first.claim, 100s) == errc::lease_lost));
    BOOST_TEST((first.release() == errc::lease_lost));
    BOOST_TEST(has(second));
    keys.let_time_pass(90s);
    BOOST_TEST((keys.extend("key", second.claim, 100s) == errc{}));
    keys.let_time_pass(90s);
    BOOST_TEST(has(second));
    keys.let_time_pass(10s);
    BOOST_TEST(!keys.peek("key").holder.has_value());
}

BOOST_AUTO_TEST_CASE(who_asks_when_a_key_runs_out_passes_on_one_that_has) {
    BOOST_TEST((first.seek() == errc{}));
    BOOST_TEST((second.seek() == errc::held));
    const time::instant before = keys.until("key");
    BOOST_TEST((before > keys.clock().now()));
    keys.let_time_pass(101s);
    BOOST_TEST((keys.until("key") > before));
    BOOST_TEST(second.has_it);
    BOOST_TEST((keys.until("another") == time::instant::min()));
}

BOOST_AUTO_TEST_CASE(giving_up_says_whether_the_key_had_come) {
    BOOST_TEST(!keys.give_up(first)); // before it asked
    BOOST_TEST((first.seek() == errc{}));
    BOOST_TEST((second.seek() == errc::held));
    BOOST_TEST((third.seek() == errc::held));
    BOOST_TEST(!keys.give_up(second));
    BOOST_TEST(waiting() == 1u);
    BOOST_TEST((first.release() == errc{}));
    BOOST_TEST(keys.give_up(third)); // it came, and nobody has told it
    others_hear.empty();
    BOOST_TEST(others_hear.served.empty());
    BOOST_TEST(has(third));
    BOOST_TEST(keys.give_up(first)); // it had it, once
}

BOOST_AUTO_TEST_CASE(a_client_that_leaves_waits_no_more_and_its_keys_stay) {
    BOOST_TEST((first.seek() == errc{}));
    BOOST_TEST((second.seek() == errc::held));
    BOOST_TEST((third.seek() == errc::held));
    keys.leave(hears);
    BOOST_TEST(waiting() == 1u);
    BOOST_TEST(has(first));
    BOOST_TEST(keys.take_away("key"));
    BOOST_TEST(hears.calls == 0);
    BOOST_TEST(has(third));
}

BOOST_AUTO_TEST_CASE(who_loses_a_key_is_told) {
    BOOST_TEST((first.seek() == errc{}));
    BOOST_TEST(!keys.take_away("key", tenure{.claim = second.claim, .fencing_token = 0}));
    BOOST_TEST(!keys.take_away("key", tenure{.claim = first.claim, .fencing_token = 1}));
    BOOST_TEST(keys.take_away("key", tenure{.claim = first.claim, .fencing_token = 0}));
    BOOST_TEST(!keys.take_away("key"));
    BOOST_TEST(hears.calls == 1);
    BOOST_TEST((second.seek() == errc{}));
    keys.hold("key", 100s);
    BOOST_TEST(hears.calls == 1); // it has not looked since
    hears.empty();
    BOOST_TEST((hears.lost == std::vector<std::uint64_t>{first.claim, second.claim}));
    BOOST_TEST((third.seek() == errc::held));
    keys.hold("key", 50s);
    keys.let_time_pass(51s);
    BOOST_TEST(has(third));
}

// First it has a lease, and then it can lose it.
BOOST_AUTO_TEST_CASE(who_loses_a_key_before_it_is_told_of_it_hears_of_the_loss_behind_that) {
    BOOST_TEST((first.seek() == errc{}));
    BOOST_TEST((second.seek() == errc::held));
    BOOST_TEST((first.release() == errc{}));
    BOOST_TEST(hears.calls == 1);
    keys.hold("key", 100s);
    hears.empty();
    BOOST_TEST((hears.served == std::vector<seeker*>{&second}));
    BOOST_TEST(hears.lost.empty());
    BOOST_TEST(hears.calls == 2);
    hears.served.clear();
    hears.empty();
    BOOST_TEST((hears.lost == std::vector<std::uint64_t>{second.claim}));
    BOOST_TEST(hears.calls == 2);
}

BOOST_AUTO_TEST_CASE(so_many_requests_fail_as_were_to) {
    keys.fail_next(3, errc::node_timeout);
    BOOST_TEST((first.seek() == errc::node_timeout));
    key_state found;
    BOOST_TEST((keys.look("key", found) == errc::node_timeout));
    BOOST_TEST(!keys.peek("key").holder.has_value()); // which never fails
    BOOST_TEST((keys.extend("key", 1, 1s) == errc::node_timeout));
    BOOST_TEST((first.seek() == errc{}));
    keys.fail_next(2, errc::no_quorum);
    std::uint64_t token = 0;
    BOOST_TEST((keys.advance_token("key", first.claim, token) == errc::no_quorum));
    BOOST_TEST((first.release() == errc::no_quorum));
    BOOST_TEST(has(first));
}

BOOST_AUTO_TEST_CASE(tokens_rise_over_all_keys) {
    caller a(keys, hears, "a", 100s, true), b(keys, hears, "b", 100s, true);
    BOOST_TEST((a.seek() == errc{}));
    BOOST_TEST((b.seek() == errc{}));
    BOOST_TEST(a.fencing_token > 0u);
    BOOST_TEST(b.fencing_token > a.fencing_token);
    std::uint64_t token = 0;
    BOOST_TEST((keys.advance_token("a", a.claim, token) == errc{}));
    BOOST_TEST(token > b.fencing_token);
    BOOST_TEST(keys.peek("a").fencing_token == token);
    BOOST_TEST((keys.advance_token("a", b.claim, token) == errc::lease_lost));
    BOOST_TEST((first.seek() == errc{}));
    BOOST_TEST(first.fencing_token == 0u);
}

BOOST_AUTO_TEST_CASE(the_clock_goes_forward_as_far_as_it_can) {
    constexpr milliseconds longest = milliseconds::max();
    caller endless(keys, hears, "endless", longest);
    BOOST_TEST((endless.seek() == errc{}));
    BOOST_TEST((keys.until("endless") == time::instant::max()));
    BOOST_TEST((first.seek() == errc{}));
    keys.let_time_pass(-1h); // time does not go back
    const time::instant real = time::real_time().now();
    BOOST_TEST((keys.clock().now() >= real));
    for (int i = 0; i < 3; ++i) {
        const time::instant before = keys.clock().now();
        keys.let_time_pass(longest);
        BOOST_TEST((keys.clock().now() >= before));
    }
    BOOST_TEST(!has(first));
    BOOST_TEST(has(endless));
}

/// A thread's share of the work at one key.
void contend(store& s, std::atomic<int>& holders, std::atomic<int>& overlaps, unsigned rounds) {
    box own(s);
    for (unsigned i = 0; i < rounds; ++i) {
        caller c(s, own);
        const errc outcome = c.seek();
        // Some give up before they were served, or just as they are.
        if (outcome == errc::held && i % 3 != 0) own.wait_until_served();
        own.served.clear();
        if (outcome == errc::held && !s.give_up(c)) continue;
        if (holders.fetch_add(1) != 0) ++overlaps;
        holders.fetch_sub(1);
        if (c.release() != errc{}) ++overlaps;
    }
}

BOOST_AUTO_TEST_CASE(of_two_threads_one_at_a_time_has_the_key) {
    std::atomic<int> holders{0}, overlaps{0};
    std::thread a([&] { contend(keys, holders, overlaps, 5'000); });
    std::thread b([&] { contend(keys, holders, overlaps, 5'000); });
    a.join();
    b.join();
    BOOST_TEST(overlaps == 0);
    BOOST_TEST(!keys.peek("key").holder.has_value());
    BOOST_TEST(waiting() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::memory
