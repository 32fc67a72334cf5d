#include "primitive/permits/slot_search.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <numeric>
#include <vector>

namespace redlock::test {
namespace {

using primitive::slot_search;

struct search_run {
    std::vector<std::size_t> sizes;
    std::vector<unsigned> slots;
};

template <class SeemsFree>
search_run run(slot_search& search, SeemsFree seems_free) {
    core::random random(1);
    search_run all;
    const auto one_more = [&] { return search.next(random, seems_free); };
    for (auto next = one_more(); !next.empty(); next = one_more()) {
        all.sizes.push_back(next.size());
        all.slots.insert(all.slots.end(), next.begin(), next.end());
    }
    return all;
}

BOOST_AUTO_TEST_SUITE(slot_search_suite)

bool always(unsigned) { return true; }

BOOST_AUTO_TEST_CASE(each_is_tried_once_in_growing_batches) {
    slot_search search(10);
    search_run all = run(search, always);
    BOOST_TEST((all.sizes == std::vector<std::size_t>{1, 2, 4, 3}));
    std::sort(all.slots.begin(), all.slots.end());
    BOOST_TEST((all.slots == std::vector<unsigned>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

BOOST_AUTO_TEST_CASE(what_is_taken_here_is_left_out) {
    slot_search search(4);
    BOOST_TEST((run(search, [](unsigned slot) { return slot == 2; }).slots == std::vector<unsigned>{2}));
    slot_search none(4);
    BOOST_TEST(run(none, [](unsigned) { return false; }).slots.empty());
    slot_search most(lock::max_permits);
    search_run all = run(most, [](unsigned slot) { return slot % 3 != 0; });
    std::sort(all.slots.begin(), all.slots.end());
    std::vector<unsigned> free;
    for (unsigned slot = 0; slot < lock::max_permits; ++slot)
        if (slot % 3 != 0) free.push_back(slot);
    BOOST_TEST(all.slots == free, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(each_is_looked_at_once_and_none_without_need) {
    core::random random(1);
    std::vector<int> looks(8);
    const auto taken = [&](unsigned slot) {
        ++looks[slot];
        return false;
    };
    const auto free = [&](unsigned slot) {
        ++looks[slot];
        return true;
    };
    slot_search search(8);
    const unsigned first = search.next(random, free).front();
    BOOST_TEST(looks[first] == 1);
    BOOST_TEST(std::accumulate(looks.begin(), looks.end(), 0) == 1);
    BOOST_TEST(search.next(random, taken).empty());
    BOOST_TEST(looks == std::vector<int>(8, 1), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(callers_begin_anywhere) {
    core::random random(1);
    std::vector<int> begun(4);
    for (int i = 0; i < 4000; ++i) {
        slot_search search(4);
        ++begun[search.next(random, always).front()];
    }
    for (const int times : begun)
        BOOST_TEST((times > 900 && times < 1100));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
