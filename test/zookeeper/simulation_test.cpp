// Clients that contend for one key by the rule, on an ensemble of which anything is to be expected: replies
// that are lost or come late, transactions that are done long after nobody waits for them any more, servers
// that are cut off and go on answering reads and pings, sessions that expire late or early, clients that
// stand still. And the rule with mistakes in it, each of which has to be found.

#include "engines/zookeeper/departure.hpp"
#include "simulated_ensemble.hpp"

#include <boost/test/unit_test.hpp>

#include <functional>
#include <memory>
#include <queue>
#include <random>

namespace redlock::zookeeper::test {
namespace {

using namespace std::chrono_literals;
using action = place::action;
using core::instant;

enum class planted { none, pings_confirm, no_wait, unversioned, any_write_confirms, no_void };

constexpr milliseconds ttl{300};
constexpr milliseconds session_timeout{150};

class world {
public:
    world(unsigned seed, planted m) : mistake(m), random(seed) {}

    int between(int low, int high) { return std::uniform_int_distribution(low, high)(random); }
    bool chance(int percent) { return between(1, 100) <= percent; }
    void at(instant when, std::function<void()> what) { events.push({when, ++order, std::move(what)}); }
    void after(milliseconds delay, std::function<void()> what) { at(now + delay, std::move(what)); }
    void run(instant until) {
        while (!events.empty() && events.top().when <= until) {
            auto next = events.top();
            events.pop();
            now = next.when;
            servers.expire(now, session_timeout);
            next.what();
        }
    }

    struct event {
        instant when;
        std::uint64_t order;
        std::function<void()> what;
        bool operator<(const event& o) const { return std::tie(o.when, o.order) < std::tie(when, order); }
    };
    const planted mistake;
    std::mt19937 random;
    instant now{1s};
    simulated_ensemble servers;
    std::priority_queue<event> events;
    std::uint64_t order = 0;
    bool calm = false;
    int overlaps = 0, grants = 0, disorder = 0;
    std::int64_t highest_fence = 0;
};

class simulated_client {
public:
    simulated_client(world& w, char name, std::vector<std::unique_ptr<simulated_client>>& all)
        : world_(w), name_(name), all_(all) {
        session_ = world_.servers.open_session(world_.now);
        live();
        next_try();
    }
    bool believes(instant at) const { return at < believed_until_; }
    bool over = false;

private:
    using state = simulated_ensemble::state;
    enum class answer { done, refused, no_node, unknown };
    using writer = std::function<answer(state&)>;

    // Pings, faults of the way, and what becomes of the session.
    void live() {
        if (!world_.calm && world_.chance(2))
            cut_off_until_ = world_.now + milliseconds(world_.between(50, 500));
        if (!world_.calm && world_.chance(2))
            stopped_until_ = world_.now + milliseconds(world_.between(50, 600));
        if (!is_cut_off() && world_.now >= stopped_until_) world_.servers.hear(session_, world_.now);
        lag_ = is_cut_off() ? lag_ + 1 : static_cast<std::size_t>(world_.between(0, 2));
        world_.after(10ms, [this] { live(); });
    }
    bool is_cut_off() const { return world_.now < cut_off_until_; }
    milliseconds delay() { return milliseconds(world_.between(1, world_.calm ? 5 : 30)); }

    /// Runs when the client does.
    void hear(milliseconds delay, std::function<void()> what) {
        world_.after(delay, [this, what = std::move(what)] {
            if (world_.now < stopped_until_) return world_.at(stopped_until_, what);
            what();
        });
    }
    bool check_session() {
        if (world_.servers.lives(session_)) return true;
        session_ = world_.servers.open_session(world_.now);
        return false;
    }

    void look(std::function<void(const sight&)> then) {
        const milliseconds way = delay();
        world_.after(way, [this, then] {
            const state first = world_.servers.behind(lag_, seen_);
            seen_ = first.transaction;
            world_.after(milliseconds(world_.between(0, world_.calm ? 3 : 40)), [this, first, then] {
                const state second = world_.servers.behind(lag_, seen_);
                seen_ = second.transaction;
                if (first.written_by != second.written_by) return look(then);
                sight s{.exists = true,
                        .version = first.version,
                        .written_by = first.written_by,
                        .holder = first.holder};
                for (const auto& [token, node] : second.nodes)
                    s.nodes.push_back(node.first);
                hear(delay(), [then, s] { then(s); });
            });
        });
    }
    /// `late`: it may be done also after the client was told that nobody knows. Others are not, for servers
    /// refuse what comes over the connection before.
    void write(writer what, bool late, std::function<void(answer)> then) {
        const bool lost = is_cut_off() || (!world_.calm && world_.chance(5));
        if (lost) {
            const bool done = !world_.calm && world_.chance(50);
            if (done && late)
                world_.after(milliseconds(world_.between(1, world_.chance(50) ? 150 : 1500)),
                             [this, what, s = session_] { apply(what, s); });
            else if (done)
                apply(what, session_);
            return hear(40ms, [then] { then(answer::unknown); });
        }
        world_.after(delay(), [this, what, then, s = session_] {
            const answer a = apply(what, s);
            hear(delay(), [then, a] { then(a); });
        });
    }
    answer apply(const writer& what, std::int64_t session) {
        if (!world_.servers.lives(session)) return answer::no_node;
        world_.servers.hear(session, world_.now);
        state next = world_.servers.begin();
        const answer a = what(next);
        if (a == answer::done) {
            applied_ = next.transaction;
            world_.servers.commit(std::move(next));
            seen_ = std::max(seen_, applied_); // by the server that passes the reply on
        }
        return a;
    }

    void next_try() {
        if (world_.calm && world_.chance(50)) {
            over = true;
            return;
        }
        place_ =
            std::make_unique<place>(!world_.chance(20), world_.now + milliseconds(world_.between(50, 3000)));
        begin_claim();
        perform(place_->start(world_.now, world_.now));
    }
    milliseconds rest() {
        return milliseconds(world_.chance(20) ? world_.between(200, 1500) : world_.between(1, 60));
    }
    void begin_claim() {
        token_ = std::string(1, name_) + std::to_string(++tries_);
        has_ = {};
        place_->lose_node();
    }
    void end_try() {
        depart(token_, has_, [this] { hear(rest(), [this] { next_try(); }); });
    }
    void perform(const place::step& s) {
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
    answer add_node(state& f, const std::string& token, std::int64_t session) {
        f.nodes[token] = {{.name = token, .token = token, .sequence = world_.servers.next_sequence()},
                          session};
        return answer::done;
    }
    void give_up_claim() {
        check_session();
        depart(token_, has_, [this] {
            begin_claim();
            perform(place_->time_passed(world_.now));
        });
    }
    void looked(const sight& seen) {
        if (!check_session() && place_->has_node()) {
            begin_claim();
            return perform({.what = action::look});
        }
        seen_folder_ = seen;
        instant since = absence_in(seen, absent_, "f", world_.now);
        if (world_.mistake == planted::no_wait && since != instant::max()) since = instant{};
        perform(place_->seen(seen, token_, since, world_.now));
    }
    void take(bool with_node) {
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
    void believe(instant sent) {
        believed_until_ = sent + ttl;
        if (!believes(world_.now)) return;
        for (const auto& other : all_)
            if (other.get() != this && other->believes(world_.now)) ++world_.overlaps;
    }
    void granted(instant sent) {
        ++world_.grants;
        believe(sent);
        holds_until_ = world_.now + milliseconds(world_.between(0, 900));
        hear(ttl / 3, [this] { renew_or_release(); });
    }
    void renew_or_release() {
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

    void depart(const std::string& token, const holding& has, std::function<void()> then) {
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

    world& world_;
    const char name_;
    std::vector<std::unique_ptr<simulated_client>>& all_;
    std::int64_t session_ = 0, seen_ = 0, applied_ = 0;
    std::size_t lag_ = 0;
    instant cut_off_until_{}, stopped_until_{}, believed_until_{}, holds_until_{};
    std::unique_ptr<place> place_;
    absences absent_;
    std::string token_;
    holding has_;
    sight seen_folder_;
    int tries_ = 0;
};

struct outcome_of_run {
    int overlaps, grants;
    bool ends_clean;
};

outcome_of_run run(unsigned seed, planted mistake, core::nanoseconds trouble = 20s) {
    world w(seed, mistake);
    std::vector<std::unique_ptr<simulated_client>> clients;
    for (const char name : std::string_view("abcd").substr(seed % 4))
        clients.push_back(std::make_unique<simulated_client>(w, name, clients));
    w.run(instant{trouble});
    w.calm = true;
    w.run(instant{trouble + 20s});
    bool all_over = true;
    for (const auto& c : clients)
        all_over = all_over && c->over;
    const bool clean = all_over && !w.servers.newest().holder && w.servers.newest().nodes.empty();
    return {w.overlaps, w.grants, clean};
}

/// In how many of so many runs something was wrong.
int wrong_runs(planted mistake, unsigned runs, core::nanoseconds trouble = 20s) {
    int wrong = 0;
    for (unsigned seed = 1; seed <= runs; ++seed) {
        const auto r = run(seed, mistake, trouble);
        wrong += r.overlaps > 0 || !r.ends_clean;
    }
    return wrong;
}

BOOST_AUTO_TEST_SUITE(simulation)

BOOST_AUTO_TEST_CASE(the_rule_holds_whatever_happens) {
    int grants = 0;
    for (unsigned seed = 1; seed <= 300; ++seed) {
        const auto r = run(seed, planted::none);
        BOOST_TEST(r.overlaps == 0, "seed " << seed);
        BOOST_TEST(r.ends_clean, "seed " << seed);
        grants += r.grants;
    }
    BOOST_TEST(grants > 300 * 10, grants);
}

BOOST_AUTO_TEST_CASE(each_mistake_is_found) {
    BOOST_TEST(wrong_runs(planted::pings_confirm, 60) > 0);
    BOOST_TEST(wrong_runs(planted::no_wait, 60) > 0);
    BOOST_TEST(wrong_runs(planted::unversioned, 60) > 0);
    BOOST_TEST(wrong_runs(planted::any_write_confirms, 60) > 0);
    // What it leaves goes with the session, of which there are many as long as there is trouble.
    BOOST_TEST(wrong_runs(planted::no_void, 4000, 2s) > 0);
    BOOST_TEST(wrong_runs(planted::none, 1500, 2s) == 0);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::zookeeper::test
