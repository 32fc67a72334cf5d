#include "node_fault.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>

namespace redlock::test {
namespace {

namespace data = boost::unit_test::data;
using clock = std::chrono::steady_clock;
using std::chrono::microseconds;

constexpr std::size_t cycles_of_a_batch = 300;
constexpr int batches = 14;

microseconds p99_of_one_batch(proxied_fixture& f, client& locks) {
    std::vector<microseconds> times;
    for (std::size_t i = 0; i < cycles_of_a_batch; ++i) {
        const auto start = clock::now();
        lease held = f.lock(locks, "key");
        BOOST_REQUIRE(!f.unlock(held));
        times.push_back(std::chrono::ceil<microseconds>(clock::now() - start));
    }
    const auto p99 = times.begin() + cycles_of_a_batch * 99 / 100;
    std::nth_element(times.begin(), p99, times.end());
    return *p99;
}

BOOST_FIXTURE_TEST_SUITE(latency, proxied_fixture)

// Beside a set of nodes that are all well, batch by batch in turn: what else the machine does slows both. It
// can only make a batch slower, and not every one: of each set the best batch counts.
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

    microseconds faulty = microseconds::max();
    microseconds healthy = microseconds::max();
    for (int i = 0; i < batches; ++i) {
        healthy = std::min(healthy, p99_of_one_batch(well, locks_of_well));
        faulty = std::min(faulty, p99_of_one_batch(*this, locks));
    }
    BOOST_TEST_MESSAGE("p99 healthy " << healthy.count() << " us, one node " << fault << " " << faulty.count()
                                      << " us");
    BOOST_TEST(faulty.count() <= 2 * healthy.count());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
