// Callers of one process that wait for permits of a key, on an engine that grants what the test says.

#include "lease/lessee_fixture.hpp"
#include "primitive/permits/permit_gates.hpp"

#include <deque>
#include <optional>
#include <utility>
#include <vector>

namespace redlock::test {
namespace {

struct gate_caller final : primitive::gate_waiter {
    void permit_came(detail::lease_pointer permit) noexcept override { held = std::move(permit); }
    void try_again() override { tries_again = true; }
    void no_permit(errc why, const engine::failure*) noexcept override { refused = why; }

    detail::lease_pointer held;
    bool tries_again = false;
    std::optional<errc> refused;
};

struct permit_gates_fixture : lessee_fixture {
    ~permit_gates_fixture() { gates.abandon(); }

    void enter(gate_caller& caller) {
        turn([&] { gates.open(lessee, key, options).enter(caller); });
    }
    bool is_open() { return gates.find(key, options) != nullptr; }
    /// One of those that are asked for, with the key that it has.
    given_engine::contest& contest_for(std::string_view full_key) {
        for (auto one = engine.contests.rbegin(); one != engine.contests.rend(); ++one)
            if ((*one)->wanted.claim && (*one)->wanted.claim->full_key.view() == full_key) return **one;
        throw std::logic_error("nobody asks for this permit");
    }
    void grant_permit(std::string_view full_key) {
        given_engine::contest& asked = contest_for(full_key);
        turn([&] {
            BOOST_TEST(asked.listener->takes({.claim = std::move(asked.wanted.claim),
                                              .sent_at = clock,
                                              .ttl = 10s,
                                              .fencing_token = 0,
                                              .had_to_wait = true}));
            asked.listener->contest_over();
        });
    }
    void refuse(std::string_view full_key, errc why) {
        given_engine::contest& asked = contest_for(full_key);
        turn([&] {
            asked.wanted.claim.reset();
            asked.listener->not_granted(why, nullptr);
            asked.listener->contest_over();
        });
    }

    lock_options options{.ttl = 10s, .permits = 2};
    primitive::permit_key key{"key", mode::exclusive};
    primitive::permit_gates gates;
};

BOOST_FIXTURE_TEST_SUITE(gates_of_permits, permit_gates_fixture)

BOOST_AUTO_TEST_CASE(whoever_waits_is_served_in_order_and_each_permit_is_asked_for_once) {
    std::deque<gate_caller> callers(3);
    for (gate_caller& each : callers)
        enter(each);
    BOOST_TEST(engine.contests.size() == 2u);
    grant_permit("key:1");
    BOOST_TEST(bool(callers[0].held));
    BOOST_TEST(!callers[1].held);
    BOOST_TEST(engine.contests.size() == 2u); // of the other one there is a holder here
    grant_permit("key:0");
    BOOST_TEST((callers[1].held && !callers[2].held));
    turn([&] { gates.find(key, options)->leave(callers[2]); });
    for (gate_caller& each : callers)
        if (each.held) turn([&] { std::exchange(each.held, nullptr)->let_go(); });
}

BOOST_AUTO_TEST_CASE(a_gate_at_which_nobody_waits_any_more_is_gone) {
    for (const bool granted : {false, true}) {
        gate_caller caller;
        BOOST_TEST(!is_open());
        enter(caller);
        BOOST_TEST(is_open());
        if (granted)
            grant_permit("key:0");
        else
            turn([&] { gates.find(key, options)->leave(caller); });
        BOOST_TEST(bool(caller.held) == granted);
        turn([] {});
        BOOST_TEST(!is_open());
        if (granted) turn([&] { std::exchange(caller.held, nullptr)->let_go(); });
    }
}

BOOST_AUTO_TEST_CASE(one_permit_that_fails_is_asked_for_again_after_a_while_and_all_of_them_end_it) {
    gate_caller caller;
    enter(caller);
    refuse("key:0", errc::no_quorum);
    BOOST_TEST(!caller.refused.has_value());
    const std::size_t asked = engine.contests.size();
    pass(500ms - 1ns);
    BOOST_TEST(engine.contests.size() == asked);
    pass(1ns);
    BOOST_TEST(engine.contests.size() == asked + 1);
    refuse("key:0", errc::no_quorum);
    BOOST_TEST(!caller.refused.has_value());
    refuse("key:1", errc::node_timeout);
    BOOST_TEST((caller.refused == errc::node_timeout));
    turn([] {});
    BOOST_TEST(!is_open());
}

// The contests of those who left are no failures of those who come.
BOOST_AUTO_TEST_CASE(who_enters_while_the_contests_of_another_end_has_contests_of_its_own) {
    gate_caller leaves, comes;
    enter(leaves);
    const std::size_t before = engine.contests.size();
    for (const auto& each : engine.contests)
        each->lingers = true;
    turn([&] { gates.find(key, options)->leave(leaves); });
    BOOST_TEST(is_open());
    enter(comes);
    BOOST_TEST(engine.contests.size() == before);
    for (const std::string full_key : {"key:0", "key:1"}) {
        given_engine::contest& ends = contest_for(full_key);
        BOOST_REQUIRE(ends.cancelled.has_value());
        turn([&] { ends.end(); });
    }
    BOOST_TEST(!comes.refused.has_value());
    BOOST_TEST(engine.contests.size() == before + 2);
    grant_permit("key:1");
    BOOST_TEST(bool(comes.held));
    turn([&] { std::exchange(comes.held, nullptr)->let_go(); });
}

BOOST_AUTO_TEST_CASE(those_on_other_terms_have_a_gate_of_their_own) {
    gate_caller caller;
    enter(caller);
    lock_options other = options;
    other.wait = 1h;
    BOOST_TEST(gates.find(key, other) == gates.find(key, options));
    const auto differs = [&](auto change) {
        other = options;
        change(other);
        return gates.find(key, other) == nullptr;
    };
    BOOST_TEST(differs([](lock_options& o) { o.permits = 3; }));
    BOOST_TEST(differs([](lock_options& o) { o.ttl = 11s; }));
    BOOST_TEST(differs([](lock_options& o) { o.renew = false; }));
    BOOST_TEST(differs([](lock_options& o) { o.fencing = true; }));
    BOOST_TEST(differs([](lock_options& o) { o.lock_delay = 1s; }));
    BOOST_TEST(!gates.find(primitive::permit_key("another", mode::exclusive), options));
    turn([&] { gates.find(key, options)->leave(caller); });
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
