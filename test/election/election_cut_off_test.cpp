// A leader that hears nothing any more from any node, and the one after it.

#include "election_fixture.hpp"

#include <redlock/observer.hpp>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>

#include <deque>
#include <memory>
#include <stop_token>
#include <string_view>

namespace redlock::test {
namespace {

namespace data = boost::unit_test::data;

/// How the leader before stood at the moment of a grant.
struct looks_back : redlock::observer {
    void granted(std::string_view, std::chrono::nanoseconds) noexcept override {
        ++grants;
        before_was_stopped = stop.stop_requested();
        before_was_valid = before.valid();
    }
    std::stop_source stop;
    leadership before;
    int grants = 0;
    bool before_was_stopped = false;
    bool before_was_valid = true;
};

struct cut_off_fixture : nodes_election_fixture {
    cut_off_fixture() {
        config c = settings();
        for (std::size_t i = 0; i < nodes.size(); ++i)
            c.nodes[i] = proxies.emplace_back(nodes[i].port()).uri();
        far.emplace(context.get_executor(), c);
        c = settings();
        c.observer = looks;
        after.emplace(context.get_executor(), c);
    }

    std::deque<fault_proxy> proxies;
    std::shared_ptr<looks_back> looks = std::make_shared<looks_back>();
    std::optional<client> far, after;
};

BOOST_FIXTURE_TEST_SUITE(election_cut_off, cut_off_fixture)

using cut = void (fault_proxy::*)();
const cut cuts[] = {&fault_proxy::refuse, &fault_proxy::black_hole};

// CURATOR-696, CURATOR-620: two led. The clock alone tells one that is cut off that its time is over.
BOOST_DATA_TEST_CASE_F(cut_off_fixture, it_was_told_to_stop_when_the_next_is_granted, data::make({0, 1}),
                       way) {
    lock_options options = with_ttl(2s);
    options.stop_margin = 800ms; // in which a busy machine may be late
    options.stop = &looks->stop;
    looks->before = campaign(*far, "one", options);
    follower follows(observes);
    BOOST_TEST(run_until([&] { return follows.sees("one"); }));
    auto next = ask(*after, "two");
    settle();
    BOOST_TEST(!next.done());
    for (auto& proxy : proxies)
        (proxy.*cuts[way])();
    BOOST_TEST(looks->before.valid());
    leadership leads = expect(next);
    BOOST_TEST(looks->grants == 1);
    BOOST_TEST(looks->before_was_stopped);
    BOOST_TEST(!looks->before_was_valid);
    BOOST_TEST(leads.term() > looks->before.term());
    BOOST_TEST(proclaim(looks->before, "still") == errc::lease_lost);
    BOOST_TEST(run_until([&] { return follows.sees("two"); }));
    // What it could not take back meanwhile takes nothing from the next.
    for (auto& proxy : proxies)
        proxy.pass();
    looks->before = leadership();
    BOOST_REQUIRE(becomes_ready(*far));
    settle(300ms);
    BOOST_TEST(follows.sees("two"));
    BOOST_TEST(leads.valid());
    BOOST_TEST(!follows.has_fallen());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
