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
        looks_ = looks_ || groups_.back() || addresses_[i].is_cluster();
        nodes_.push_back(connect(i, each, quorum()));
        all.push_back(nodes_.back().get());
        ears_.push_back(nullptr);
        if (!addresses_[i].is_cluster())
            ears_.back() =
                std::make_unique<node::redis_node>(*strand_, addresses_[i], i, with_group(listening, i),
                                                   quorum().ear_listener(), t.clock(), new_seed());
        ears.push_back(ears_.back() ? static_cast<node::node*>(ears_.back().get()) : all.back());
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
    return std::make_shared<node::sentinel_group>(*strand_, a, each, quorum(), quorum().clock(), new_seed());
}

std::unique_ptr<node::connected_node> redis_engine::connect(std::uint32_t node,
                                                            const node::node_settings& each,
                                                            node::node_listener& listener) const {
    const node::address& to = addresses_[node];
    const time::time_source& time = quorum().clock();
    if (to.is_cluster())
        return std::make_unique<node::cluster_node>(*strand_, to, node, each, listener, time, new_seed());
    return std::make_unique<node::redis_node>(*strand_, to, node, with_group(each, node), listener, time,
                                              new_seed());
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

std::unique_ptr<node::connected_node> redis_engine::connect_apart(std::uint32_t node,
                                                                  node::node_listener& listener) const {
    return connect(node, apart_, listener);
}

void redis_engine::before_routines() noexcept {
    if (looks_) {
        for (const auto& group : groups_)
            if (group) group->look();
        for (const auto& node : nodes_)
            node->look();
    }
    quorum_engine::before_routines();
}

template <class What>
void redis_engine::for_all(What what) {
    for (const auto& node : nodes_)
        what(*node);
    for (const auto& ear : ears_)
        if (ear) what(*ear);
    for (const auto& group : groups_)
        if (group) what(*group);
}

void redis_engine::stop(std::function<void()> ended) {
    ended_ = std::move(ended);
    const auto one_ended = [this] {
        if (--connected_ == 0) boost::asio::post(*strand_, std::exchange(ended_, {}));
    };
    connected_ = nodes_.size();
    for (const auto& ear : ears_)
        connected_ += ear != nullptr;
    for (const auto& group : groups_)
        connected_ += group != nullptr;
    for_all([&](auto& one) { one.stop(one_ended); });
}

void redis_engine::leave() noexcept {
    for_all([](auto& one) { one.leave(); });
}

void redis_engine::fail_all() {
    for_all([](auto& one) { one.stop(); });
}

void redis_engine::disconnect() noexcept {
    quorum().lose_nodes();
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
