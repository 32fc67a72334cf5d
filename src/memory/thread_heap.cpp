#include "memory/thread_heap.hpp"

#include <algorithm>
#include <bit>

namespace redlock::memory {

namespace {

constexpr std::uint32_t bits = 64;

constexpr std::uint64_t bit(std::uint32_t place) noexcept { return std::uint64_t{1} << place % bits; }

} // namespace

void thread_heap::kind::has_room(slab& s) noexcept {
    room[s.place() / bits] |= bit(s.place());
    if (!first || s.place() < first->place()) first = &s;
}

void thread_heap::kind::find_room() noexcept {
    first = nullptr;
    for (std::size_t i = 0; i < room.size() && !first; ++i)
        while (room[i] != 0 && !first) {
            slab* const s = slabs[i * bits + static_cast<std::size_t>(std::countr_zero(room[i]))];
            if (s->is_full())
                room[i] &= room[i] - 1;
            else
                first = s;
        }
}

std::uint32_t thread_heap::kind::free_place() {
    const auto place = std::ranges::find(slabs, nullptr);
    if (place == slabs.end()) {
        room.resize(slabs.size() / bits + 1);
        slabs.push_back(nullptr);
        return static_cast<std::uint32_t>(slabs.size() - 1);
    }
    return static_cast<std::uint32_t>(place - slabs.begin());
}

void thread_heap::kind::add(slab& s) noexcept {
    ++unused;
    slabs[s.place()] = &s;
    has_room(s);
}

void thread_heap::kind::let_go(slab& s) noexcept {
    if (unused < most_unused) {
        ++unused;
        return s.start_afresh();
    }
    slabs[s.place()] = nullptr;
    room[s.place() / bits] &= ~bit(s.place());
    if (first == &s) find_room();
    slab::destroy(s);
}

void* thread_heap::take_from_next(kind& k, std::uint32_t lines) {
    // More than a slab has, so that others cannot return blocks quicker than they are taken back here; no
    // more, for somebody waits.
    constexpr std::size_t at_once = 2 * slab::length / slab::line;
    if (!taken_back_ && returned_.load(std::memory_order_relaxed))
        taken_back_ = returned_.exchange(nullptr, std::memory_order_acquire);
    put_taken_back(at_once);
    k.find_room();
    if (!k.first) k.add(slab::create(*this, lines, k.free_place()));
    k.unused -= !k.first->is_used();
    return k.first->take();
}

void thread_heap::put_and_note(slab& s, void* block) noexcept {
    kind& k = kinds_[s.lines() - 1];
    if (s.is_full()) k.has_room(s);
    s.put(block);
    if (!s.is_used()) k.let_go(s);
}

void thread_heap::put_taken_back(std::size_t most) noexcept {
    for (; taken_back_ && most > 0; --most) {
        returned_block* const block = taken_back_;
        taken_back_ = block->next;
        put(slab::of(block), block);
    }
}

void thread_heap::put_from_elsewhere(slab& s, void* memory) noexcept {
    auto* const block = ::new (memory) returned_block{returned_.load(std::memory_order_relaxed)};
    while (block->next != ended())
        if (returned_.compare_exchange_weak(block->next, block, std::memory_order_release,
                                            std::memory_order_acquire))
            return;
    if (s.gets_back()) let_go_of(s);
}

void thread_heap::end() noexcept {
    constexpr std::size_t all = ~std::size_t{0};
    put_taken_back(all);
    taken_back_ = returned_.exchange(ended(), std::memory_order_acq_rel);
    put_taken_back(all);
    std::size_t slabs = 1;
    for (const kind& k : kinds_)
        slabs += k.slabs.size() - static_cast<std::size_t>(std::ranges::count(k.slabs, nullptr));
    slabs_left_.store(slabs, std::memory_order_relaxed);
    for (const kind& k : kinds_)
        for (slab* const s : k.slabs)
            if (s && s->is_left()) let_go_of(*s);
    if (slabs_left_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
}

void thread_heap::let_go_of(slab& s) noexcept {
    slab::destroy(s);
    if (slabs_left_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
}

} // namespace redlock::memory
