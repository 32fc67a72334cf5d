#pragma once

#include "engines/redis/node/group/council.hpp"
#include "engines/redis/node/group/sentinel_answers.hpp"
#include "engines/redis/node/redis_node.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::node {

class sentinel_link;

/// Told what a Sentinel says. In a turn.
class link_listener {
public:
    virtual void sentinel_said(sentinel_link& from, testimony t, time::instant asked) = 0;
    /// It does not watch over the group.
    virtual void sentinel_knows_nothing(sentinel_link& from) = 0;
    virtual void sentinels_told(const std::vector<sentinel_told>& others) = 0;
    /// A fail-over has happened: what the Sentinels said before is old.
    virtual void switched() = 0;

protected:
    ~link_listener() = default;
};

/// The connection with one Sentinel, which is asked for the master of a group.
///
/// It logs in as for the group's servers; where a Sentinel refuses that, the next connection goes without,
/// for Sentinels often have no password.
class sentinel_link final : private node_listener, private reply_receiver {
public:
    /// `turns` is told when turns begin and end.
    sentinel_link(const redis_node::strand& on, const address& group, const endpoint& at, node_settings each,
                  link_listener& listener, node_listener& turns, const time::time_source& time,
                  std::uint64_t seed, network::io_source& over);

    const endpoint& at() const noexcept { return at_; }
    /// Of its own choice; before it told that, its address.
    const std::string& id() const noexcept { return id_; }
    bool is_reachable() const noexcept { return node_->state() != health::unavailable; }
    /// Whether it is known who it is, or that it cannot be reached.
    bool is_settled() const noexcept { return has_told_id_ || !is_reachable(); }
    /// Why it says nothing; empty when it does.
    std::string problem() const;
    /// Why it cannot be reached; 0 when it can, or has not been tried yet.
    errc failure() const;

    void start() { node_->start(); }
    /// Asks for the master, unless that is being asked already; of others from time to time.
    void ask();
    void stop(std::function<void()> ended) { node_->stop(std::move(ended)); }
    void leave() noexcept { node_->leave(); }

private:
    enum class question : std::uint32_t { id, subscription, master, others };

    void put(question what, std::initializer_list<std::string_view> words);
    void take_id(const resp::reply& reply);
    void take_master(const resp::reply& reply);

    void on_reply(reply_tag tag, const resp::reply& reply) noexcept override;
    void on_failure(reply_tag tag, errc why) noexcept override;
    void on_node_ready(std::uint32_t, bool new_connection) noexcept override;
    void on_node_down(std::uint32_t) noexcept override {}
    void on_push(std::uint32_t, const resp::reply& message) noexcept override;
    void on_turn_begin() noexcept override { turns_.on_turn_begin(); }
    void on_turn_end() noexcept override { turns_.on_turn_end(); }

    const endpoint at_;
    const std::string service_;
    link_listener& listener_;
    node_listener& turns_;
    const time::time_source& time_;
    std::string id_;
    bool has_told_id_ = false;
    bool without_login_ = false;
    std::string refusal_;      ///< what it answered in place of the master
    bool asked_ = false;       ///< for the master
    bool asked_again_ = false; ///< meanwhile
    unsigned asked_before_ = 0;
    time::instant asked_at_{};
    std::unique_ptr<redis_node> node_;
};

} // namespace redlock::node
