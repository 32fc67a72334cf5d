// A caller who is to write has the key before those who read it are gone, and waits for them.

#include "lessee_fixture.hpp"

#include <vector>

namespace redlock::test {
namespace {

struct draining_fixture : lessee_fixture {
    draining_fixture() { engine.undrained = true; }

    static lock_options to_write(std::chrono::milliseconds wait = 1min) {
        return {.ttl = 10s, .wait = wait, .lock_delay = 2s, .mode = mode::write};
    }
    given_engine::draining& last() {
        BOOST_REQUIRE(!engine.drains.empty());
        return *engine.drains.back();
    }
    void drained(core::nanoseconds sent_before = 0ns) {
        turn([&] { last().listener->drained(clock - sent_before); });
    }
    void not_drained(errc why) {
        turn([&] { last().listener->not_drained(why, nullptr); });
    }
};

BOOST_FIXTURE_TEST_SUITE(draining_suite, draining_fixture)

BOOST_AUTO_TEST_CASE(the_lease_is_valid_from_the_question_that_found_nobody_on) {
    lock_caller caller(*this, to_write());
    BOOST_TEST(grant(10s));
    BOOST_TEST(!caller.held);
    BOOST_TEST(last().is_started);
    BOOST_TEST(last().wanted.claim == caller.claim);
    BOOST_TEST((last().wanted.ttl == 10s && last().wanted.waits));
    // What is heard of the key meanwhile is of a holder.
    BOOST_TEST(engine.holder_of("key") == caller.claim.get());
    pass(30s);
    drained(3s);
    BOOST_REQUIRE(bool(caller.held));
    BOOST_TEST(!caller.acquire.has_value());
    BOOST_TEST((caller.held->remaining() > 6s && caller.held->remaining() < 7s));
    const core::instant end = clock + 12s;
    caller.unlock();
    BOOST_TEST((engine.keys_end == end));
}

BOOST_AUTO_TEST_CASE(one_for_whom_nobody_is_to_be_waited_for_has_it_at_once) {
    lock_options exclusive = to_write();
    exclusive.mode = mode::exclusive;
    lock_caller caller(*this, exclusive);
    BOOST_TEST(grant(10s));
    BOOST_TEST(bool(caller.held));
    BOOST_TEST(engine.drains.empty());
    caller.unlock();
    engine.undrained = false;
    lock_caller writer(*this, to_write());
    BOOST_TEST(grant(10s));
    BOOST_TEST(bool(writer.held));
    writer.unlock();
}

BOOST_AUTO_TEST_CASE(an_answer_that_came_too_late_is_of_no_use) {
    for (const bool has_time : {true, false}) {
        draining_fixture f;
        lock_caller caller(f, to_write(1min));
        BOOST_TEST(f.grant(10s));
        if (!has_time) f.pass(1min);
        f.drained(9900ms);
        BOOST_TEST(!caller.held);
        BOOST_REQUIRE(f.engine.released.size() == 1u);
        BOOST_TEST(f.engine.released.front() == caller.claim);
        BOOST_TEST((f.engine.keys_end == f.clock + 12s));
        BOOST_TEST(!f.engine.holder_of("key"));
        // It goes on in its place while it may.
        BOOST_TEST(f.engine.contests.size() == (has_time ? 2u : 1u));
        BOOST_TEST(f.engine.claimed_again == (has_time ? 1u : 0u));
        BOOST_TEST(caller.refused.has_value() != has_time);
        if (!has_time) BOOST_TEST((*caller.refused == errc::no_quorum));
        BOOST_TEST(caller.acquire.has_value() == has_time);
        if (!has_time) continue;
        BOOST_TEST(f.grant(10s));
        f.drained();
        BOOST_TEST(bool(caller.held));
        caller.unlock();
    }
}

BOOST_AUTO_TEST_CASE(whoever_loses_it_meanwhile_contends_again_and_only_behind_others_if_it_was_taken_away) {
    for (const errc why : {errc::held, errc::no_quorum, errc::lease_lost}) {
        draining_fixture f;
        lock_caller caller(f, to_write());
        BOOST_TEST(f.grant(10s));
        f.not_drained(why);
        BOOST_TEST(!caller.refused.has_value());
        BOOST_TEST(f.engine.released.size() == 1u);
        BOOST_REQUIRE(f.engine.contests.size() == 2u);
        const auto& again = f.engine.contests.back()->wanted;
        BOOST_TEST(again.claim != caller.claim);
        BOOST_TEST(again.claim->key() == "key");
        BOOST_TEST((again.claim->mode() == mode::write));
        BOOST_TEST(f.engine.claimed_again == (why == errc::lease_lost ? 0u : 1u));
        f.turn([&] { caller.acquire->cancel(); });
        BOOST_TEST((caller.refused == errc{}));
    }
}

BOOST_AUTO_TEST_CASE(what_does_not_go_by_itself_is_told) {
    for (const errc why : {errc::wait_timeout, errc::permission_denied, errc::closed}) {
        draining_fixture f;
        lock_caller caller(f, to_write());
        BOOST_TEST(f.grant(10s));
        f.not_drained(why);
        BOOST_TEST((caller.refused == why));
        BOOST_TEST(!caller.acquire.has_value());
        BOOST_TEST(f.engine.released.size() == 1u);
        BOOST_TEST(f.engine.contests.size() == 1u);
    }
    // At the end of its wait it is as if others had it.
    draining_fixture f;
    lock_caller caller(f, to_write());
    BOOST_TEST(f.grant(10s));
    f.pass(1min);
    f.not_drained(errc::lease_lost);
    BOOST_TEST((caller.refused == errc::held));
}

BOOST_AUTO_TEST_CASE(who_loses_interest_gives_the_key_back) {
    lock_caller caller(*this, to_write());
    BOOST_TEST(grant(10s));
    turn([&] { caller.acquire->cancel(); });
    BOOST_TEST((caller.refused == errc{}));
    BOOST_TEST(!caller.acquire.has_value());
    BOOST_TEST(engine.released.size() == 1u);
    BOOST_TEST(!engine.holder_of("key"));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
