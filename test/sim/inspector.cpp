#include "sim/inspector.hpp"

#include "core/flow/command_time.hpp"
#include "core/lock_token.hpp"
#include "core/quorum/tally.hpp"
#include "engines/redis/quorum/claim.hpp"
#include "sim/connection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace redlock::sim {
using namespace std::chrono_literals;

inspector::inspector(const event_queue& events, trace& t, network& net, const weather& w, checker& c,
                     const servers& all, const processes& clients)
    : events_(events),
      trace_(t),
      network_(net),
      weather_(w),
      checker_(c),
      servers_(all),
      processes_(clients) {
    for (unsigned i = 1; i <= w.keys; ++i)
        plain_keys_.push_back(fmt::format("{}k{}", w.config.key_prefix, i));
    keys_ = plain_keys_;
    for (unsigned i = 1; w.has(lock_kind::set) && i <= keys_of_sets; ++i)
        keys_.push_back(fmt::format("{}s{}", w.config.key_prefix, i));
    for (unsigned i = 0; w.has(lock_kind::permits) && i < w.permits; ++i) {
        keys_.push_back(fmt::format("{}p:{}", w.config.key_prefix, i));
        asked_for_as_[keys_.back()] = w.config.key_prefix + "p";
    }
    if (w.has(lock_kind::owned)) keys_.push_back(w.config.key_prefix + "o");
    if (w.has(lock_kind::lead)) keys_.push_back(w.config.key_prefix + "l");
}

nanoseconds inspector::settling_time() const noexcept {
    return 4 * (weather_.config.node_timeout + weather_.slowest_delivery() + interval);
}

void inspector::key_changed(const server& at, std::string_view, const std::string& key,
                            const connection* by) {
    if (redis::claim::is_beside_a_lock(key)) return;
    changed_at_[key] = events_.now();
    writing& w = written_[{at.index(), key}];
    const keyspace::entry* const e = at.look(key);
    if (!e) {
        // Also by running out: whoever held it for so long gives way as if it had deleted it.
        for (const auto& p : processes_)
            if (p && !w.token.empty() && w.by == p->identity()) freed_at_[{p->client(), key}] = events_.now();
        w.token.clear();
        return;
    }
    const std::string token(e->text().substr(0, core::lock_token::size));
    w.by_others = w.token == token && (!by || w.by_others);
    if (w.token == token && by) w.prolonged_at = events_.now();
    w.token = token;
    w.at = events_.now();
    // What comes over a connection that was left may have been sent by one that had the place before.
    const auto* const writer = by ? processes_[by->client()].get() : nullptr;
    const auto* const owner = owner_of(token);
    // Handed to a client that died meanwhile, it is nobody's.
    const bool is_of_dead = !owner && core::read_token(token);
    w.by = owner ? owner->identity() : writer && !is_of_dead ? writer->identity() : 0;
    w.on_left_connection = by && by->left_by_client() && (!owner || owner == writer);
}

// Whoever gives a key back may hand it to another client.
const process* inspector::owner_of(std::string_view token) const {
    const auto parts = core::read_token(token);
    if (!parts) return nullptr;
    for (const auto& p : processes_)
        if (p && p->quorum().client_name().text() == parts->client) return p.get();
    return nullptr;
}

// Whose a key is that it has, and whether it was given back since then, cannot be told.
void inspector::promoted(const server& at) {
    promoted_at_ = events_.now();
    for (const std::string& key : keys_) {
        tampered_at_[{at.index(), key}] = events_.now();
        const keyspace::entry* const e = at.look(key);
        writing& w = written_[{at.index(), key}];
        const nanoseconds prolonged_at = w.prolonged_at;
        w = {};
        w.prolonged_at = prolonged_at;
        if (e) w.token = e->text().substr(0, core::lock_token::size);
    }
}

void inspector::executes(const server& at, const connection& from, const words& command) {
    if (!trace_.is_read()) return;
    // A script is told by its beginning.
    std::string text;
    for (const std::string& word : command)
        text += " " + word.substr(0, 40);
    trace_.detail("    server {} executes for client {}{}:{}", at.index(), from.client(),
                  from.left_by_client() ? ", who has left," : "", text);
}

void inspector::key_asked_for(std::uint32_t client, const std::string& key) {
    asked_at_[{client, key}] = events_.now();
}

void inspector::granted(std::uint32_t client, std::string_view key) {
    const std::string full_key = weather_.config.key_prefix + std::string(key);
    granted_at_[{client, full_key}] = events_.now();
    // Of several keys that is told when all are there, and some may have been renewed meanwhile.
    if (std::ranges::find(plain_keys_, full_key) != plain_keys_.end())
        confirmed_at_[{client, full_key}] = events_.now();
}

// A key that was put back counts from the next renewal on: in between, somebody else may have had it.
void inspector::renewed(std::uint32_t client, std::string_view key) {
    const std::string full_key = weather_.config.key_prefix + std::string(key);
    if (std::ranges::find(keys_, full_key) == keys_.end()) return; // others may have it as well
    nanoseconds& last = confirmed_at_[{client, full_key}];
    const auto confirmed = std::ranges::count_if(servers_, [&](const auto& s) {
        return written_[{s->index(), full_key}].prolonged_at > last;
    });
    last = events_.now();
    if (may_be_deceived()) return;
    if (static_cast<unsigned>(confirmed) < core::majority(static_cast<unsigned>(servers_.size())))
        checker_.breach(fmt::format("I1: client {} takes {} for renewed, which {} servers prolonged", client,
                                    full_key, confirmed));
}

void inspector::handed_over(std::uint32_t client, std::string_view key) {
    handed_over_at_[{client, weather_.config.key_prefix + std::string(key)}] = events_.now();
}

// A command that comes late over a connection that was left may put it back, for as long as its life.
void inspector::given_back(std::uint32_t client, const std::string& key, std::string_view token,
                           nanoseconds asked) {
    const auto handed_over = handed_over_at_.find({client, name_of(key)});
    if (std::ranges::find(keys_, key) == keys_.end()) return;
    if (handed_over != handed_over_at_.end() && handed_over->second >= asked) return;
    if (may_be_deceived()) return;
    const auto free = std::ranges::count_if(servers_, [&](const auto& s) {
        const keyspace::entry* const e = s->look(key);
        return !e || !e->text().starts_with(token) || written_[{s->index(), key}].on_left_connection;
    });
    if (static_cast<unsigned>(free) < core::majority(static_cast<unsigned>(servers_.size())))
        checker_.breach(fmt::format(
            "I4: client {} was told that {} is given back, and it is so on {} servers", client, key, free));
}

void inspector::look() {
    for (const auto& p : processes_)
        if (p) p->note_readiness();
    for (const auto& s : servers_)
        for (const std::string& key : keys_)
            look_for_leftovers(*s, key);
    if (!weather_.promises_wakeup()) return;
    for (const auto& p : processes_)
        for (const std::string& key : plain_keys_)
            if (p) look_for_sleepers(*p, key);
}

bool inspector::is_calm(const process& p, const server& s) const {
    if (weather_.clusters && may_be_deceived()) return false;
    const path& way = network_.between(p.client(), s.index());
    const nanoseconds since = events_.now() - settling_time();
    return s.is_up() && !s.host().stopped() && !way.cut[to_server] && !way.cut[to_client] &&
           way.disturbed_until < since && p.ready_since(s.index()) < since;
}

template <class Condition>
bool inspector::majority_calm_where(std::uint32_t client, Condition holds) const {
    process* const p = processes_[client].get();
    if (!p || p->is_closing() || p->host().stopped()) return false;
    if (p->host().went_on_at() > events_.now() - 2 * interval) return false;
    const auto calm =
        std::ranges::count_if(servers_, [&](const auto& s) { return is_calm(*p, *s) && holds(*s); });
    return static_cast<unsigned>(calm) >= core::majority(static_cast<unsigned>(servers_.size()));
}

bool inspector::majority_calm_for(std::uint32_t client) const {
    return majority_calm_where(client, [](const server&) { return true; });
}

bool inspector::majority_calm_for(std::uint32_t client, std::string_view key, std::string_view token) const {
    return majority_calm_where(client, [&, name = std::string(key)](const server& s) {
        const auto tampered = tampered_at_.find({s.index(), name});
        if (tampered != tampered_at_.end() && tampered->second > events_.now() - settling_time())
            return false;
        const keyspace::entry* const e = s.look(name);
        return e && e->text().starts_with(token);
    });
}

bool inspector::may_be_deceived() const {
    constexpr nanoseconds belief = 3s; // of a client in what its Sentinels have said
    // A node is ready while a slot of it has still to wait, from when that is known to have moved.
    const nanoseconds waits = weather_.clusters ? 2s + belief + weather_.longest_ttl : nanoseconds(0);
    return promoted_at_ &&
           *promoted_at_ + belief + waits + settling_time() + weather_.longest_ttl > events_.now();
}

bool inspector::was_tampered_with(std::string_view key) const {
    return std::ranges::any_of(tampered_at_, [&](const auto& one) {
        return one.first.second == key && one.second > events_.now() - settling_time();
    });
}

// By the clock of its writer, which jumped ahead since it sent the command: then it owes the node nothing.
bool inspector::has_run_out(process& writer, const server& s, const std::string& key) const {
    const nanoseconds sent = written_.at({s.index(), key}).at - settling_time();
    const nanoseconds ahead = writer.host().jumped_since(sent);
    if (ahead == nanoseconds(0)) return false;
    return !weather_.clocks_are_bounded || s.life_left(key) <= ahead + settling_time();
}

void inspector::look_for_leftovers(const server& s, const std::string& key) {
    const auto found = written_.find({s.index(), key});
    if (found == written_.end() || !s.look(key)) return;
    if (found->second.on_left_connection || found->second.by_others) return;
    const auto writer = std::ranges::find_if(
        processes_, [&](const auto& p) { return p && p->identity() == found->second.by; });
    if (writer == processes_.end()) return; // it died, and its keys run out
    process& p = **writer;
    if (has_run_out(p, s, key)) return;
    const nanoseconds since = events_.now() - settling_time();
    if (p.host().stopped() || p.host().went_on_at() > since || p.is_closing() || !is_calm(p, s)) return;
    const std::string& name = name_of(key);
    if (checker_.is_busy_with(p.client(), name) || checker_.last_busy_with(p.client(), name) > since) return;
    checker_.breach(fmt::format("I4: client {} has left {} on server {}, {}", p.client(), key, s.index(),
                                s.look(key)->text()));
    written_.erase(found);
}

void inspector::expect_given_back(process& by) {
    const nanoseconds since = events_.now() - settling_time();
    if (by.host().stopped() || by.host().went_on_at() > since) return;
    // A release may be under way for longer than a client waits for its answer.
    if (weather_.slowest_delivery() >= weather_.config.node_timeout) return;
    for (const auto& s : servers_)
        for (const std::string& key : keys_) {
            const auto found = written_.find({s->index(), key});
            if (found == written_.end() || found->second.by != by.identity()) continue;
            if (found->second.on_left_connection || found->second.by_others) continue;
            if (!s->look(key) || !is_calm(by, *s)) continue;
            if (!has_run_out(by, *s, key))
                checker_.breach(fmt::format("I4: client {} is closed, and {} is on server {}", by.client(),
                                            key, s->index()));
        }
}

void inspector::look_for_sleepers(const process& p, const std::string& key) {
    const place here{p.client(), key};
    const auto free_there = [&](const auto& s) { return is_calm(p, *s) && !s->look(key); };
    const auto free = static_cast<unsigned>(std::ranges::count_if(servers_, free_there));
    const auto all = static_cast<unsigned>(servers_.size());
    if (free < core::majority(all) || !p.is_attentive() || p.is_closing() ||
        !checker_.waits_for(p.client(), key)) {
        available_since_.erase(here);
        return;
    }
    const nanoseconds now = events_.now();
    // A client that kept the key to itself for long enough gives others their chance before it tries again.
    const auto freed = freed_at_.find(here);
    const nanoseconds holds_off_until = freed == freed_at_.end() ? nanoseconds(0) : freed->second + 100ms;
    const nanoseconds since =
        std::max({available_since_.try_emplace(here, now).first->second, asked_at_[here], changed_at_[key],
                  checker_.last_busy_with(p.client(), key), holds_off_until});
    const nanoseconds life = 2 * weather_.longest_ttl;
    const nanoseconds bound = weather_.config.node_timeout + 2 * weather_.slowest_delivery() + interval +
                              life * 2 * weather_.drift / 1'000'000 + 5ms +
                              (p.is_new() ? core::first_connection_time : nanoseconds(0));
    if (now - since <= bound) return;
    checker_.breach(fmt::format("I5: client {} sleeps, and {} has been free on a majority for {} ms",
                                p.client(), key, (now - since).count() / 1'000'000));
    available_since_[here] = nanoseconds::max() / 2;
}

} // namespace redlock::sim
