#include "memory/thread_heap.hpp"

#include <algorithm>
#include <bit>

namespace redlock::memory {

namespace {

constexpr std::uint32_t bits = 64;

constexpr std::uint64_t bit(std::uint32_t place) noexcept { return std::uint64_t{1} << place % bits; }

} // namespace

thread_heap::~thread_heap() {
    for (const kind& k : kinds_)
        for (slab* const s : k.slabs)
            if (s) slab::destroy(*s);
}

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
    slabs[s.place()] = &s;
    has_room(s);
}

// The one farther behind goes: what is in use moves forward.
void thread_heap::kind::let_go(slab& s) noexcept {
    if (!unused || unused == &s || unused->used() != 0) {
        unused = &s;
        return;
    }
    slab* const goes = std::ranges::max(unused, &s, {}, &slab::place);
    unused = goes == &s ? unused : &s;
    remove(*goes);
}

void thread_heap::kind::remove(slab& s) noexcept {
    slabs[s.place()] = nullptr;
    room[s.place() / bits] &= ~bit(s.place());
    if (first == &s) find_room();
    slab::destroy(s);
}

void* thread_heap::take_from_next(kind& k, std::uint32_t lines) {
    if (returned_.load(std::memory_order_relaxed))
        take_returned(returned_.exchange(nullptr, std::memory_order_acquire));
    k.find_room();
    if (!k.first) k.add(slab::create(*this, lines, k.free_place()));
    return k.first->take();
}

void thread_heap::take_returned(returned_block* top) noexcept {
    while (top) {
        returned_block* const next = top->next;
        put(slab::of(top), top);
        top = next;
    }
}

namespace {

// What `returned_` is after the end.
constinit std::byte ended{};

} // namespace

void thread_heap::put_from_elsewhere(void* memory) noexcept {
    const auto end = static_cast<returned_block*>(static_cast<void*>(&ended));
    auto* const block = ::new (memory) returned_block{returned_.load(std::memory_order_relaxed)};
    while (block->next != end)
        if (returned_.compare_exchange_weak(block->next, block, std::memory_order_release,
                                            std::memory_order_acquire))
            return;
    if (left_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
}

void thread_heap::end() noexcept {
    const auto end = static_cast<returned_block*>(static_cast<void*>(&ended));
    take_returned(returned_.exchange(end, std::memory_order_acq_rel));
    std::ptrdiff_t used = 0;
    for (const kind& k : kinds_)
        for (const slab* const s : k.slabs)
            used += s ? static_cast<std::ptrdiff_t>(s->used()) : 0;
    if (left_.fetch_add(used, std::memory_order_acq_rel) + used == 0) delete this;
}

} // namespace redlock::memory
