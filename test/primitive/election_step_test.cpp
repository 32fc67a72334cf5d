// Every operation of leaders and of those who observe them, interrupted behind every handler that runs for
// it.

#include "lease/every_step.hpp"

#include <redlock/leadership.hpp>

#include <boost/test/data/test_case.hpp>

#include <memory>
#include <ostream>
#include <string>

namespace redlock::test {
namespace {

namespace asio = boost::asio;
namespace data = boost::unit_test::data;

enum class deed { campaign, proclaim, resign, observe, wait_lost };
enum class place { free, others_lead, led_here, on_its_way };

constexpr deed leaders_deeds[] = {deed::proclaim, deed::resign, deed::observe, deed::wait_lost};
constexpr place places[] = {place::free, place::others_lead, place::led_here, place::on_its_way};

std::ostream& operator<<(std::ostream& out, deed d) { return out << "deed " << static_cast<int>(d); }
std::ostream& operator<<(std::ostream& out, place p) { return out << "place " << static_cast<int>(p); }

// More than any of them takes.
constexpr int most_election_steps = 80;

struct last_word : step_ending {
    leadership leads;
    leader_info told;
};

/// With something under way.
struct candidate : interrupted_client {
    explicit candidate(const lease_fixture& f) : interrupted_client(f.settings()) {}

    void start(deed what) {
        const auto bound = [this](auto handler) {
            return asio::bind_cancellation_slot(cancel.slot(), std::move(handler));
        };
        switch (what) {
        case deed::campaign:
            return locks->async_campaign("wanted", "me", patiently(), bound(noting(end, &last_word::leads)));
        case deed::proclaim:
            return led.async_proclaim("another", bound(noting(end)));
        case deed::resign:
            return led.async_unlock(bound(noting(end)));
        case deed::wait_lost:
            return led.async_wait_lost(bound(noting(end)));
        case deed::observe:
            return locks->async_observe("led", seen.mark, bound(noting(end, &last_word::told)));
        }
    }

    leadership campaign(const std::string& name) {
        outcome<leadership> got;
        locks->async_campaign(name, "before", patiently(), got.handler());
        settle();
        BOOST_REQUIRE(got.done());
        BOOST_REQUIRE(!got.error());
        return std::move(got.value());
    }
    void look() {
        outcome<leader_info> got;
        locks->async_observe("led", {}, got.handler());
        settle();
        BOOST_REQUIRE(got.done());
        seen = got.value();
    }

    std::shared_ptr<last_word> end = std::make_shared<last_word>();
    leadership led;
    leader_info seen;
    leadership in_the_way;
};

struct election_step_fixture : lease_fixture {
    // False when there is no later point at which it could be interrupted.
    bool interrupt_after(int steps, deed what, place where, interruption how) {
        BOOST_TEST_CONTEXT(what << ", " << where << ", " << how << " after " << steps << " steps") {
            candidate c(*this);
            c.led = c.campaign("led");
            c.look();
            if (where == place::led_here || where == place::on_its_way) c.in_the_way = c.campaign("wanted");
            if (where == place::others_lead) hold(24h, "wanted");
            c.start(what);
            if (where == place::led_here || where == place::on_its_way) {
                c.settle();
                c.in_the_way = leadership();
                if (where == place::on_its_way) hand->lose(prefix + "wanted");
            }
            const bool more = run_steps(c, *c.end, steps);
            c.interrupt(how);
            c.settle();
            expect_one_ending(c, what, how);
            expect_nothing_left(c, where, how);
            return more;
        }
        return false;
    }

    void expect_one_ending(candidate& c, deed what, interruption how) {
        if (!expect_one_completion(c.end, how)) return;
        const error_code e = c.end->error;
        const bool decided = !e && (what == deed::campaign || what == deed::proclaim || what == deed::resign);
        BOOST_TEST((decided || is_of(how, e)), "ended with " << e.message());
        BOOST_TEST(bool(c.end->leads) == (!e && what == deed::campaign));
        if (!ends_leases(how) && c.end->leads) BOOST_TEST(c.end->leads.valid());
    }

    void expect_nobody_leads(const std::string& name) {
        client looks = make_client();
        outcome<leader_info> told;
        looks.async_observe(name, {}, told.handler());
        BOOST_REQUIRE(complete(told));
        BOOST_TEST(!told.value().present);
        BOOST_TEST(!is_held(name));
    }

    void expect_nothing_left(candidate& c, place where, interruption how) {
        BOOST_TEST(waiting("wanted") == 0u);
        if (how == interruption::loop_gone) {
            pass(48h); // as when the process had died
        } else {
            if (how == interruption::client_closed) {
                BOOST_TEST(is_held("wanted") == (where == place::others_lead));
                expect_nobody_leads("led");
                if (where != place::others_lead) expect_nobody_leads("wanted");
            }
            c.end->leads = leadership();
            c.led = leadership();
            c.settle();
            lose("wanted"); // what the test holds
            expect_idle(c, how);
        }
        for (const char* const name : {"wanted", "led"})
            expect_nobody_leads(name);
    }

    void interrupt_everywhere(deed what, place where, interruption how) {
        const int steps = test::interrupt_everywhere(
            [&](int behind) { return interrupt_after(behind, what, where, how); }, most_election_steps);
        // What waits for something that does not come is interrupted while it does.
        BOOST_TEST((steps > 0 || what == deed::observe));
    }
};

BOOST_FIXTURE_TEST_SUITE(every_election_step_suite, election_step_fixture,
                         *boost::unit_test::precondition(engine_in_hand))

BOOST_DATA_TEST_CASE_F(election_step_fixture, campaigns_can_be_interrupted_anywhere,
                       data::make(places) * data::make(interruptions), where, how) {
    interrupt_everywhere(deed::campaign, where, how);
}

BOOST_DATA_TEST_CASE_F(election_step_fixture, leaders_can_be_interrupted_anywhere,
                       data::make(leaders_deeds) * data::make(interruptions), what, how) {
    interrupt_everywhere(what, place::free, how);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
