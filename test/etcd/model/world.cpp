#include "etcd/model/world.hpp"

#include "etcd/model/client.hpp"

#include <algorithm>
#include <utility>

namespace redlock::etcd::model {

using namespace std::chrono_literals;

namespace {

constexpr int client_count = 5;
constexpr auto calm_after = 20s, finish_after = 32s, all_over_after = 50s;
constexpr auto patience = 300ms;
// Longer than a holder keeps the lock then, and a dead one's lease lives.
constexpr auto longest_without_news = 6s;
// Longer than one stands still, shorter than whoever observes waits without news.
constexpr auto longest_unknown = 8s;

} // namespace

world::world(std::uint64_t seed, mistake planted) : draws_(seed), planted_(planted), store_(planted) {
    store_.deleted = [this](const std::string& key) { tell_watchers(key); };
    store_.lead_changed = [this] { lead_changed(); };
    for (int i = 0; i < client_count; ++i)
        clients_.push_back(std::make_unique<client>(*this, i));
}

world::~world() = default;

core::nanoseconds world::delay() { return calm_ || chance(0.9) ? between(1ms, 10ms) : between(1ms, 200ms); }

void world::ask(client& by, std::function<std::function<void()>()> effect, std::function<void()> given_up) {
    const auto is_over = std::make_shared<bool>(false);
    by.later(patience, [is_over, given_up = std::move(given_up)] {
        if (!std::exchange(*is_over, true)) given_up();
    });
    const bool is_lost = !calm_ && (by.loses_requests || chance(0.02));
    // What a member that stood still hands on when it goes on.
    const bool is_late = is_lost && chance(0.5);
    if (is_lost && !is_late) return;
    at(now_ + (is_late ? between(100ms, 5s) : delay()), [this, &by, is_over, effect = std::move(effect)] {
        const std::function<void()> answer = effect();
        if (!calm_ && (by.loses_answers || chance(0.02))) return;
        by.later(delay(), [is_over, answer] {
            if (!std::exchange(*is_over, true)) answer();
        });
    });
}

void world::watch(client& by, std::string key, int number) {
    if (!calm_ && by.loses_requests) return;
    at(now_ + delay(), [this, &by, key = std::move(key), number] {
        watches_.emplace(key, watched{&by, number});
        if (calm_ || !by.loses_answers) by.later(delay(), [&by, number] { by.watch_began(number); });
    });
}

void world::tell_watchers(const std::string& key) {
    const auto [first, last] = watches_.equal_range(key);
    for (auto each = first; each != last; ++each) {
        const watched w = each->second;
        if (calm_ || !w.by->loses_answers) w.by->later(delay(), [w] { w.by->key_deleted(w.number); });
    }
    watches_.erase(first, last);
}

void world::watch_leader(client& by, int number) {
    if (!calm_ && by.loses_requests) return;
    at(now_ + delay(), [this, &by, number] {
        // Those of one client come in the order in which it asked, over one stream.
        const auto is_older = [&](const watched& w) { return w.by == &by && w.number < number; };
        const auto is_later = [&](const watched& w) { return w.by == &by && w.number > number; };
        if (std::ranges::any_of(leader_watches_, is_later)) return;
        std::erase_if(leader_watches_, is_older);
        leader_watches_.push_back({&by, number});
        if (calm_ || !by.loses_answers) by.later(delay(), [&by, number] { by.leader_watch_began(number); });
    });
}

// The mark that stands there never falls, but to nothing.
void world::lead_changed() {
    lead_since_ = now_;
    for (const watched& w : leader_watches_)
        if (calm_ || !w.by->loses_answers) w.by->later(delay(), [w] { w.by->leader_changed(w.number); });
    if (store_.lead().term == 0) return;
    ++proclamations_;
    if (core::is_behind(store_.lead(), last_mark_)) fail("what was proclaimed before is there again");
    last_mark_ = store_.lead();
}

// Beside the key of the holder, and nowhere else.
void world::look_at_the_lead() {
    if (store_.lead().term == 0) return;
    for (const auto& each : store_.keys())
        if (static_cast<std::uint64_t>(each.second.token) == store_.lead().term) {
            if (store_.in_front_of(each)) fail("one leads who is not the first");
            return;
        }
    fail("a value stands there whose leader has no key");
}

void world::told(const leader_mark& before, const leader_mark& now) {
    if (core::is_behind(now, before)) fail("whoever observes is told of what was before");
}

void world::look_at_observers() {
    if (calm_ && now_ - std::max(lead_since_, calm_since_) > longest_unknown)
        for (const auto& each : clients_)
            if (each->observes() && each->knows() != store_.lead())
                fail("whoever observes does not know who leads");
    at(now_ + 100ms, [this] { look_at_observers(); });
}

void world::granted(client& by, const std::string& key, std::int64_t token) {
    ++grants_;
    const auto own = store_.keys().find(key);
    if (own == store_.keys().end()) return fail("a lock is held without a key");
    const bool writes = own->second.whose == role::writer;
    for (const auto& other : clients_)
        if (other.get() != &by && (writes ? other->believes() : other->believes_to_write()))
            fail("one writes while another has it");
    if (store_.in_front_of(*own)) fail("a lock is held whose key is not the first");
    if (own->second.modified != token) fail("a fencing token is not the current one");
    const std::int64_t created = own->second.created;
    if (created <= (writes ? last_created_ : last_written_)) fail("one who came earlier is served later");
    if (token <= (writes ? last_token_ : last_writing_token_)) fail("a fencing token does not rise");
    last_created_ = std::max(last_created_, created);
    last_token_ = std::max(last_token_, token);
    if (!writes) return;
    last_written_ = created;
    last_writing_token_ = token;
}

void world::disturb() {
    if (calm_) return;
    client& one = *clients_[static_cast<std::size_t>(draws_.fraction() * client_count)];
    const core::nanoseconds time = chance(0.5) ? between(50ms, 500ms) : between(500ms, 5s);
    const double what = draws_.fraction();
    if (what < 0.25) {
        one.stop(now_ + time);
    } else if (what < 0.35 && chance(0.3)) {
        one.die();
    } else if (what < 0.9) {
        one.loses_requests = what < 0.7;
        one.loses_answers = what > 0.5;
        at(now_ + time, [this, &one] {
            one.loses_requests = one.loses_answers = false;
            std::erase_if(watches_, [&](const auto& each) { return each.second.by == &one; });
            std::erase_if(leader_watches_, [&](const watched& w) { return w.by == &one; });
            one.later(delay(), [&one] { one.connection_lost(); });
        });
    } else {
        change_leader();
    }
    at(now_ + between(50ms, 1500ms), [this] { disturb(); });
}

// Who led before may have stood still, and goes on as if he led, for a while.
void world::change_leader() {
    store_.change_leader(now_, chance(0.7));
    const core::instant until = now_ + between(50ms, 6s);
    at(now_ + between(50ms, 3s), [this] { store_.stale_leader_revokes(now_); });
    at(until, [this] {
        store_.stale_leader_revokes(now_);
        store_.stale_leader_hears();
    });
}

// Whoever is the first is served, or goes.
void world::look_at_the_first() {
    const auto* const first = store_.oldest();
    const std::string key = first ? first->first + std::to_string(first->second.created) : std::string();
    if (key != first_ || !calm_) {
        first_ = key;
        first_since_ = now_;
    }
    if (!key.empty() && now_ - first_since_ > longest_without_news) fail("the first is not served");
    at(now_ + 100ms, [this] { look_at_the_first(); });
}

void world::settle() {
    for (const auto& each : clients_) {
        if (each->is_dead()) continue;
        if (!each->is_done()) fail("a caller waits for ever");
        each->close();
    }
    if (!store_.keys().empty()) fail("a key is left behind");
    if (store_.graves() > 0) fail("a grave is left behind");
    if (store_.lead().term != 0) fail("what a leader proclaimed is left behind");
}

std::string world::run() {
    const core::instant began = now_;
    for (const auto& each : clients_)
        each->start();
    at(now_ + 100ms, [this] { disturb(); });
    at(now_, [this] { look_at_the_first(); });
    at(now_, [this] { look_at_observers(); });
    at(began + calm_after, [this] {
        calm_ = true;
        calm_since_ = now_;
    });
    at(began + finish_after, [this] {
        for (const auto& each : clients_)
            each->finish();
    });
    while (failure_.empty() && !events_.empty() && events_.begin()->first <= began + all_over_after) {
        auto next = events_.extract(events_.begin());
        now_ = next.key();
        store_.expire(now_);
        next.mapped()();
        look_at_the_lead();
    }
    if (failure_.empty()) settle();
    return failure_;
}

} // namespace redlock::etcd::model
