// How a simulated client takes a key, keeps it and gives it back.

#include "simulated_client.hpp"

#include <utility>

namespace redlock::zookeeper::test {

using action = place::action;

void simulated_client::next_try() {
    if (world_.calm && world_.chance(50)) {
        over = true;
        return;
    }
    const bool waits = !world_.chance(20);
    place_ = std::make_unique<place>(waits, world_.now + milliseconds(world_.between(50, 3000)));
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
        return write([this, t = token_, s = session_](state& f) { return add_node(f, t, s); }, false,
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

void simulated_client::looked(const sight& seen) {
    if (!check_session() && place_->has_node()) {
        begin_claim();
        return perform({.what = action::look});
    }
    seen_folder_ = seen;
    instant since = absence_in(seen, absent_, "f", world_.now);
    if (world_.mistake == planted::no_wait && since != instant::max()) since = instant{};
    perform(place_->seen(seen, token_, since, world_.now));
}

void simulated_client::take(bool with_node) {
    const instant sent = world_.now;
    has_.doubt = seen_folder_.version;
    const auto what = [this, with_node, t = token_, s = session_, v = seen_folder_.version](state& f) {
        if (world_.mistake != planted::unversioned && f.version != v) return answer::refused;
        if (!with_node && !f.nodes.contains(t)) return answer::no_node;
        if (with_node) add_node(f, t, s);
        ++f.version;
        f.written_by = f.transaction;
        f.holder = lock_record{.token = t, .life = ttl};
        return answer::done;
    };
    write(what, true, [this, sent](answer a) {
        if (a == answer::done) return granted(sent);
        if (a == answer::unknown) return give_up_claim();
        has_.doubt.reset();
        perform(place_->came_second());
    });
}

void simulated_client::believe(instant sent) {
    believed_until_ = sent + ttl;
    if (!believes(world_.now)) return;
    for (const auto& other : all_)
        if (other.get() != this && other->believes(world_.now)) ++world_.overlaps;
}

void simulated_client::granted(instant sent) {
    ++world_.grants;
    believe(sent);
    holds_until_ = world_.now + milliseconds(world_.between(0, 900));
    hear(ttl / 3, [this] { renew_or_release(); });
}

void simulated_client::renew_or_release() {
    if (world_.now >= holds_until_ || !believes(world_.now)) {
        believed_until_ = {};
        return end_try();
    }
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
        if (a == answer::done) believe(sent);
        if (a == answer::no_node || a == answer::refused) holds_until_ = world_.now;
        hear(a == answer::done ? ttl / 3 : 10ms, [this] { renew_or_release(); });
    });
}

void simulated_client::depart(const std::string& token, const holding& has, std::function<void()> then) {
    look([this, token, has, then](const sight& stale) {
        // A sync comes first.
        const state& now_there = world_.servers.newest();
        sight s = stale;
        if (!is_cut_off()) {
            s = {.exists = true,
                 .version = now_there.version,
                 .written_by = now_there.written_by,
                 .holder = now_there.holder};
            for (const auto& [t, node] : now_there.nodes)
                s.nodes.push_back(node.first);
        } else {
            return depart(token, has, then);
        }
        check_session();
        farewell f = farewell_to(token, has, s);
        if (f == farewell::void_record && world_.mistake == planted::no_void)
            f = s.node_of(token) ? farewell::remove_node : farewell::nothing;
        if (f == farewell::nothing) return then();
        write(
            [token, f, v = s.version](state& at) {
                const bool writes = f != farewell::remove_node;
                if (writes && at.version != v) return answer::refused;
                if (f == farewell::remove_node && !at.nodes.contains(token)) return answer::no_node;
                at.nodes.erase(token);
                if (!writes) return answer::done;
                ++at.version;
                if (f == farewell::free_record) at.holder.reset();
                if (at.holder) at.holder->fence = at.holder->current_fence(at.written_by);
                at.written_by = at.transaction;
                return answer::done;
            },
            false, [this, token, has, then](answer) { depart(token, has, then); });
    });
}

} // namespace redlock::zookeeper::test
