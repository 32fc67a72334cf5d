// How a simulated client takes a key, keeps it and gives it back.

#include "simulated_client.hpp"

#include <algorithm>
#include <utility>

namespace redlock::zookeeper::test {

using action = place::action;

namespace {

/// Another one does, in the same transaction.
simulated_client::answer spoil(simulated_ensemble::state&) { return simulated_client::answer::spoiled; }

/// Of a take: one that has gone spoils it.
simulated_client::answer remove_marks(simulated_ensemble::state& f, const std::vector<std::string>& names) {
    for (const std::string& name : names)
        if (f.marks.erase(name) == 0) return simulated_client::answer::no_node;
    return simulated_client::answer::done;
}

} // namespace

void simulated_client::next_try() {
    if (world_.calm && world_.chance(50)) {
        over = true;
        return;
    }
    const bool waits = !world_.chance(20);
    reads_ = world_.chance(world_.around.reads);
    place_ = std::make_unique<place>(waits, world_.now + milliseconds(world_.between(50, 3000)), reads_);
    begin_claim();
    perform(place_->start(world_.now, world_.now));
}

milliseconds simulated_client::rest() {
    return milliseconds(world_.chance(20) ? world_.between(200, 1500) : world_.between(1, 60));
}

void simulated_client::begin_claim() {
    token_ = std::string(1, name_) + std::to_string(++tries_);
    has_ = {};
    place_->lose_node();
}

void simulated_client::end_try() {
    depart(token_, has_, [this] { hear(rest(), [this] { next_try(); }); });
}

void simulated_client::perform(const place::step& s) {
    switch (s.what) {
    case action::look:
        if (!place_->has_node()) return look_on_arrival();
        return look([this](const sight& seen) { looked(seen); });
    case action::anew:
        begin_claim();
        return perform({.what = action::look});
    case action::watch:
        return hear(milliseconds(world_.between(5, 20)),
                    [this] { perform(place_->time_passed(world_.now)); });
    case action::sleep:
        return hear(std::chrono::ceil<milliseconds>(s.until - world_.now),
                    [this] { perform(place_->time_passed(world_.now)); });
    case action::queue:
        return write([this, t = token_, s = session_](state& f) { return add_node(f, t, s, reads_); }, false,
                     [this](answer a) {
                         if (a == answer::done) return perform(place_->queued());
                         give_up_claim();
                     });
    case action::take_at_once:
    case action::take:
        return take(s.what == action::take_at_once);
    case action::end:
        return end_try();
    }
}

void simulated_client::give_up_claim() {
    check_session();
    depart(token_, has_, [this] {
        begin_claim();
        perform(place_->time_passed(world_.now));
    });
}

void simulated_client::look_on_arrival() {
    world_.after(delay(), [this] {
        const state now_there = view();
        sight s = simulated_ensemble::seen_in(now_there, now_there);
        const bool is_empty = !s.holder && !s.is_shared;
        s.holder.reset();
        if (suffices_for_arrival(s, is_empty, reads_) || world_.mistake == planted::record_unseen)
            return hear(delay(), [this, s] { looked(s); });
        hear(delay(), [this] { look([this](const sight& seen) { looked(seen); }); });
    });
}

void simulated_client::looked(const sight& seen) {
    if (!check_session() && place_->has_node()) {
        begin_claim();
        return perform({.what = action::look});
    }
    seen_folder_ = seen;
    missing_ = missing_in(seen, absent_, "f", world_.now);
    if (world_.mistake == planted::no_wait && missing_.holder != instant::max()) missing_.holder = instant{};
    if (world_.mistake == planted::marks_ignored)
        for (instant& since : missing_.marks)
            if (since != instant::max()) since = instant{};
    sight judged = seen;
    if (world_.mistake == planted::writers_passed && reads_)
        std::erase_if(judged.nodes, [&](const place_node& n) {
            return !n.reads && !(seen.holder && seen.holder->token == n.token);
        });
    if (world_.mistake == planted::readers_passed && !reads_)
        std::erase_if(judged.nodes, [&](const place_node& n) { return n.reads && !seen.mark_of(n.token); });
    if (world_.mistake == planted::shared_at_once) judged.is_shared = false;
    perform(place_->seen(judged, token_, missing_, world_.now));
}

void simulated_client::take(bool with_node, bool jointly) {
    if (reads_) return take_to_read(jointly);
    const instant sent = world_.now;
    const std::vector<std::string> stale = stale_marks(seen_folder_, missing_, world_.now, 2);
    if (jointly || world_.mistake != planted::spoiled_ends_doubt) has_.doubt = seen_folder_.version;
    const auto number = std::make_shared<std::int64_t>(0);
    const bool clears = seen_folder_.has_leader && world_.mistake != planted::take_leaves_stale;
    const auto what = [this, with_node, stale, number, clears, t = token_, s = session_,
                       v = seen_folder_.version](state& f) {
        if (world_.mistake != planted::unversioned && f.version != v) return answer::refused;
        if (!with_node && !f.nodes.contains(t)) return answer::no_node;
        if (with_node) add_node(f, t, s);
        ++f.version;
        f.written_by = f.transaction;
        f.holder = lock_record{.token = t, .life = ttl};
        f.is_shared = false;
        *number = f.transaction;
        if (clears && !f.leader) return answer::no_node;
        if (clears) f.leader.reset();
        return remove_marks(f, stale);
    };
    const bool is_spoiled = draw_spoiled(jointly);
    write(is_spoiled ? writer(spoil) : what, true, [this, with_node, sent, number](answer a) {
        if (a == answer::spoiled && world_.mistake == planted::spoiled_is_done) a = answer::done;
        if (a == answer::spoiled) {
            has_.doubt.reset();
            return take(with_node, false);
        }
        if (a == answer::done) {
            has_.fence = static_cast<std::uint64_t>(*number);
            has_.version = seen_folder_.version + 1;
            return granted(sent);
        }
        if (a == answer::unknown) return give_up_claim();
        has_.doubt.reset();
        perform(place_->came_second());
    });
}

void simulated_client::take_to_read(bool jointly) {
    const instant sent = world_.now;
    const std::vector<std::string> stale = stale_marks(seen_folder_, missing_, world_.now, 2);
    const auto what = [this, stale, t = token_, v = seen_folder_.version,
                       is_shared = seen_folder_.is_shared](state& f) {
        const bool checks = is_shared || world_.mistake != planted::shared_unversioned;
        if (checks && f.version != v) return answer::refused;
        if (!f.nodes.contains(t)) return answer::no_node;
        if (!is_shared) {
            ++f.version;
            f.written_by = f.transaction;
            f.holder.reset();
            f.is_shared = true;
        }
        f.marks[t] = ttl;
        return remove_marks(f, stale);
    };
    write(draw_spoiled(jointly) ? writer(spoil) : what, true, [this, sent](answer a) {
        if (a == answer::spoiled) return take_to_read(false);
        if (a == answer::done) return granted(sent);
        if (a == answer::unknown) return give_up_claim();
        perform(place_->came_second());
    });
}

void simulated_client::believe(instant sent) {
    believed_until_ = runs_out_at_ = sent + ttl;
    if (!believes(world_.now)) return;
    for (const auto& other : all_)
        if (other.get() != this && other->believes(world_.now) && !(reads_ && other->only_reads()))
            ++world_.overlaps;
}

void simulated_client::granted(instant sent) {
    ++world_.grants;
    world_.readings += reads_;
    believes_reading_ = reads_;
    believe(sent);
    end_in_time(token_);
    holds_until_ = world_.now + milliseconds(world_.between(0, 900));
    hear(ttl / 3, [this] { renew_or_release(); });
    if (!reads_ && world_.around.leads > 0 && world_.chance(world_.around.leads)) begin_to_lead();
}

void simulated_client::end_in_time(const std::string& token) {
    given_back_ = false;
    const auto left = std::max(runs_out_at_ - world_.now, core::nanoseconds(0));
    hear(std::chrono::ceil<milliseconds>(left), [this, token] {
        if (token != token_) return;
        if (world_.now < runs_out_at_) return end_in_time(token);
        given_back_ = true;
        depart(token, has_, [] {});
    });
}

void simulated_client::renew_or_release() {
    if (world_.now >= holds_until_ || !believes(world_.now)) {
        believed_until_ = {};
        return end_try();
    }
    if (!reads_ && !has_.says && world_.chance(15)) return downgrade();
    const instant sent = world_.now;
    if (world_.mistake == planted::pings_confirm && is_cut_off()) {
        believe(sent);
        return hear(ttl / 3, [this] { renew_or_release(); });
    }
    const auto what = [this, t = token_](state& f) {
        const bool is_there = f.nodes.contains(t) || world_.mistake == planted::any_write_confirms;
        return is_there ? answer::done : answer::no_node;
    };
    if (world_.mistake == planted::any_write_confirms) check_session();
    write(what, false, [this, sent](answer a) {
        // True when it was given, but the key was given back meanwhile.
        if (given_back_ && world_.mistake != planted::confirmed_behind_release) a = answer::no_node;
        if (a == answer::done) {
            believe(sent);
            if (has_.says) has_.says->again();
            go_on_saying();
        }
        if (a == answer::no_node || a == answer::refused) holds_until_ = world_.now;
        hear(a == answer::done ? ttl / 3 : 10ms, [this] { renew_or_release(); });
    });
}

void simulated_client::downgrade() {
    const std::string reading = std::string(1, name_) + std::to_string(++tries_);
    write([this, reading, s = session_](state& f) { return add_node(f, reading, s, true); }, false,
          [this, reading](answer a) {
              if (a == answer::done) return leave_mark(reading);
              depart(reading, {}, [] {});
              renew_or_release();
          });
}

void simulated_client::leave_mark(const std::string& reading) {
    const instant sent = world_.now;
    const auto what = [this, reading, t = token_](state& f) {
        if (!f.nodes.contains(t) || !f.nodes.contains(reading)) return answer::no_node;
        if (world_.mistake != planted::downgrade_without_mark) f.marks[reading] = ttl;
        return answer::done;
    };
    write(what, true, [this, reading, sent](answer a) {
        if (a != answer::done || !believes(world_.now)) {
            depart(reading, {}, [] {});
            if (a == answer::no_node) holds_until_ = world_.now;
            return renew_or_release();
        }
        holding left = has_;
        left.left_to_readers = true;
        depart(token_, left, [] {});
        ++world_.downgrades;
        token_ = reading;
        has_ = {};
        reads_ = believes_reading_ = true;
        believe(sent);
        end_in_time(token_);
        hear(ttl / 3, [this] { renew_or_release(); });
    });
}

} // namespace redlock::zookeeper::test
