#include "engines/memory/store.hpp"

#include "core/validity.hpp"

#include <algorithm>
#include <cassert>
#include <map>
#include <utility>

namespace redlock::memory {

namespace {

using guard = std::lock_guard<std::mutex>;

time::instant end_of(time::instant from, std::chrono::milliseconds life) noexcept {
    return core::saturating_add(from, core::saturating_nanoseconds(life));
}

} // namespace

std::shared_ptr<store> store::named(std::string_view name) {
    static std::mutex mutex;
    static std::map<std::string, std::weak_ptr<store>, std::less<>> stores;
    const guard locked(mutex);
    std::erase_if(stores, [](const auto& s) { return s.second.expired(); });
    auto& known = stores[std::string(name)];
    auto found = known.lock();
    if (!found) known = found = std::make_shared<store>(std::string(name));
    return found;
}

void store::join(mailbox& box) {
    const guard locked(mutex_);
    boxes_.push_back(&box);
}

// Its keys stay until they run out, as those of a process that died.
void store::leave(mailbox& box) noexcept {
    const guard locked(mutex_);
    std::erase(boxes_, &box);
    for (auto& [key, e] : entries_) {
        e.waiting.remove_if([&](const seeker& s) { return &s.told == &box; });
        if (e.holders_box == &box) e.holders_box = nullptr;
        for (reader& r : e.readers)
            if (r.box == &box) r.box = nullptr;
        serve(e);
    }
    box.granted.clear();
    box.lost_claims.clear();
}

news store::empty(mailbox& box, std::vector<seeker*>& granted, std::vector<std::uint64_t>& lost) noexcept {
    const guard locked(mutex_);
    box.called = false;
    granted.swap(box.granted);
    // Whoever is only now told of its key hears of the loss the next time: then it has something to lose.
    if (granted.empty())
        lost.swap(box.lost_claims);
    else if (!box.lost_claims.empty())
        notify(box);
    return {.runs_out_earlier = std::exchange(box.looks_again, false),
            .leaders_changed = std::exchange(box.leaders_changed, false)};
}

std::uint64_t store::draw_claim() noexcept {
    const guard locked(mutex_);
    return ++claims_;
}

errc store::seek(seeker& s, bool queues) {
    const guard locked(mutex_);
    s.in_queue = false;
    if (const errc failed = request_fails(); failed != errc{}) return failed;
    entry* const taken = find(s.key);
    // Not past those who wait, whatever they want.
    if (taken && !(has_room(*taken, s.mode) && taken->waiting.empty())) {
        if (queues) taken->waiting.push_back(s);
        s.in_queue = queues;
        return errc::held;
    }
    give(taken ? *taken : entries_[std::string(s.key)], s);
    return errc{};
}

bool store::give_up(seeker& s) noexcept {
    const guard locked(mutex_);
    if (s.seekers_hook::is_linked()) {
        entry& e = entries_.find(std::string(s.key))->second;
        e.waiting.erase(e.waiting.iterator_to(s));
        serve(e); // those behind it may have had to wait for it alone
    }
    std::erase(s.told.granted, &s);
    return s.has_it;
}

time::instant store::until(std::string_view key) {
    const guard locked(mutex_);
    const entry* const e = find(key);
    return e ? next_end(*e) : time::instant::min();
}

errc store::extend(std::string_view key, std::uint64_t claim, std::chrono::milliseconds life,
                   const leader_info* leads) {
    const guard locked(mutex_);
    if (const errc failed = request_fails(); failed != errc{}) return failed;
    if (reader* const r = find_reader(key, claim)) {
        r->expires = end_of(clock_.now(), life);
        return errc{};
    }
    entry* const e = find(key);
    if (!e || e->holder != claim) return errc::lease_lost;
    set_expiry(*e, end_of(clock_.now(), life));
    if (leads) set_leader(*e, *leads);
    return errc{};
}

errc store::advance_token(std::string_view key, std::uint64_t claim, std::uint64_t& token) {
    const guard locked(mutex_);
    if (const errc failed = request_fails(); failed != errc{}) return failed;
    if (find_reader(key, claim)) {
        token = ++tokens_;
        return errc{};
    }
    entry* const e = find(key);
    if (!e || e->holder != claim) return errc::lease_lost;
    token = e->fencing_token = ++tokens_;
    return errc{};
}

errc store::release(std::string_view key, std::uint64_t claim) {
    const guard locked(mutex_);
    if (const errc failed = request_fails(); failed != errc{}) return failed;
    entry* const e = find(key);
    if (e && std::erase_if(e->readers, [&](const reader& r) { return r.claim == claim; }) > 0) {
        serve(*e);
        forget_if_free(key);
        return errc{};
    }
    if (!e || e->holder != claim) return errc::lease_lost;
    if (was_downgraded(*e, claim)) {
        free(*e);
        let_readers_in(*e);
    }
    pass_on(*e);
    forget_if_free(key);
    return errc{};
}

errc store::look(std::string_view key, key_state& found) {
    const guard locked(mutex_);
    if (const errc failed = request_fails(); failed != errc{}) return failed;
    found = state_of(key);
    return errc{};
}

errc store::list(std::string_view beginning, std::size_t most, std::vector<std::string>& found) {
    const guard locked(mutex_);
    if (const errc failed = request_fails(); failed != errc{}) return failed;
    std::vector<std::string> all;
    for (const auto& [key, e] : entries_)
        if (key.starts_with(beginning)) all.push_back(key);
    std::ranges::sort(all);
    for (std::string& key : all) {
        if (found.size() == most) break;
        if (find(key)) found.push_back(std::move(key)); // which forgets what has run out
    }
    return errc{};
}

key_state store::peek(std::string_view key) {
    const guard locked(mutex_);
    return state_of(key);
}

key_state store::state_of(std::string_view key) {
    const entry* const e = find(key);
    if (!e) return {};
    key_state found{.holder = e->holder,
                    .expires = e->expires,
                    .fencing_token = e->fencing_token,
                    .waiting = e->waiting.size(),
                    .leader = e->leader};
    for (const reader& r : e->readers)
        found.readers.push_back(
            {.claim = r.claim, .expires = r.expires, .label = r.box ? r.box->label : std::string()});
    if (e->holders_box) found.label = e->holders_box->label;
    return found;
}

void store::notify(mailbox& box) noexcept {
    if (!std::exchange(box.called, true)) box.something_came();
}

errc store::request_fails() noexcept {
    if (failing_ == 0) return errc{};
    --failing_;
    return failure_;
}

// What has run out is nobody's any more.
store::entry* store::find(std::string_view key) {
    const auto found = entries_.find(std::string(key));
    if (found == entries_.end()) return nullptr;
    entry& e = found->second;
    const time::instant now = clock_.now();
    const bool some_ended = std::erase_if(e.readers, [&](const reader& r) { return r.expires <= now; }) > 0;
    if (e.holder && e.expires <= now)
        pass_on(e);
    else if (some_ended)
        serve(e);
    if (e.holder || !e.readers.empty()) return &e;
    assert(e.waiting.empty());
    entries_.erase(found);
    return nullptr;
}

void store::forget_if_free(std::string_view key) { find(key); }

void store::give(entry& e, seeker& to) {
    const time::instant now = clock_.now();
    to.fencing_token = to.fencing ? ++tokens_ : 0;
    to.has_it = true;
    to.since = now;
    if (to.mode == mode::read) {
        e.readers.push_back({.claim = to.claim, .box = &to.told, .expires = end_of(now, to.life)});
        return;
    }
    e.holder = to.claim;
    e.holders_box = &to.told;
    e.expires = end_of(now, to.life);
    e.fencing_token = to.fencing_token;
}

void store::pass_on(entry& e) {
    free(e);
    serve(e);
}

// Those who wait watch for the end that they know of.
void store::set_expiry(entry& e, time::instant at) noexcept {
    if (at < e.expires)
        for (seeker& s : e.waiting) {
            s.told.looks_again = true;
            notify(s.told);
        }
    e.expires = at;
}

void store::free(entry& e) noexcept {
    e.holder.reset();
    e.holders_box = nullptr;
    e.fencing_token = 0;
    drop_leader(e);
}

} // namespace redlock::memory
