#include <redlock/detail/pool.hpp>

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <cstring>
#include <set>
#include <thread>
#include <vector>

using namespace redlock::detail;

namespace {

/// A block that is filled from end to end.
struct filled_block {
    explicit filled_block(std::size_t s) : size(s), memory(take_block(s)) { std::memset(memory, 0xA5, size); }
    void give_back() const { give_back_block(memory, size); }

    std::size_t size;
    void* memory;
};

/// Gives a block back when the thread has ended for everything that was declared later.
struct last_owner {
    void* memory = nullptr;
    ~last_owner() {
        if (memory) give_back_block(memory, 100);
    }
};

} // namespace

BOOST_AUTO_TEST_SUITE(pool_suite)

BOOST_AUTO_TEST_CASE(every_size_begins_at_a_cache_line) {
    std::vector<filled_block> all;
    for (const std::size_t size : {1U, 63U, 64U, 65U, 500U, 1023U, 1024U, 1025U, 100'000U})
        all.emplace_back(size);
    for (const auto& block : all) {
        BOOST_TEST(reinterpret_cast<std::uintptr_t>(block.memory) % 64 == 0U);
        block.give_back();
    }
    give_back_block(take_block(0), 0);
}

#if !defined(__SANITIZE_ADDRESS__) // under which every block is new
BOOST_AUTO_TEST_CASE(a_block_is_used_again_for_its_size_only) {
    const filled_block first(200);
    first.give_back();
    const filled_block other(300);
    const filled_block same(255); // both take four lines
    BOOST_TEST((other.memory != first.memory));
    BOOST_TEST((same.memory == first.memory));
    other.give_back();
    same.give_back();
}
#endif

BOOST_AUTO_TEST_CASE(blocks_in_use_are_all_different) {
    for (int round = 0; round < 2; ++round) {
        std::set<void*> taken;
        std::vector<filled_block> all;
        for (int i = 0; i < 20'000; ++i) { // more than are kept
            all.emplace_back(128);
            taken.insert(all.back().memory);
        }
        BOOST_TEST(taken.size() == all.size());
        for (const auto& block : all)
            block.give_back();
    }
}

// AddressSanitizer would find what is not given back in the end, or is twice.
BOOST_AUTO_TEST_CASE(blocks_may_end_on_any_thread_at_any_time) {
    std::vector<filled_block> all;
    std::thread taker([&] {
        static thread_local last_owner outlives_the_pool;
        for (int i = 0; i < 100; ++i)
            all.emplace_back(100);
        outlives_the_pool.memory = take_block(100);
        give_back_block(take_block(64), 64);
    });
    taker.join();
    std::thread giver([&] {
        for (const auto& block : all)
            block.give_back();
    });
    giver.join();
    BOOST_TEST(all.size() == 100U);
}

BOOST_AUTO_TEST_SUITE_END()
