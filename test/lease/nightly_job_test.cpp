// A job that every host of a fleet starts at the same time of the night, each by a clock of its own.

#include "lease_fixture.hpp"

#include <boost/test/data/test_case.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <ostream>
#include <utility>

namespace redlock::test {
namespace {

namespace data = boost::unit_test::data;

using night_time = std::chrono::milliseconds;

constexpr std::size_t host_count = 5;
constexpr night_time kept_for = 30min;
/// How much later than the first each host of a night comes: from at once to nearly all that is kept.
constexpr std::array<night_time, host_count> lateness{0ms, 4ms, 7s, 11min, 25min};

/// How long the job takes on each of the hosts in turn.
struct job_lengths {
    std::array<night_time, host_count> of;
};
std::ostream& operator<<(std::ostream& out, const job_lengths& l) {
    out << "jobs of";
    for (const night_time length : l.of)
        out << ' ' << length.count();
    return out << " ms";
}
/// Nearly nothing, longer than some are late, longer than all of them, longer than the key is kept.
constexpr job_lengths lengths[] = {
    {{0ms, 1ms, 12min, 28min, 2h}}, {{28min, 0ms, 2h, 1ms, 12min}}, {{2h, 28min, 1ms, 12min, 0ms}}};

struct nightly_fixture : lease_fixture {
    nightly_fixture() {
        for (std::size_t i = 0; i < host_count; ++i)
            hosts.emplace_back(context.get_executor(), settings());
    }

    /// How many hosts ran the job in a night, in which that one comes first and the others behind it.
    std::size_t run_night(std::size_t first, const job_lengths& takes, night_time keep) {
        std::size_t jobs = 0;
        std::deque<lease> running;
        for (std::size_t i = 0; i < host_count; ++i) {
            const std::size_t host = (first + i) % host_count;
            at(lateness[i], [&, host] {
                outcome<lease> got;
                hosts[host].async_try_lock("nightly", {.ttl = long_ttl, .keep = keep}, got.handler());
                BOOST_REQUIRE(complete(got));
                if (got.error() == errc::held) return;
                BOOST_TEST(!got.error());
                ++jobs;
                lease& held = running.emplace_back(std::move(got.value()));
                at(now + takes.of[host], [&] { BOOST_TEST(!unlock(held)); });
            });
        }
        live_until(24h);
        return jobs;
    }

    std::deque<client> hosts;

private:
    void at(night_time when, std::function<void()> what) { plan.emplace(when, std::move(what)); }

    /// Does what is planned, and begins the next night.
    void live_until(night_time end) {
        at(end, [] {});
        while (!plan.empty()) {
            const auto next = plan.begin();
            while (now < next->first) {
                // No renewal comes too late in such steps.
                const night_time step = std::min<night_time>(next->first - now, 3min);
                pass(step);
                now += step;
            }
            const auto what = std::move(next->second);
            plan.erase(next);
            what();
        }
        now = 0ms;
    }

    night_time now{0};
    std::multimap<night_time, std::function<void()>> plan;
};

BOOST_FIXTURE_TEST_SUITE(nightly_job_suite, nightly_fixture, *boost::unit_test::precondition(engine_in_hand))

// ShedLock #6: a short job is over before the other hosts come, and a lock alone lets all of them run it.
BOOST_DATA_TEST_CASE_F(nightly_fixture, it_runs_on_one_host_in_a_night_and_on_one_in_the_next,
                       data::make(lengths) * data::xrange(host_count), takes, first) {
    BOOST_TEST(run_night(first, takes, kept_for) == 1u);
    BOOST_TEST(run_night((first + 2) % host_count, takes, kept_for) == 1u);
    BOOST_TEST(!is_held("nightly"));
}

BOOST_AUTO_TEST_CASE(without_a_key_that_is_kept_each_runs_it) {
    BOOST_TEST(run_night(0, {}, 0ms) == host_count);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
