#pragma once

#include "engines/redis/node/cluster/slot_council.hpp"
#include "engines/redis/node/redis_node.hpp"

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>

namespace redlock::node {

class cluster_member;

/// Told what happens at a server of a cluster. In a turn.
class member_listener {
public:
    virtual void member_ready(cluster_member& m, bool new_connection) noexcept = 0;
    virtual void member_down(cluster_member& m) noexcept = 0;
    virtual void member_pushed(const resp::reply& message) noexcept = 0;
    /// How the slots are dealt out, as the server of this id knew it when it was asked.
    virtual void slots_told(std::string_view id, slot_view view, time::instant asked) = 0;
    virtual std::string_view same_server_as(const server_info& server) const noexcept = 0;

protected:
    ~member_listener() = default;
};

/// One server of a cluster: the connection with it, over which it is also asked how the slots are dealt out.
class cluster_member final : private node_listener, private reply_receiver {
public:
    /// `turns` is told when turns begin and end.
    cluster_member(const redis_node::strand& on, const address& cluster, const endpoint& at,
                   node_settings each, member_listener& listener, node_listener& turns,
                   const time::time_source& time, std::uint64_t seed, network::io_source& over);

    const endpoint& at() const noexcept { return at_; }
    redis_node& server() noexcept { return *server_; }
    const redis_node& server() const noexcept { return *server_; }
    /// It has been a replica when it was connected to, and what it says of itself since then is not known.
    bool was_replica() const noexcept { return server_->server().role == "replica"; }
    /// Connected, and sure to be the same server as before.
    bool is_connected() const noexcept;
    /// It takes commands: its part of the cluster is complete, as far as it knows.
    bool serves() const noexcept { return is_connected() && !down_; }
    /// It has just refused one, for it takes none.
    void is_down() noexcept { down_ = true; }
    /// Why it is of no use; empty when it is.
    std::string problem() const;
    /// The same in one word.
    errc failure() const;

    /// As `node::submit`, for deadlines in any order: one that is earlier than that of the request before is
    /// put off until then.
    errc submit(request r) noexcept;
    void ask();

    unsigned errands = 0; ///< submitted by the cluster's node and not answered yet

private:
    enum class question : std::uint32_t { id, info, slots };

    void refuse(const resp::reply& reply);
    void put(question what, std::initializer_list<std::string_view> words);

    void on_reply(reply_tag tag, const resp::reply& reply) noexcept override;
    void on_failure(reply_tag tag, errc why) noexcept override;
    void on_node_ready(std::uint32_t, bool new_connection) noexcept override;
    void on_node_down(std::uint32_t) noexcept override;
    void on_push(std::uint32_t, const resp::reply& message) noexcept override {
        listener_.member_pushed(message);
    }
    std::string_view same_server(std::uint32_t, const server_info& server) const noexcept override {
        return listener_.same_server_as(server);
    }
    void on_turn_begin() noexcept override { turns_.on_turn_begin(); }
    void on_turn_end() noexcept override { turns_.on_turn_end(); }

    const endpoint at_;
    const std::chrono::nanoseconds node_timeout_;
    member_listener& listener_;
    node_listener& turns_;
    const time::time_source& time_;
    std::string id_;      ///< in the cluster
    std::string refusal_; ///< what it answered in place of the slots
    errc refused_as_{};
    bool down_ = false;  ///< it takes no commands, by its own account
    bool asked_ = false; ///< for the slots
    time::instant asked_at_{};
    time::instant latest_deadline_ = time::instant::min();
    std::unique_ptr<redis_node> server_;
};

} // namespace redlock::node
