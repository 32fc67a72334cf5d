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
constexpr int batches = 7;

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

// Of several batches the best: what else runs on the machine can only make a batch slower, and not every one.
// When it is busy for longer than some batches take, further ones may show that the node was not the reason.
microseconds p99(proxied_fixture& f, client& locks, microseconds expected = microseconds::max()) {
    microseconds best = microseconds::max();
    for (int i = 0; i < batches || (best > expected && i < 4 * batches); ++i)
        best = std::min(best, p99_of_one_batch(f, locks));
    return best;
}

BOOST_FIXTURE_TEST_SUITE(latency, proxied_fixture)

BOOST_DATA_TEST_CASE_F(proxied_fixture, a_node_that_is_gone_does_not_slow_the_others,
                       data::make(all_node_faults), fault) {
    config c = settings();
    c.node_timeout = 250ms;
    client locks(context.get_executor(), c);
    BOOST_REQUIRE(becomes_ready(locks));
    const microseconds healthy = p99(*this, locks);
    inflict(*this, 1, fault);
    BOOST_TEST(!try_lock(locks, "key"));
    BOOST_REQUIRE(becomes_ready(locks, 4));
    const microseconds faulty = p99(*this, locks, 2 * healthy);
    BOOST_TEST_MESSAGE("p99 healthy " << healthy.count() << " us, one node " << fault << " " << faulty.count()
                                      << " us");
    BOOST_TEST(faulty.count() <= 2 * healthy.count());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
