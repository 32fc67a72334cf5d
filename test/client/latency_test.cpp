#include "node_fault.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>

namespace redlock::test {
namespace {

namespace data = boost::unit_test::data;
using clock = std::chrono::steady_clock;
using std::chrono::microseconds;

constexpr int cycles = 4000;

/// How long cycles of lock and unlock take on one set of nodes.
class stopwatch {
public:
    stopwatch(proxied_fixture& f, client& locks) : fixture_(f), locks_(locks) {}

    void one_cycle() {
        const auto start = clock::now();
        lease held = fixture_.lock(locks_, "key");
        BOOST_REQUIRE(!fixture_.unlock(held));
        times_.push_back(std::chrono::ceil<microseconds>(clock::now() - start));
    }

    microseconds p99() {
        const auto place = times_.begin() + static_cast<std::ptrdiff_t>(times_.size() * 99 / 100);
        std::nth_element(times_.begin(), place, times_.end());
        return *place;
    }

private:
    proxied_fixture& fixture_;
    client& locks_;
    std::vector<microseconds> times_;
};

BOOST_FIXTURE_TEST_SUITE(latency, proxied_fixture)

// Beside a set of nodes that are all well, cycle by cycle in turn: what else the machine does slows both
// alike.
BOOST_DATA_TEST_CASE_F(proxied_fixture, a_node_that_is_gone_does_not_slow_the_others,
                       data::make(all_node_faults), fault) {
    config c = settings();
    c.node_timeout = 250ms;
    client locks(context.get_executor(), c);
    proxied_fixture well;
    client locks_of_well(well.context.get_executor(), well.settings());
    BOOST_REQUIRE(becomes_ready(locks));
    BOOST_REQUIRE(well.becomes_ready(locks_of_well));
    inflict(*this, 1, fault);
    BOOST_TEST(!try_lock(locks, "key"));
    BOOST_REQUIRE(becomes_ready(locks, 4));

    stopwatch with_fault(*this, locks);
    stopwatch without(well, locks_of_well);
    for (int i = 0; i < cycles; ++i) {
        without.one_cycle();
        with_fault.one_cycle();
    }
    const microseconds faulty = with_fault.p99();
    const microseconds healthy = without.p99();
    BOOST_TEST_MESSAGE("p99 healthy " << healthy.count() << " us, one node " << fault << " " << faulty.count()
                                      << " us");
    BOOST_TEST(faulty.count() <= 2 * healthy.count());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
