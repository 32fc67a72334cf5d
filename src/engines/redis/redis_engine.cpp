#include "engines/redis/redis_engine.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

namespace redlock::redis {

redis_engine::redis_engine(const strand& on, const redis::settings& s, const node::node_settings& each,
                           std::vector<node::address> addresses, turn::turns& t)
    : quorum_engine(s, t, core::draw(*s.entropy)),
      strand_(on),
      addresses_(std::move(addresses)),
      apart_(each) {
    apart_.node_timeout = std::max<core::nanoseconds>(each.node_timeout, std::chrono::seconds(1));
    apart_.refuses_nobody = true;
    apart_.restart_guard = {};
    node::node_settings listening = each;
    listening.only_listens = true;
    listening.restart_guard = {};
    std::vector<node::node*> all;
    std::vector<node::node*> ears;
    for (std::uint32_t i = 0; i < addresses_.size(); ++i) {
        groups_.push_back(group_of(addresses_[i], each));
        nodes_.push_back(std::make_unique<node::redis_node>(*strand_, addresses_[i], i, with_group(each, i),
                                                            quorum(), t.clock(), new_seed()));
        ears_.push_back(std::make_unique<node::redis_node>(*strand_, addresses_[i], i,
                                                           with_group(listening, i), quorum().ear_listener(),
                                                           t.clock(), new_seed()));
        all.push_back(nodes_.back().get());
        ears.push_back(ears_.back().get());
    }
    ear_started_.resize(ears_.size());
    quorum().set_nodes(all, ears, [this](std::uint32_t i) {
        if (ear_started_[i]) return;
        ear_started_[i] = true;
        ears_[i]->start();
    });
    // Commands may be put before the first connection, for the database that it will have.
    for (std::uint32_t i = 0; i < addresses_.size(); ++i)
        quorum().session_of(i).reconnected();
}

redis_engine::~redis_engine() { disconnect(); }

std::uint64_t redis_engine::new_seed() const { return core::draw(*quorum().settings().entropy); }

std::shared_ptr<node::sentinel_group> redis_engine::group_of(const node::address& a,
                                                             const node::node_settings& each) {
    if (!a.is_group()) return nullptr;
    has_groups_ = true;
    return std::make_shared<node::sentinel_group>(*strand_, a, each, quorum(), quorum().clock(), new_seed());
}

node::node_settings redis_engine::with_group(node::node_settings each, std::uint32_t node) const {
    each.group = groups_[node];
    return each;
}

void redis_engine::start() {
    for (const auto& group : groups_)
        if (group) group->start();
    for (const auto& node : nodes_)
        node->start();
}

seam::question_pointer redis_engine::examine(seam::answer_listener<std::vector<node_examination>>& listener) {
    std::vector<unsigned> databases;
    for (const node::address& a : addresses_)
        databases.push_back(a.database);
    auto* const made = new examine_question(
        quorum(), std::move(databases),
        [this](std::uint32_t node, node::node_listener& told) { return connect_apart(node, told); },
        listener);
    examinations_.push_back(*made);
    return seam::question_pointer(made);
}

std::unique_ptr<node::redis_node> redis_engine::connect_apart(std::uint32_t node,
                                                              node::node_listener& listener) const {
    return std::make_unique<node::redis_node>(*strand_, addresses_[node], node, with_group(apart_, node),
                                              listener, quorum().clock(), new_seed());
}

void redis_engine::before_routines() noexcept {
    if (has_groups_)
        for (const auto& group : groups_)
            if (group) group->look();
    quorum_engine::before_routines();
}

void redis_engine::stop(std::function<void()> ended) {
    ended_ = std::move(ended);
    const auto one_ended = [this] {
        if (--connected_ == 0) boost::asio::post(*strand_, std::exchange(ended_, {}));
    };
    const auto groups = groups_.size() - static_cast<std::size_t>(std::ranges::count(groups_, nullptr));
    connected_ = nodes_.size() + ears_.size() + groups;
    for (const auto* all : {&nodes_, &ears_})
        for (const auto& node : *all)
            node->stop(one_ended);
    for (const auto& group : groups_)
        if (group) group->stop(one_ended);
}

void redis_engine::leave() noexcept {
    for (const auto* all : {&nodes_, &ears_})
        for (const auto& node : *all)
            node->leave();
    for (const auto& group : groups_)
        if (group) group->leave();
}

void redis_engine::fail_all() {
    for (const auto* all : {&nodes_, &ears_})
        for (const auto& node : *all)
            node->stop();
    for (const auto& group : groups_)
        if (group) group->stop();
}

void redis_engine::disconnect() noexcept {
    nodes_.clear();
    ears_.clear();
    groups_.clear();
    while (!examinations_.empty())
        examinations_.front().abandon();
    strand_.reset();
    // It refers to whoever owns this, and will not be called any more.
    const auto last = std::exchange(ended_, {});
}

} // namespace redlock::redis
