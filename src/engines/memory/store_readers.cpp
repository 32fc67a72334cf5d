// Who may have a key beside others: those who read it.

#include "core/validity.hpp"
#include "engines/memory/store.hpp"

#include <algorithm>

namespace redlock::memory {

// In their order: several who read together, and nobody past the first for whom there is no room.
void store::serve(entry& e) {
    while (!e.waiting.empty() && has_room(e, e.waiting.front().mode)) {
        seeker& next = e.waiting.front();
        e.waiting.pop_front();
        give(e, next);
        next.told.granted.push_back(&next);
        notify(next.told);
    }
}

bool store::has_room(const entry& e, redlock::mode wanted) noexcept {
    return !e.holder && (wanted != mode::write || e.readers.empty());
}

errc store::join_as_reader(std::string_view key, std::uint64_t holder, std::uint64_t claim,
                           std::chrono::milliseconds life) {
    const std::lock_guard<std::mutex> locked(mutex_);
    if (const errc failed = request_fails(); failed != errc{}) return failed;
    entry* const e = find(key);
    if (!e || e->holder != holder) return errc::lease_lost;
    e->readers.push_back({.claim = claim,
                          .box = e->holders_box,
                          .expires = core::saturating_add(clock_.now(), core::saturating_nanoseconds(life)),
                          .wrote = holder});
    return errc{};
}

bool store::was_downgraded(const entry& e, std::uint64_t claim) noexcept {
    return std::ranges::find(e.readers, claim, &reader::wrote) != e.readers.end();
}

// Past those who wait to write, this once: those cannot have it yet in any case.
void store::let_readers_in(entry& e) {
    for (auto next = e.waiting.begin(); next != e.waiting.end();) {
        seeker& one = *next++;
        if (one.mode != mode::read) continue;
        e.waiting.erase(e.waiting.iterator_to(one));
        give(e, one);
        one.told.granted.push_back(&one);
        notify(one.told);
    }
}

// Whoever waits while nobody keeps others out waits for those who read, or behind one who does.
time::instant store::next_end(const entry& e) noexcept {
    if (e.holder) return e.expires;
    time::instant last = time::instant::min();
    for (const reader& r : e.readers)
        last = std::max(last, r.expires);
    return last;
}

store::reader* store::find_reader(std::string_view key, std::uint64_t claim) {
    entry* const e = find(key);
    if (!e) return nullptr;
    const auto found = std::ranges::find(e->readers, claim, &reader::claim);
    return found == e->readers.end() ? nullptr : &*found;
}

bool store::take_reader_away(std::string_view key, std::uint64_t claim) {
    const std::lock_guard<std::mutex> locked(mutex_);
    entry* const e = find(key);
    if (!e) return false;
    const auto found = std::ranges::find(e->readers, claim, &reader::claim);
    if (found == e->readers.end()) return false;
    if (found->box) {
        found->box->lost_claims.push_back(claim);
        notify(*found->box);
    }
    e->readers.erase(found);
    serve(*e);
    forget_if_free(key);
    return true;
}

void store::drop_readers(entry& e) noexcept {
    for (const reader& r : e.readers)
        if (r.box) {
            r.box->lost_claims.push_back(r.claim);
            notify(*r.box);
        }
    e.readers.clear();
}

} // namespace redlock::memory
