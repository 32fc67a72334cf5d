#include <redlock/detail/pool.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <malloc.h>
#include <mutex>
#include <optional>
#include <random>
#include <set>
#include <thread>
#include <vector>

using namespace redlock::detail;
namespace utf = boost::unit_test;

#if !defined(__has_feature) // of g++, which names its sanitizers by macros
#define __has_feature(name) 0
#endif

namespace {

#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
constexpr bool blocks_are_kept = false; // every block is new
#else
constexpr bool blocks_are_kept = true;
#endif
#if defined(__SANITIZE_THREAD__) || __has_feature(thread_sanitizer)
constexpr bool heap_tells_its_use = false;
#else
constexpr bool heap_tells_its_use = blocks_are_kept;
#endif

template <bool Condition>
boost::test_tools::assertion_result only_if(utf::test_unit_id) {
    return Condition;
}

/// A block that is filled from end to end.
struct filled_block {
    explicit filled_block(std::size_t s) : size(s), memory(take_block(s)) { std::memset(memory, 0xA5, size); }
    void give_back() const { give_back_block(memory, size); }
    bool is_filled() const {
        const auto* const bytes = static_cast<const unsigned char*>(memory);
        return std::all_of(bytes, bytes + size, [](unsigned char b) { return b == 0xA5; });
    }

    std::size_t size;
    void* memory;
};

/// What other threads have left for one.
class handed_over {
public:
    void put(const filled_block& block) {
        const std::lock_guard hold(guard_);
        blocks_.push_back(block);
    }
    std::optional<filled_block> take() {
        const std::lock_guard hold(guard_);
        if (blocks_.empty()) return {};
        const filled_block last = blocks_.back();
        blocks_.pop_back();
        return last;
    }

private:
    std::mutex guard_;
    std::vector<filled_block> blocks_;
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

/// A handler whose author asked for more than a cache line.
template <std::size_t Size, std::size_t Alignment>
struct alignas(Alignment) wide {
    std::array<char, Size> bytes{};
};

template <class T>
unsigned misaligned_of(unsigned count) {
    pool_allocator<T> memory;
    std::vector<T*> all;
    for (unsigned i = 0; i < count; ++i)
        all.push_back(memory.allocate(1));
    const auto wrong = std::count_if(all.begin(), all.end(), [](const T* at) {
        return reinterpret_cast<std::uintptr_t>(at) % alignof(T) != 0;
    });
    for (T* at : all)
        memory.deallocate(at, 1);
    return static_cast<unsigned>(wrong);
}

BOOST_AUTO_TEST_CASE(a_type_has_the_alignment_that_it_asks_for) {
    BOOST_TEST((misaligned_of<wide<100, 64>>(100)) == 0U);
    BOOST_TEST((misaligned_of<wide<100, 128>>(100)) == 0U);
    BOOST_TEST((misaligned_of<wide<1000, 256>>(100)) == 0U);
    BOOST_TEST((misaligned_of<wide<2000, 128>>(100)) == 0U);
    BOOST_TEST((misaligned_of<wide<2000, 4096>>(100)) == 0U);
}

BOOST_AUTO_TEST_CASE(a_block_is_used_again_for_its_size_only, *utf::precondition(only_if<blocks_are_kept>)) {
    const filled_block first(200);
    first.give_back();
    const filled_block other(300);
    const filled_block same(255); // both take four lines
    BOOST_TEST((other.memory != first.memory));
    BOOST_TEST((same.memory == first.memory));
    other.give_back();
    same.give_back();
}

// What a burst has spread out must not stay so.
BOOST_AUTO_TEST_CASE(few_blocks_lie_close_together_after_many, *utf::precondition(only_if<blocks_are_kept>)) {
    std::vector<filled_block> burst;
    for (int i = 0; i < 10'000; ++i)
        burst.emplace_back(128);
    std::shuffle(burst.begin(), burst.end(), std::mt19937(1));
    std::set<std::uintptr_t> runs;
    for (auto block = burst.begin(); block != burst.begin() + 9800; ++block)
        block->give_back();
    // Those left over from the burst end, as locks do, and others take their place.
    for (auto block = burst.begin() + 9800; block != burst.end(); ++block) {
        const filled_block next(128);
        block->give_back();
        *block = next;
    }
    for (auto block = burst.begin() + 9800; block != burst.end(); ++block) {
        runs.insert(reinterpret_cast<std::uintptr_t>(block->memory) / 32'768);
        block->give_back();
    }
    BOOST_TEST(runs.size() <= 2U); // 200 blocks take 25 KiB
}

BOOST_AUTO_TEST_CASE(blocks_in_use_are_all_different) {
    for (int round = 0; round < 2; ++round) {
        std::set<void*> taken;
        std::vector<filled_block> all;
        for (int i = 0; i < 20'000; ++i) {
            all.emplace_back(128);
            taken.insert(all.back().memory);
        }
        BOOST_TEST(taken.size() == all.size());
        for (const auto& block : all)
            block.give_back();
    }
}

// A thread may leave one block behind and not the memory of all others.
BOOST_AUTO_TEST_CASE(one_block_does_not_keep_the_memory_of_a_thread,
                     *utf::precondition(only_if<heap_tells_its_use>)) {
    std::optional<filled_block> left;
    std::vector<filled_block> others;
    std::thread taker([&] {
        for (int i = 0; i < 20'000; ++i)
            others.emplace_back(500);
    });
    taker.join();
    left = others.back();
    others.pop_back();
    const std::size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
    for (const auto& block : others)
        block.give_back();
    const std::size_t after = mallinfo2().uordblks + mallinfo2().hblkhd;
    BOOST_TEST(before - after > 9'000'000U);
    left->give_back();
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

// Each thread fills its blocks, hands them to the next, and ends while others still have some of them.
BOOST_AUTO_TEST_CASE(threads_pass_blocks_around) {
    constexpr unsigned threads = 4;
    std::array<handed_over, threads> boxes;
    std::atomic<unsigned> spoiled{0};
    const auto work = [&](unsigned self) {
        std::mt19937 draw(self);
        for (int i = 0; i < 5000 + 1000 * static_cast<int>(self); ++i) {
            boxes[(self + 1) % threads].put(filled_block(1 + draw() % 1100));
            if (const auto came = boxes[self].take()) {
                spoiled += !came->is_filled();
                came->give_back();
            }
        }
    };
    std::vector<std::thread> all;
    for (unsigned self = 0; self < threads; ++self)
        all.emplace_back(work, self);
    for (std::thread& t : all)
        t.join();
    for (handed_over& box : boxes)
        while (const auto left = box.take()) {
            spoiled += !left->is_filled();
            left->give_back();
        }
    BOOST_TEST(spoiled == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
