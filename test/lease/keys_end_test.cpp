// Until when a key that is given back may still be there: a node that cannot be told is told again until
// then.

#include "lease/lease_waiter.hpp"
#include "lessee_fixture.hpp"

namespace redlock::test {
namespace {

struct keys_end_fixture : lessee_fixture {
    /// The ttl and the lock delay.
    static constexpr auto life = 12s;
    static lock_options options() { return {.ttl = 10s, .lock_delay = 2s}; }

    core::instant end_after_release(lock_caller& of) {
        of.unlock();
        BOOST_REQUIRE(engine.released.size() == 1u);
        return engine.keys_end;
    }
};

struct downgrade_ear final : lock::lease_waiter {
    void answered(const boost::system::error_code&) noexcept override { is_told = true; }
    bool is_told = false;
};

BOOST_FIXTURE_TEST_SUITE(end_of_keys, keys_end_fixture)

BOOST_AUTO_TEST_CASE(a_key_may_be_there_for_its_life_after_the_last_command_that_gave_it_one) {
    lock_caller caller(*this, options());
    BOOST_TEST(grant(10s, 1s));
    const core::instant granted = clock;
    pass(1s);
    BOOST_TEST((end_after_release(caller) == granted + life));
}

BOOST_AUTO_TEST_CASE(a_renewal_puts_that_off_whatever_becomes_of_it) {
    for (const auto how : {engine::outcome::confirmed, engine::outcome::inconclusive}) {
        keys_end_fixture f;
        lock_caller caller(f, options());
        BOOST_TEST(f.grant(10s));
        for (int i = 0; i < 40 && f.engine.renewals.empty(); ++i)
            f.pass(100ms);
        BOOST_REQUIRE(f.engine.renewals.size() == 1u);
        const core::instant renewed = f.clock;
        BOOST_TEST((f.engine.renewals.back()->life == life));
        f.pass(1s);
        f.decide(how);
        BOOST_TEST((f.end_after_release(caller) == renewed + life));
    }
}

BOOST_AUTO_TEST_CASE(so_does_a_downgrade_for_what_it_wrote) {
    for (const auto how : {engine::outcome::confirmed, engine::outcome::inconclusive}) {
        keys_end_fixture f;
        lock_options to_write = options();
        to_write.mode = mode::write;
        lock_caller caller(f, to_write);
        BOOST_TEST(f.grant(10s));
        f.pass(1s);
        downgrade_ear by;
        f.engine.wants_token = true;
        f.turn([&] { caller.held->downgrade(by); });
        BOOST_TEST(!f.engine.wants_token); // for it has none
        const core::instant asked = f.clock;
        f.pass(1s);
        f.decide(how);
        BOOST_TEST(by.is_told);
        // Of the one, or of the other.
        BOOST_REQUIRE(f.engine.released.size() == 1u);
        BOOST_TEST((f.engine.keys_end == asked + life));
        f.turn([&] { caller.held->let_go(); });
        BOOST_REQUIRE(f.engine.released.size() == 2u);
        BOOST_TEST((f.engine.keys_end == asked + life));
        caller.held.reset();
    }
}

BOOST_AUTO_TEST_CASE(what_was_asked_for_before_somebody_stopped_has_that_much_less_of_its_life) {
    lock_caller late(*this, {.ttl = 10s}, "another");
    lock_caller stops(*this);
    const time::instant began = clock;
    turn([&] {
        BOOST_TEST(engine.grant(began, 10s));
        const std::stop_callback slow(stops.held->stop_token(), [&] { clock += 20s; });
        stops.held->lose();
        engine.contests.pop_back();
        BOOST_TEST(!engine.grant(began, 10s));
    });
    BOOST_TEST(lessee->counts().late_grants == 1u);
    BOOST_TEST(!late.held);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
