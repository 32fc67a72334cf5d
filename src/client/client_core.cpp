#include "client/client_core.hpp"

#include "client/client_registry.hpp"
#include "client/configuration.hpp"
#include "client/entropy.hpp"
#include "lease/held_lease.hpp"

#include <redlock/lease.hpp>

#include <boost/asio/post.hpp>

#include <algorithm>
#include <utility>

namespace redlock::lock {

client_core::client_core(boost::asio::any_io_executor executor, config settings)
    : executor_(std::move(executor)),
      strand_(boost::asio::make_strand(executor_)),
      runtime_(settings_of(settings), time::real_time(), new_seed(), *this, *this),
      addresses_(addresses_of(settings)),
      apart_settings_(node_settings_of(settings)),
      alarm_(*strand_) {
    apart_settings_.node_timeout =
        std::max<core::nanoseconds>(settings.node_timeout, std::chrono::seconds(1));
    apart_settings_.refuses_nobody = true;
    apart_settings_.restart_guard = {};
    std::vector<node::node*> all;
    std::vector<node::node*> ears;
    for (std::uint32_t i = 0; i < addresses_.size(); ++i) {
        nodes_.push_back(std::make_unique<node::redis_node>(
            *strand_, addresses_[i], i, node_settings_of(settings), runtime_, time::real_time(), new_seed()));
        all.push_back(nodes_.back().get());
        node::node_settings listening = node_settings_of(settings);
        listening.only_listens = true;
        listening.restart_guard = {};
        ears_.push_back(std::make_unique<node::redis_node>(
            *strand_, addresses_[i], i, listening, runtime_.ear_listener(), time::real_time(), new_seed()));
        ears.push_back(ears_.back().get());
    }
    ear_started_.resize(ears_.size());
    runtime_.set_nodes(all, ears, [this](std::uint32_t i) {
        if (ear_started_[i]) return;
        ear_started_[i] = true;
        ears_[i]->start();
    });
}

client_core::~client_core() {
    if (!abandoned_) client_registry::of(executor_).remove(*this);
}

void client_core::start() {
    client_registry::of(executor_).add(shared_from_this());
    keep_ = shared_from_this();
    boost::asio::post(*strand_, [self = shared_from_this()] {
        self->alarm_->start(self, [core = self.get()] { core->turn([] {}); });
        self->turn([&] {
            for (const auto& node : self->nodes_)
                node->start();
        });
    });
}

void client_core::turn(const std::function<void()>& what) {
    runtime_.begin_turn();
    what();
    runtime_.end_turn();
}

void client_core::wake() noexcept {
    if (!abandoned_) boost::asio::post(*strand_, [self = shared_from_this()] { self->flush_turn(); });
}

void client_core::turn_ended(std::optional<time::instant> next) noexcept {
    if (next) alarm_->wake_at(*next);
    go_on_closing();
    // Before the flush is asked for: the callers that are served now ask for the next lock.
    if (!completed_.empty()) detail::post(*executor_.target<detail::loop_executor>(), std::move(completed_));
    // Where there is one lock, nothing is gained by waiting for others. But five writes can take longer than
    // the five replies before: whoever was served goes first.
    const bool served = std::exchange(served_, false);
    if (flushing_)
        runtime_.flush();
    else if (runtime_.has_unwritten())
        flush_requested_ || served || runtime_.works_for_several() ? request_flush() : runtime_.flush();
    turn_mutex_.unlock();
}

// Behind whatever is ready on the executor now: the replies of other nodes, the callers that were just served
// and ask for the next lock. Their commands leave in the same write.
void client_core::request_flush() {
    if (std::exchange(flush_requested_, true)) return;
    boost::asio::post(*strand_, [self = shared_from_this()] {
        self->flush_requested_ = false;
        self->flush_turn();
    });
}

void client_core::flush_turn() {
    flushing_ = true;
    turn([] {});
    flushing_ = false;
}

void client_core::let_go() noexcept {
    if (abandoned_ || let_go_.exchange(true)) return;
    boost::asio::post(*strand_, [self = shared_from_this()] { self->turn([&] { self->close({}); }); });
}

void client_core::close(std::function<void()> closed) {
    if (closed) when_closed_.push_back(std::move(closed));
    if (phase_ == phase::closed) finish_closing();
    if (phase_ != phase::open) return;
    phase_ = phase::closing;
    calls().wake_for_each();
    runtime_.begin_closing();
    for (call& c : active_)
        c.client_closes();
}

void client_core::deliver(detail::completion_pointer<detail::completion> c) {
    served_ = true;
    detail::completion& own = *c.release();
    if (!own.post()) completed_.push(detail::completion_pointer<detail::completion>(&own));
}

std::unique_ptr<node::redis_node> client_core::connect_apart(std::uint32_t node,
                                                             node::node_listener& listener) const {
    return std::make_unique<node::redis_node>(*strand_, addresses_[node], node, apart_settings_, listener,
                                              time::real_time(), new_seed());
}

// In steps, each at the end of a turn: first everything taken is given back, then the nodes are let go.
void client_core::go_on_closing() {
    if (phase_ != phase::closing || !runtime_.quiet() || apart_ > 0) return;
    phase_ = phase::disconnecting;
    connected_nodes_ = nodes_.size() + ears_.size();
    for (const auto* all : {&nodes_, &ears_})
        for (const auto& node : *all)
            node->stop([self = shared_from_this()] { self->node_ended(); });
    alarm_->stop();
    // What the nodes failed on their way out has made routines ready.
    wake();
}

void client_core::node_ended() {
    if (--connected_nodes_ > 0) return;
    boost::asio::post(*strand_, [self = shared_from_this()] {
        self->turn([&] {
            self->phase_ = phase::closed;
            self->finish_closing();
        });
        self->keep_.reset();
    });
}

void client_core::finish_closing() {
    for (const auto& told : std::exchange(when_closed_, {}))
        told();
}

metrics_snapshot client_core::metrics() const {
    // A callback inside a turn may ask too.
    std::unique_lock between_turns(turn_mutex_, std::defer_lock);
    if (strand_ && !strand_->running_in_this_thread()) between_turns.lock();
    std::vector<const node::node*> all;
    for (const auto& node : nodes_)
        all.push_back(node.get());
    return snapshot_of(runtime_, all);
}

void client_core::abandon() noexcept {
    abandoned_ = true;
    // Nodes first: they hold pointers to the rounds of the calls.
    nodes_.clear();
    ears_.clear();
    while (!active_.empty())
        active_.front().discard();
    runtime_.abandon();
    when_closed_.clear();
    completed_.clear();
    // A lease may keep this object for longer than the context lives; nothing of the context may stay in it.
    alarm_.reset();
    strand_.reset();
    executor_ = {};
    const auto last = std::move(keep_);
}

lease client_core::lease_of(detail::lease_pointer held) noexcept { return lease(std::move(held)); }

client_core& client_core::of(const lock::runtime& r) noexcept {
    return static_cast<client_core&>(r.listener());
}

} // namespace redlock::lock
