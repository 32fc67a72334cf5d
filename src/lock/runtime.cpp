#include "lock/runtime.hpp"

#include "lock/acquire.hpp"
#include "lock/held_lease.hpp"
#include "lock/release.hpp"

#include <redlock/observer.hpp>

namespace redlock::lock {

runtime::runtime(lock::settings s, const time::time_source& clock, std::uint64_t seed,
                 turn_listener& listener, inbox_waker& waker)
    : settings_(std::move(s)),
      clock_(clock),
      listener_(listener),
      inbox_(waker),
      now_(clock.now()),
      random_(seed),
      queues_(settings_.handoff_limit),
      window_(settings_.max_inflight) {}

runtime::~runtime() { abandon(); }

void runtime::set_nodes(const std::vector<node::node*>& nodes) {
    for (node::node* n : nodes)
        sessions_.emplace_back(*n);
    debts_.resize(sessions_.size());
}

void runtime::take_calls() {
    inbox_.take([](inbox_item& item) { item.arrive(); });
}

void runtime::fire_timers() { timers_.fire(now()); }

void runtime::end_turn() {
    take_calls();
    ready_.run();
    listener_.turn_ended(timers_.next());
}

void runtime::flush() noexcept {
    for (session& s : sessions_)
        s.node().flush();
}

void runtime::begin_closing() {
    closing_ = true;
    for (acquire& a : acquires_)
        a.close();
    // Closing a lease takes it out of the list, sooner or later.
    std::vector<std::shared_ptr<held_lease>> all;
    for (held_lease& l : leases_)
        all.push_back(l.shared_from_this());
    for (const auto& l : all)
        l->close();
}

bool runtime::quiet() const noexcept { return acquires_.empty() && leases_.empty() && releases_.empty(); }

void runtime::owe(std::uint32_t node, debt d) { debts_[node].add(std::move(d), now()); }

void runtime::on_node_ready(std::uint32_t node, bool new_connection) noexcept {
    session& s = sessions_[node];
    if (new_connection) s.reconnected();
    for (debt& d : debts_[node].take(new_connection, now()))
        release::start(*this, std::move(d.owed), std::uint64_t{1} << node, d.until);
    if (redlock::observer* o = observer()) o->node_changed(s.node().name(), true, {});
}

void runtime::on_node_down(std::uint32_t node) noexcept {
    if (redlock::observer* o = observer()) {
        const node::status status = sessions_[node].node().report();
        o->node_changed(sessions_[node].node().name(), false, status.last_error_text);
    }
}

void runtime::on_push(std::uint32_t, const resp::reply&) noexcept {}

void runtime::abandon() noexcept {
    closing_ = true;
    inbox_.shut();
    while (!leases_.empty())
        leases_.front().abandon();
    while (!releases_.empty())
        delete &releases_.front();
}

} // namespace redlock::lock
