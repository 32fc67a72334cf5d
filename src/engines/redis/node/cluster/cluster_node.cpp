// The life of a cluster's node.

#include "engines/redis/node/cluster/cluster_node.hpp"

#include <algorithm>
#include <utility>

namespace redlock::node {
namespace {

constexpr std::chrono::milliseconds asking_interval{1000};
constexpr std::chrono::milliseconds interval_while_down{100};
constexpr std::chrono::seconds life_of_an_answer{3};

node_settings for_members(node_settings each) {
    each.belief_in_owner = life_of_an_answer;
    return each;
}

} // namespace

cluster_node::cluster_node(redis_node::strand on, const address& cluster, std::uint32_t index,
                           node_settings each, node_listener& listener, const time::time_source& time,
                           std::uint64_t seed, network::io_source& over)
    : strand_(std::move(on)),
      cluster_(cluster),
      name_(cluster.name()),
      index_(index),
      each_(for_members(std::move(each))),
      listener_(listener),
      time_(time),
      seeds_(seed),
      io_(over),
      council_(life_of_an_answer),
      held_(each_.request_limit, each_.output_limit),
      timer_(io_.make_timer(strand_)) {
    server_.mode = "cluster";
    for (const endpoint& at : cluster_.members)
        meet(at);
}

cluster_node::~cluster_node() {
    stopped_ = true;
    held_.clear();
}

cluster_member& cluster_node::meet(const endpoint& at) {
    member_listener& own = *this;
    auto made =
        std::make_unique<cluster_member>(strand_, cluster_, at, each_, own, listener_, time_, seeds_(), io_);
    return *members_.emplace_back(std::move(made));
}

void cluster_node::start() {
    if (stopped_) return;
    const auto now = time_.now();
    give_up_at_ = now + std::max<std::chrono::nanoseconds>(asking_interval, each_.node_timeout);
    ask_at_ = now + asking_interval;
    for (const auto& m : members_)
        m->server().start();
    arm();
}

void cluster_node::ask_all() {
    const bool is_down =
        std::ranges::any_of(members_, [](const auto& m) { return m->is_connected() && !m->serves(); });
    ask_at_ = time_.now() + (is_down ? interval_while_down : asking_interval);
    for (const auto& m : members_)
        m->ask();
}

void cluster_node::arm() {
    if (stopped_) return;
    const auto now = time_.now();
    const auto at = std::min(
        {ask_at_, believed_until_, held_.next_deadline(), give_up_at_, guard_ends_, look_at_retired_});
    if (at >= timer_->armed_for() && timer_->armed_for() > now) return;
    timer_->arm(at, now, [this, alive = std::weak_ptr(alive_)](const boost::system::error_code& ec) {
        if (ec || alive.expired() || stopped_) return;
        timer_->fired();
        listener_.on_turn_begin();
        wake();
        if (stopped_) return;
        listener_.on_turn_end();
        arm();
    });
}

void cluster_node::wake() {
    const auto now = time_.now();
    for (const auto& m : retired_)
        m->server().stop();
    if (stopped_) return;
    std::erase_if(retired_, [](const auto& m) { return m->server().idle(); });
    look_at_retired_ = retired_.empty() ? time::instant::max() : now + interval_while_down;
    timeouts_ += held_.expire(now);
    if (stopped_) return;
    if (give_up_at_ <= now) {
        give_up_at_ = time::instant::max();
        reconsider();
    }
    if (!stopped_ && guard_ends_ <= now) {
        guard_ends_ = time::instant::max();
        std::erase_if(guarded_, [&](const auto& one) { return one.second <= now; });
        listener_.on_node_moved(index_);
    }
    if (stopped_) return;
    if (ask_at_ <= now) ask_all();
    decide();
    if (!stopped_) retire_idle();
}

void cluster_node::look() {
    if (!stopped_ && time_.now() >= believed_until_) decide();
}

void cluster_node::stop(std::function<void()> ended) {
    if (!std::exchange(stopped_, true)) {
        timer_->cancel();
        state_ = health::unavailable;
        held_.fail_all(errc::closed);
    }
    for (auto& gone : retired_)
        members_.push_back(std::move(gone));
    retired_.clear();
    look_at_retired_ = time::instant::max();
    const auto outstanding = std::make_shared<std::size_t>(members_.size());
    for (const auto& m : members_)
        m->server().stop([outstanding, ended] {
            if (--*outstanding == 0 && ended) ended();
        });
}

void cluster_node::leave() noexcept {
    for (const auto* all : {&members_, &retired_})
        for (const auto& m : *all)
            m->server().leave();
}

} // namespace redlock::node
