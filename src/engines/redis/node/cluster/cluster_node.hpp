#pragma once

#include "core/mistake.hpp"
#include "core/random.hpp"
#include "engines/redis/node/cluster/cluster_member.hpp"
#include "engines/redis/node/cluster/slot_council.hpp"
#include "engines/redis/node/connected_node.hpp"
#include "engines/redis/node/queue/held_requests.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace redlock::node {

struct redirection;

/// A Redis Cluster as one node: each request goes to the master that has the slot of its key, and is sent on
/// where that says so.
///
/// Who has which slot is what a majority of the masters says, who are asked once in a second, and at once
/// when one of them says that a slot has moved. It is connected to every server that has slots, and to those
/// that the address names. It is ready while all who have slots are; what becomes of a request is the matter
/// of the one server that it goes to.
///
/// A slot that has come from one server to another takes no votes for `restart_guard`, and for as long as the
/// former owner may be believed to be it; nor does a server that was promoted, as a server that was started.
class cluster_node final : public connected_node, private member_listener, private reply_receiver {
public:
    /// As for `redis_node`.
    cluster_node(redis_node::strand on, const address& cluster, std::uint32_t index, node_settings each,
                 node_listener& listener, const time::time_source& time, std::uint64_t seed,
                 network::io_source& over = network::real_io());
    ~cluster_node() override;

    using connected_node::stop;
    void start() override;
    void stop(std::function<void()> ended) override;
    void leave() noexcept override;
    void look() override;

    bool has_several_servers() const noexcept override { return true; }
    key_layout layout() const noexcept override {
        return {.servers = known().servers().size(), .number = layouts_, .is_whole = known().is_whole()};
    }
    errc submit(const request& r) noexcept override;
    void flush() noexcept override;
    health state() const noexcept override { return state_; }
    const server_info& server() const noexcept override { return server_; }
    bool has_server(std::string_view run_id) const noexcept override;
    status report() const override;
    std::chrono::nanoseconds round_trip() const noexcept override;
    std::chrono::nanoseconds usual_round_trip() const noexcept override;
    std::chrono::nanoseconds least_round_trip() const noexcept override;
    std::string_view name() const noexcept override { return name_; }
    bool reveals_secret(std::string_view text) const noexcept override;

private:
    /// Those that have slots, those that the address names, and some that are on their way out.
    static constexpr std::size_t most_members = slot_council::most_members + 15;

    /// A request on its way through the cluster.
    struct errand {
        std::string command;
        reply_receiver* receiver = nullptr;
        reply_tag tag{};
        time::instant deadline;
        bool subscription = false;
        bool cleanup = false;
        std::optional<std::uint16_t> slot;
        cluster_member* at = nullptr;
        unsigned sent_on = 0;
    };
    using errand_number = std::uint32_t;

    /// Requests for a slot go one way while any of them is under way, lest one overtakes another.
    struct course {
        unsigned under_way = 0;
        errand_number latest = 0;
        cluster_member* at = nullptr; ///< where that was sent last; null where that server is gone
    };

    // Where the slots are (cluster_slots.cpp).
    void decide();
    void adopt(slot_map found, time::instant now);
    bool guard_what_moved(const slot_map& found, time::instant now);
    void connect_to_owners();
    void retire_idle();
    void let_go(std::vector<std::unique_ptr<cluster_member>>::iterator of);
    cluster_member* member_at(const endpoint& at) const noexcept;
    cluster_member& meet(const endpoint& at);
    void meet_all(const slot_view& view);

    // Its life (cluster_node.cpp).
    void ask_all();
    void arm();
    void wake();

    // What it is good for (cluster_health.cpp).
    void reconsider() noexcept;
    health judge() const noexcept;
    void take_over_facts();
    std::string problem() const;
    errc cause() const;
    template <class Of>
    std::chrono::nanoseconds farthest(Of trip) const noexcept;

    // How requests go there (cluster_traffic.cpp).
    errc route(const request& r);
    const slot_map& known() const noexcept { return map_.empty() ? last_known_ : map_; }
    cluster_member* destination(std::optional<std::uint16_t> slot, const request& of) const noexcept;
    /// Whether what has moved must not vote for a while.
    bool guards() const noexcept {
        return each_.restart_guard > each_.restart_guard.zero() && !planted(core::mistake::moved_slot_votes);
    }
    bool is_guarded(std::uint16_t slot) const noexcept;
    errc put(errand_number number, cluster_member& to, bool asks = false) noexcept;
    bool send_on(errand_number number, std::string_view error);
    errc follow(errand_number number, const redirection& to);
    errand take_off(errand_number number) noexcept;
    void fail(errand_number number, errc why) noexcept;
    void tell_the_others(const request& r, const cluster_member& one) noexcept;
    void serve_held();

    void member_ready(cluster_member& m, bool new_connection) noexcept override;
    void member_down(cluster_member& m) noexcept override;
    void member_pushed(const resp::reply& message) noexcept override {
        if (!stopped_) listener_.on_push(index_, message);
    }
    void slots_told(std::string_view id, slot_view view, time::instant asked) override;
    std::string_view same_server_as(const server_info& server) const noexcept override {
        return listener_.same_server(index_, server);
    }
    void on_reply(reply_tag tag, const resp::reply& reply) noexcept override;
    void on_failure(reply_tag tag, errc why) noexcept override;

    const redis_node::strand strand_;
    const address cluster_;
    const std::string name_;
    const std::uint32_t index_;
    const node_settings each_;
    node_listener& listener_;
    const time::time_source& time_;
    core::random seeds_;
    network::io_source& io_;

    slot_council council_;
    slot_map map_;              ///< as it is agreed
    std::uint64_t layouts_ = 0; ///< that there were of it
    slot_map last_known_;       ///< with the last owner of slots on which there is no agreement for now
    time::instant believed_until_ = time::instant::max();
    std::unordered_map<std::uint16_t, time::instant> guarded_; ///< slots that take no votes before that
    time::instant guard_ends_ = time::instant::max();          ///< of the slots that moved last

    std::vector<std::unique_ptr<cluster_member>> members_; ///< first those that the address names
    std::vector<std::unique_ptr<cluster_member>> retired_; ///< to be stopped, and destroyed when idle
    time::instant look_at_retired_ = time::instant::max();
    held_requests held_;
    std::deque<errand> errands_; ///< those that are free among them
    std::vector<errand_number> free_;
    std::size_t bytes_ = 0; ///< of the commands of errands
    std::unordered_map<std::uint16_t, course> courses_;

    health state_ = health::connecting;
    server_info server_;
    std::string problem_; ///< the last that kept it from being ready
    errc last_error_{};
    time::instant give_up_at_ = time::instant::max(); ///< waiting for the first connection
    bool serves_ = false;                             ///< the listener takes it for ready
    bool is_new_ = true;                              ///< what an earlier connection carried may be lost
    bool stopped_ = false;
    time::instant ask_at_{};
    std::uint64_t quarantines_ = 0;
    std::uint64_t timeouts_ = 0;
    const std::shared_ptr<int> alive_ = std::make_shared<int>();
    const std::unique_ptr<network::wake_timer> timer_;
};

} // namespace redlock::node
