// async_check, async_inspect, async_break and async_examine, and fencing tokens.

#include "lease_fixture.hpp"

namespace redlock::test {
namespace {

lock_options fenced() {
    lock_options options = patiently();
    options.fencing = true;
    return options;
}

struct question_test_fixture : lease_fixture {
    error_code break_lock(const key_report& shown) {
        outcome<break_report> result;
        locks.async_break(shown, result.handler());
        BOOST_REQUIRE(complete(result));
        broken = std::move(result.value());
        settle();
        return result.error();
    }
    removal what_became() const { return broken.nodes.at(0).outcome; }

    client locks = make_client(), others = make_client();
    break_report broken;
};

BOOST_FIXTURE_TEST_SUITE(question_suite, question_test_fixture,
                         *boost::unit_test::precondition(engine_in_hand))

BOOST_AUTO_TEST_CASE(fencing_tokens_only_ever_rise) {
    std::uint64_t last = 0;
    for (int i = 0; i < 20; ++i) {
        lease held = lock(i % 3 == 0 ? others : locks, "key", fenced());
        BOOST_TEST(held.fencing_token().value() > last);
        last = *held.fencing_token();
        if (i % 4 == 0)
            lose();
        else if (i % 4 == 1)
            BOOST_TEST(!unlock(held));
        else if (i % 4 == 2)
            pass(221s); // a renewal keeps it
        BOOST_TEST(*held.fencing_token() == last);
    }
}

BOOST_AUTO_TEST_CASE(a_token_is_current_for_as_long_as_its_lease) {
    lease held = lock(locks, "key", fenced());
    const std::uint64_t token = *held.fencing_token();
    BOOST_TEST(!check(others, token));
    BOOST_TEST(check(others, token + 1) == errc::lease_lost);
    BOOST_TEST(check(others, 0) == errc::lease_lost);
    BOOST_TEST(check(others, token, "other") == errc::lease_lost);
    BOOST_TEST(check(others, token, "") == errc::invalid_key);
    hand->fail_next(1, errc::node_unavailable);
    BOOST_TEST(check(others, token) == errc::node_unavailable);
    BOOST_TEST(!check(others, token));
    BOOST_TEST(!unlock(held));
    BOOST_TEST(check(others, token) == errc::lease_lost);
    lease without = lock(locks);
    BOOST_TEST(check(others, 0) == errc::lease_lost);
}

BOOST_AUTO_TEST_CASE(an_inspection_says_who_has_the_key) {
    key_report free = inspect(others);
    BOOST_TEST(free.key == prefix + "key");
    BOOST_TEST(!free.holder.has_value());
    BOOST_TEST(free.waiting.value_or(9) == 0u);
    BOOST_TEST(free.nodes.size() == 1u);
    BOOST_TEST(free.nodes[0].node == address);
    lease held = lock(locks, "key", fenced());
    outcome<lease> waits;
    others.async_lock("key", patiently(), waits.handler());
    settle();
    const key_report taken = inspect(others);
    BOOST_TEST((taken.holder.has_value() && taken.nodes[0].value == taken.holder));
    BOOST_TEST((taken.nodes[0].remaining > 500s && taken.nodes[0].remaining < 600s));
    BOOST_TEST((taken.nodes[0].fence == held.fencing_token()));
    BOOST_TEST(taken.waiting.value_or(0) == 1u);
    hold(100s, "other");
    BOOST_TEST(inspect(others, "other").holder.value_or("") == "held by a test");
    hand->fail_next(1, errc::node_timeout);
    const key_report unknown = inspect(others);
    BOOST_TEST(unknown.nodes.at(0).error == errc::node_timeout);
    BOOST_TEST(!unknown.holder.has_value());
}

BOOST_AUTO_TEST_CASE(a_broken_lock_is_gone) {
    lease held = lock(locks);
    const key_report shown = inspect(others);
    BOOST_TEST(!break_lock(shown));
    BOOST_TEST(broken.removed == 1u);
    BOOST_TEST((what_became() == removal::removed));
    BOOST_TEST(!held.valid());
    BOOST_TEST(!is_held());
    BOOST_TEST(!break_lock(shown));
    BOOST_TEST((what_became() == removal::changed));
    BOOST_TEST(broken.removed == 0u);
    BOOST_TEST(!break_lock(inspect(others)));
    BOOST_TEST((what_became() == removal::nothing_shown));
}

BOOST_AUTO_TEST_CASE(a_lock_that_is_somebody_elses_by_now_is_left_alone) {
    lease held = lock(locks);
    const key_report shown = inspect(others);
    BOOST_TEST(!unlock(held));
    held = lock(locks);
    BOOST_TEST(!break_lock(shown));
    BOOST_TEST((what_became() == removal::changed));
    BOOST_TEST(held.valid());
}

// Among callers of one client the claim stays, and the token tells one from the other.
BOOST_AUTO_TEST_CASE(a_lock_that_was_handed_on_with_fencing_is_left_alone) {
    lease held = lock(locks, "key", fenced());
    outcome<lease> next;
    locks.async_lock("key", fenced(), next.handler());
    settle();
    const key_report shown = inspect(others);
    BOOST_TEST(!unlock(held));
    BOOST_REQUIRE(complete(next));
    BOOST_TEST(!break_lock(shown));
    BOOST_TEST((what_became() == removal::changed));
    BOOST_TEST(next.value().valid());
}

BOOST_AUTO_TEST_CASE(what_a_test_holds_can_be_broken_by_its_name_alone) {
    hold(100s);
    key_report shown = inspect(others);
    key_report wrong = shown;
    for (const char* other : {"nobody", "", "0", "18446744073709551616"}) {
        wrong.holder = wrong.nodes[0].value = other;
        BOOST_TEST(!break_lock(wrong));
        BOOST_TEST((what_became() == removal::changed));
        BOOST_TEST(is_held());
    }
    BOOST_TEST(!break_lock(shown));
    BOOST_TEST((what_became() == removal::removed));
    BOOST_TEST(!is_held());
}

BOOST_AUTO_TEST_CASE(a_break_needs_a_report_on_this_client) {
    lease held = lock(locks);
    const key_report shown = inspect(others);
    key_report other = shown;
    other.key = "key";
    BOOST_TEST(break_lock(other) == errc::invalid_key);
    other = shown;
    other.nodes[0].node = "memory://another";
    outcome<break_report> result;
    locks.async_break(other, result.handler());
    BOOST_REQUIRE(complete(result));
    BOOST_TEST(result.error() == errc::invalid_option);
    other.nodes.clear();
    outcome<break_report> none;
    locks.async_break(other, none.handler());
    BOOST_REQUIRE(complete(none));
    BOOST_TEST(none.error() == errc::invalid_option);
    BOOST_TEST(held.valid());
}

BOOST_AUTO_TEST_CASE(there_is_nothing_to_examine) {
    outcome<std::vector<node_examination>> result;
    locks.async_examine(result.handler());
    BOOST_REQUIRE(complete(result));
    BOOST_TEST(result.error() == errc::unsupported);
    BOOST_TEST(result.value().empty());
}

BOOST_AUTO_TEST_CASE(a_closed_client_answers_no_question) {
    close(locks);
    BOOST_TEST(check(locks, 1) == errc::closed);
    outcome<key_report> inspected;
    locks.async_inspect("key", inspected.handler());
    outcome<std::vector<node_examination>> examined;
    locks.async_examine(examined.handler());
    BOOST_REQUIRE((complete(inspected) && complete(examined)));
    BOOST_TEST(inspected.error() == errc::closed);
    BOOST_TEST(examined.error() == errc::closed);
}

BOOST_AUTO_TEST_CASE(keys_that_somebody_has_are_listed_in_order) {
    const auto list = [&](const std::string& beginning = {}) {
        outcome<key_list> result;
        others.async_list(beginning, result.handler());
        BOOST_REQUIRE(complete(result));
        BOOST_TEST(!result.error());
        return result.value().keys;
    };
    BOOST_TEST(list().empty());
    lease b = lock(locks, "b"), a = lock(locks, "a"), ab = lock(locks, "ab", {.mode = mode::read});
    BOOST_TEST(list() == (std::vector<std::string>{"a", "ab", "b"}), boost::test_tools::per_element());
    BOOST_TEST(list("a") == (std::vector<std::string>{"a", "ab"}), boost::test_tools::per_element());
    BOOST_TEST(!unlock(a));
    BOOST_TEST(list("a") == (std::vector<std::string>{"ab"}), boost::test_tools::per_element());
    hand->fail_next(1, errc::node_timeout);
    outcome<key_list> failed;
    others.async_list({}, failed.handler());
    BOOST_REQUIRE(complete(failed));
    BOOST_TEST(failed.error() == errc::node_timeout);
}

BOOST_AUTO_TEST_CASE(whoever_looks_is_told_who_the_holder_is) {
    config c = settings();
    c.holder_label = "web-1";
    client named(context.get_executor(), c);
    lease held = lock(named);
    BOOST_TEST(inspect(others).holder_label == "web-1");
    BOOST_TEST(inspect(others).nodes.at(0).label == "web-1");
    BOOST_TEST(others.metrics().engine == "memory");
    lease reading = lock(named, "other", {.mode = mode::read});
    BOOST_TEST(inspect(others, "other").nodes.at(0).readers.value().at(0).label == "web-1");
    BOOST_TEST(!unlock(held));
    BOOST_TEST(inspect(others).holder_label.empty());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
