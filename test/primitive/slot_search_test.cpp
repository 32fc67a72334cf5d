#include "primitive/permits/slot_search.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <vector>

namespace redlock::test {
namespace {

using primitive::slot_search;

struct search_run {
    std::vector<std::size_t> sizes;
    std::vector<unsigned> slots;
};

search_run run(slot_search& search) {
    search_run all;
    for (auto next = search.next(); !next.empty(); next = search.next()) {
        all.sizes.push_back(next.size());
        all.slots.insert(all.slots.end(), next.begin(), next.end());
    }
    return all;
}

BOOST_AUTO_TEST_SUITE(slot_search_suite)

BOOST_AUTO_TEST_CASE(each_is_tried_once_in_growing_batches) {
    core::random random(1);
    slot_search search(10, random, [](unsigned) { return true; });
    search_run all = run(search);
    BOOST_TEST((all.sizes == std::vector<std::size_t>{1, 2, 4, 3}));
    std::sort(all.slots.begin(), all.slots.end());
    BOOST_TEST((all.slots == std::vector<unsigned>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

BOOST_AUTO_TEST_CASE(what_is_taken_here_is_left_out) {
    core::random random(1);
    slot_search search(4, random, [](unsigned slot) { return slot == 2; });
    BOOST_TEST((run(search).slots == std::vector<unsigned>{2}));
    slot_search none(4, random, [](unsigned) { return false; });
    BOOST_TEST(none.next().empty());
}

BOOST_AUTO_TEST_CASE(callers_begin_anywhere) {
    core::random random(1);
    std::vector<int> begun(4);
    for (int i = 0; i < 4000; ++i) {
        slot_search search(4, random, [](unsigned) { return true; });
        ++begun[search.next().front()];
    }
    for (const int times : begun)
        BOOST_TEST((times > 900 && times < 1100));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
