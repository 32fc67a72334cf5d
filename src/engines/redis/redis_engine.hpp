#pragma once

#include "engines/redis/examine/examine_question.hpp"
#include "engines/redis/node/address.hpp"
#include "engines/redis/node/cluster/cluster_node.hpp"
#include "engines/redis/node/group/sentinel_group.hpp"
#include "engines/redis/node/redis_node.hpp"
#include "engines/redis/quorum/quorum_engine.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/strand.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace redlock::redis {

/// A quorum of real nodes, over connections of its own on the client's strand.
class redis_engine final : public quorum_engine {
public:
    using strand = boost::asio::strand<boost::asio::any_io_executor>;

    redis_engine(const strand& on, const redis::settings& s, const node::node_settings& each,
                 std::vector<node::address> addresses, turn::turns& t);
    ~redis_engine() override;

    void start() override;
    seam::question_pointer examine(seam::answer_listener<std::vector<node_examination>>& listener) override;
    void before_routines() noexcept override;
    bool quiet() const noexcept override { return quorum_engine::quiet() && examinations_.empty(); }
    void stop(std::function<void()> ended) override;
    void leave() noexcept override;
    void fail_all() override;
    void disconnect() noexcept override;

private:
    std::uint64_t new_seed() const;
    /// Nodes, ears and groups.
    template <class What>
    void for_all(What what);
    /// Of the node at this address, made where it is a group.
    std::shared_ptr<node::sentinel_group> group_of(const node::address& a, const node::node_settings& each);
    std::unique_ptr<node::connected_node> connect(std::uint32_t node, const node::node_settings& each,
                                                  node::node_listener& listener) const;
    node::node_settings with_group(node::node_settings each, std::uint32_t node) const;
    std::unique_ptr<node::connected_node> connect_apart(std::uint32_t node,
                                                        node::node_listener& listener) const;

    std::optional<strand> strand_; ///< nothing once disconnected: it must not outlive its context
    const std::vector<node::address> addresses_;
    node::node_settings apart_;                                 ///< of a connection to look at a node
    std::vector<std::shared_ptr<node::sentinel_group>> groups_; ///< for each node; null for a server
    bool looks_ = false;                                        ///< some nodes believe what others say
    std::vector<std::unique_ptr<node::connected_node>> nodes_;
    /// Second connections, for subscriptions to servers that speak RESP2. Not started before they are needed;
    /// null for a cluster, which speaks RESP3.
    std::vector<std::unique_ptr<node::redis_node>> ears_;
    std::vector<bool> ear_started_;
    turn::live_list<examine_question> examinations_;
    std::size_t connected_ = 0; ///< nodes and groups that have not ended yet
    std::function<void()> ended_;
};

} // namespace redlock::redis
