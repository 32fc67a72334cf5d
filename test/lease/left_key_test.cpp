// Keys that nobody holds, and that are to stay where they are: who hears late that a node has handed one of
// them over must not give it back there.

#include "lessee_fixture.hpp"

namespace redlock::test {
namespace {

struct left_key_fixture : lessee_fixture {
    bool is_left(const redlock::engine::claim_pointer& by) const {
        return engine.has_left("key", [&](const redlock::engine::claim& c) { return &c == by.get(); });
    }
};

BOOST_FIXTURE_TEST_SUITE(left_key, left_key_fixture)

BOOST_AUTO_TEST_CASE(a_kept_key_is_left_until_its_time_is_over) {
    lock_caller caller(*this, {.ttl = 10s, .keep = 30s});
    BOOST_TEST(grant(10s));
    const auto held = caller.held->claim();
    pass(1s);
    caller.unlock();
    BOOST_TEST(!engine.holder_of("key"));
    BOOST_TEST(is_left(held));
    decide(redlock::engine::outcome::confirmed);
    BOOST_TEST(is_left(held));
    BOOST_TEST(!is_left(engine.claim_key("", detail::key_text("key"), false)));
    BOOST_TEST(!engine.has_left("another", [](const auto&) { return true; }));
    pass(29s - 1ms);
    BOOST_TEST(is_left(held));
    pass(1ms);
    BOOST_TEST(!is_left(held));
}

BOOST_AUTO_TEST_CASE(a_lost_key_is_left_until_it_is_given_back) {
    lock_caller caller(*this, {.ttl = 10s, .renew = false});
    BOOST_TEST(grant(10s));
    const auto held = caller.held->claim();
    pass(9s);
    BOOST_TEST(caller.held->stop_token().stop_requested());
    BOOST_TEST(caller.held->valid());
    BOOST_TEST(!engine.holder_of("key"));
    BOOST_TEST(is_left(held));
    caller.unlock();
    BOOST_TEST(!is_left(held));
}

BOOST_AUTO_TEST_CASE(of_very_many_kept_keys_the_last_are_known) {
    redlock::engine::claim_pointer first;
    redlock::engine::claim_pointer last;
    for (int i = 0; i < 1025; ++i) {
        lock_caller caller(*this, {.ttl = 10s, .keep = 1h});
        BOOST_REQUIRE(grant(10s));
        last = caller.held->claim();
        if (!first) first = last;
        caller.unlock();
        decide(redlock::engine::outcome::confirmed);
    }
    BOOST_TEST(!is_left(first));
    BOOST_TEST(is_left(last));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
