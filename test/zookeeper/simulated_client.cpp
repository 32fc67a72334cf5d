// The way of a simulated client to the servers, and its session.

#include "simulated_client.hpp"

#include <algorithm>
#include <utility>

namespace redlock::zookeeper::test {

simulated_client::simulated_client(world& w, char name, everybody& all) : world_(w), name_(name), all_(all) {
    session_ = world_.servers.open_session(world_.now);
    live();
    next_try();
}

// Pings, faults of the way, and what becomes of the session.
void simulated_client::live() {
    const weather& around = world_.around;
    if (!world_.calm && world_.chance(around.cut_off))
        cut_off_until_ = world_.now + milliseconds(world_.between(50, around.longest_cut));
    if (!world_.calm && world_.chance(around.stopped))
        stopped_until_ = world_.now + milliseconds(world_.between(50, around.longest_stop));
    if (!is_cut_off() && world_.now >= stopped_until_) world_.servers.hear(session_, world_.now);
    lag_ = is_cut_off() ? lag_ + 1 : static_cast<std::size_t>(world_.between(0, 2));
    world_.after(10ms, [this] { live(); });
}

void simulated_client::hear(milliseconds delay, std::function<void()> what) {
    world_.after(delay, [this, what = std::move(what)] {
        if (world_.now < stopped_until_) return world_.at(stopped_until_, what);
        what();
    });
}

bool simulated_client::check_session() {
    if (world_.servers.lives(session_)) return true;
    session_ = world_.servers.open_session(world_.now);
    return false;
}

void simulated_client::look(std::function<void(const sight&)> then) {
    const milliseconds way = delay();
    world_.after(way, [this, then] {
        const state first = world_.servers.behind(lag_, seen_);
        seen_ = first.transaction;
        world_.after(milliseconds(world_.between(0, world_.calm ? 3 : 40)), [this, first, then] {
            const state second = world_.servers.behind(lag_, seen_);
            seen_ = second.transaction;
            if (first.written_by != second.written_by) return look(then);
            const sight s = simulated_ensemble::seen_in(first, second);
            hear(delay(), [then, s] { then(s); });
        });
    });
}

simulated_client::state simulated_client::view() {
    const state seen = world_.servers.behind(lag_, seen_);
    seen_ = seen.transaction;
    return seen;
}

void simulated_client::write(writer what, bool late, std::function<void(answer)> then) {
    const bool lost = is_cut_off() || (!world_.calm && world_.chance(world_.around.lost_write));
    if (lost) {
        const bool done = !world_.calm && world_.chance(world_.around.done_though_lost);
        if (done && late)
            world_.after(milliseconds(world_.between(1, world_.chance(50) ? 150 : 1500)),
                         [this, what, s = session_] { apply(what, s); });
        else if (done)
            apply(what, session_);
        return hear(40ms, [then] { then(answer::unknown); });
    }
    world_.after(delay(), [this, what, then, s = session_] {
        const answer a = apply(what, s);
        hear(delay_of_answer(), [then, a] { then(a); });
    });
}

milliseconds simulated_client::delay_of_answer() {
    const int slow = world_.calm ? 0 : world_.around.slow_answers;
    return slow > 0 && world_.chance(slow) ? milliseconds(world_.between(100, 900)) : delay();
}

simulated_client::answer simulated_client::apply(const writer& what, std::int64_t session) {
    if (!world_.servers.lives(session)) return answer::no_node;
    world_.servers.hear(session, world_.now);
    state next = world_.servers.begin();
    const answer a = what(next);
    if (a == answer::done) {
        const std::int64_t applied = next.transaction;
        world_.servers.commit(std::move(next));
        seen_ = std::max(seen_, applied); // by the server that passes the reply on
    }
    return a;
}

simulated_client::answer simulated_client::add_node(state& f, const std::string& token, std::int64_t session,
                                                    bool reads) {
    const place_node node{
        .name = token, .token = token, .sequence = world_.servers.next_sequence(), .reads = reads};
    f.nodes[token] = {node, session};
    return answer::done;
}
} // namespace redlock::zookeeper::test
