#include "lease/local_queue.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <cstdint>
#include <optional>

using namespace redlock;
using namespace redlock::lock;
using namespace std::chrono_literals;

namespace {

struct caller final : local_waiter {
    void turn_came(local_turn came) noexcept override { turn = std::move(came); }
    void lease_came(local_turn came, handover lease) noexcept override {
        handed.emplace(std::move(lease));
        turn = std::move(came);
    }

    const engine::claim& wanted() const noexcept override { return *wants; }

    local_turn turn;
    std::optional<handover> handed;
    engine::claim_pointer wants;
};

struct claim final : engine::claim {
    explicit claim(std::string_view key) : engine::claim("prefix:", detail::key_text(key)) {}
};

engine::claim_pointer claim_of(std::string key) { return std::make_shared<const claim>(key); }

handover lease_of(const engine::claim_pointer& c) {
    const core::lease_terms terms{.ttl = 1s, .stop_margin = 100ms, .drift = {}};
    return {.of = c,
            .state = {terms, time::instant(), time::instant()},
            .life = 1000ms,
            .keys_end = {},
            .fencing_token = 0};
}

struct local_queue_test_fixture {
    explicit local_queue_test_fixture(unsigned limit = 2) : queues(limit) {}

    void enter(caller& c) {
        c.turn = queues.enter(key);
        if (!c.turn) queues.queue_up(c, key->full_key);
    }

    const time::instant now{10s};
    local_queues queues;
    engine::claim_pointer key = claim_of("key");
    caller first, second, third;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(local_queue, local_queue_test_fixture)

BOOST_AUTO_TEST_CASE(the_turn_goes_round_in_the_order_of_coming) {
    enter(first);
    enter(second);
    enter(third);
    BOOST_TEST(bool(first.turn));
    BOOST_TEST(second.in_local_queue());
    first.turn.end(now);
    BOOST_TEST(!first.turn);
    BOOST_TEST(bool(second.turn));
    BOOST_TEST(!third.turn);
    second.turn.end(now);
    BOOST_TEST(bool(third.turn));
    BOOST_TEST((third.turn.hold_off_until() <= now));
}

BOOST_AUTO_TEST_CASE(keys_are_apart_and_gone_when_nobody_wants_them) {
    enter(first);
    const auto other = claim_of("other");
    second.turn = queues.enter(other);
    BOOST_TEST(bool(second.turn));
    BOOST_TEST(queues.keys() == 2u);
    key.reset();
    first.turn.end(now);
    second.turn.end(now);
    BOOST_TEST(queues.keys() == 0u);
}

BOOST_AUTO_TEST_CASE(who_leaves_the_queue_is_passed_over) {
    enter(first);
    enter(second);
    enter(third);
    second.leave_local_queue();
    first.turn.end(now);
    BOOST_TEST(!second.turn);
    BOOST_TEST(bool(third.turn));
}

BOOST_AUTO_TEST_CASE(it_is_known_who_has_the_turn) {
    using occupation = local_queues::occupation;
    BOOST_TEST((queues.who_has(key->full_key) == occupation::nobody));
    enter(first);
    BOOST_TEST((queues.who_has(key->full_key) == occupation::contender));
    BOOST_TEST(queues.holder_of(key->full_key) == nullptr);
    first.turn.granted(*key, now);
    BOOST_TEST((queues.who_has(key->full_key) == occupation::holder));
    BOOST_TEST(queues.holder_of(key->full_key) == key.get());
    first.turn.lost();
    BOOST_TEST((queues.who_has(key->full_key) == occupation::contender));
    BOOST_TEST(queues.holder_of(key->full_key) == nullptr);
    first.turn.granted(*key, now);
    enter(second);
    first.turn.end(now); // the next contends for it
    BOOST_TEST(bool(second.turn));
    BOOST_TEST((queues.who_has(key->full_key) == occupation::contender));
}

BOOST_AUTO_TEST_CASE(a_lease_goes_to_the_next_with_the_turn) {
    enter(first);
    first.turn.granted(*key, now);
    BOOST_TEST(!first.turn.hand_over(lease_of(key), now)); // nobody there
    BOOST_TEST(bool(first.turn));
    enter(second);
    BOOST_TEST(first.turn.hand_over(lease_of(key), now));
    BOOST_TEST(!first.turn);
    BOOST_TEST(bool(second.turn));
    BOOST_TEST(second.handed->of == key);
    BOOST_TEST((queues.who_has(key->full_key) == local_queues::occupation::holder));
}

BOOST_AUTO_TEST_CASE(after_enough_in_a_row_the_key_is_left_to_others_for_a_while) {
    caller fourth;
    for (caller* c : {&first, &second, &third, &fourth})
        enter(*c);
    first.turn.granted(*key, now);
    BOOST_TEST(first.turn.hand_over(lease_of(key), now));
    BOOST_TEST(second.turn.hand_over(lease_of(key), now));
    BOOST_TEST(!third.turn.hand_over(lease_of(key), now));
    third.turn.end(now + 20ms);
    BOOST_TEST((fourth.turn.hold_off_until() == now + 40ms));
    // From the next grant on it begins anew.
    fourth.turn.granted(*key, now + 50ms);
    caller fifth;
    enter(fifth);
    BOOST_TEST(fourth.turn.hand_over(lease_of(key), now));
}

BOOST_AUTO_TEST_CASE(when_nobody_else_waits_the_key_stays_for_some_milliseconds) {
    std::array<caller, 6> callers;
    for (caller& c : callers)
        enter(c);
    callers[0].turn.granted(*key, now);
    BOOST_TEST(!callers[0].turn.asks_for_others(now)); // too early to be of use
    BOOST_TEST(callers[0].turn.hand_over(lease_of(key), now));
    BOOST_TEST(callers[1].turn.asks_for_others(now));
    BOOST_TEST(!callers[1].turn.asks_for_others(now)); // once is enough
    BOOST_TEST(callers[1].turn.hand_over(lease_of(key), now));
    queues.nobody_else_waits(key->full_key, now);
    BOOST_TEST(callers[2].turn.hand_over(lease_of(key), now + 1ms));
    // What was said grows old, and is to be asked again.
    BOOST_TEST(callers[3].turn.asks_for_others(now + 1500us));
    BOOST_TEST(!callers[3].turn.hand_over(lease_of(key), now + 2ms));
    queues.nobody_else_waits(key->full_key, now + 2ms);
    BOOST_TEST(callers[3].turn.hand_over(lease_of(key), now + 3ms));
    // For those who are not seen, it comes to an end all the same.
    queues.nobody_else_waits(key->full_key, now + 9ms);
    BOOST_TEST(!callers[4].turn.hand_over(lease_of(key), now + 10ms));
    BOOST_TEST(callers[4].turn.hand_over(lease_of(key), now + 10ms - 1ns));
}

BOOST_AUTO_TEST_CASE(whether_others_wait_is_asked_from_half_the_limit_on_and_every_millisecond) {
    local_queue_test_fixture at(5);
    std::array<caller, 5> callers;
    for (caller& c : callers)
        at.enter(c);
    callers[0].turn.granted(*key, now);
    BOOST_TEST(callers[0].turn.hand_over(lease_of(at.key), now));
    BOOST_TEST(!callers[1].turn.asks_for_others(now));
    BOOST_TEST(callers[1].turn.hand_over(lease_of(at.key), now));
    BOOST_TEST(callers[2].turn.asks_for_others(now));
    BOOST_TEST(!callers[2].turn.asks_for_others(now + 1ms - 1ns));
    BOOST_TEST(callers[2].turn.asks_for_others(now + 1ms));
    at.queues.nobody_else_waits(at.key->full_key, now + 2ms);
    BOOST_TEST(!callers[2].turn.asks_for_others(now + 3ms - 1ns));
    BOOST_TEST(callers[2].turn.asks_for_others(now + 3ms));
}

BOOST_AUTO_TEST_CASE(the_time_left_to_others_is_bounded) {
    enter(first);
    enter(second);
    first.turn.granted(*key, now);
    BOOST_TEST(first.turn.hand_over(lease_of(key), now));
    enter(first);
    BOOST_TEST(second.turn.hand_over(lease_of(key), now));
    enter(second);
    first.turn.end(now + 1h);
    BOOST_TEST((second.turn.hold_off_until() == now + 1h + 100ms));
    second.turn.granted(*key, now + 2h);
    enter(first);
    enter(third);
    BOOST_TEST(second.turn.hand_over(lease_of(key), now + 2h));
    BOOST_TEST(first.turn.hand_over(lease_of(key), now + 2h));
    enter(second);
    third.turn.end(now + 2h);
    BOOST_TEST((second.turn.hold_off_until() == now + 2h + 1ms));
}

BOOST_AUTO_TEST_SUITE_END()
