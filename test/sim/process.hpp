#pragma once

#include "core/entropy.hpp"
#include "engines/redis/node/group/sentinel_group.hpp"
#include "engines/redis/node/redis_node.hpp"
#include "sim/checker.hpp"
#include "sim/engine.hpp"
#include "sim/executor.hpp"
#include "sim/fence_watch.hpp"
#include "sim/group_addresses.hpp"
#include "sim/host.hpp"
#include "sim/io_source.hpp"
#include "sim/network.hpp"
#include "sim/strike.hpp"
#include "sim/trace.hpp"
#include "sim/weather.hpp"

#include <boost/asio/execution_context.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace redlock::sim {

class follower;
class inspector;
class lead_watch;
class user;

/// What the processes of a world share.
struct surroundings {
    event_queue& events;
    sim::network& network;
    sim::checker& checker;
    sim::trace& trace;
    const sim::weather& weather;
    boost::asio::execution_context& context;
    sim::inspector& inspector;
    occasion_listener& occasions;
    core::entropy& tokens;
    lead_watch& leaders;
};

/// One process that uses the library: what `lock::client_core` is in a real one, on a simulated host and
/// network, and the users who call it.
class process final : private turn::turn_listener, private turn::inbox_waker {
public:
    /// `client` is its place on the network, which the process that takes its place has again.
    process(const surroundings& s, std::uint32_t client, std::uint64_t seed);
    process(const process&) = delete;
    process& operator=(const process&) = delete;
    /// As if it were killed.
    ~process();

    void start();
    /// Users begin nothing new.
    void wind_down();
    /// As `client::async_close` does. `closed` comes in a later turn.
    void close(std::function<void()> closed);
    bool is_closing() const noexcept { return closing_; }

    std::uint32_t client() const noexcept { return client_; }
    /// Tells it from those that had its place before.
    std::uint64_t identity() const noexcept { return identity_; }
    sim::host& host() noexcept { return *host_; }
    dice& draws() noexcept { return dice_; }
    turn::turns& turns() noexcept { return parts_->turns; }
    sim::desk& desk() noexcept { return parts_->desk; }
    redis::quorum& quorum() noexcept { return parts_->engine.quorum(); }
    const std::shared_ptr<lock::lessee>& lessee() noexcept { return lessee_; }
    const surroundings& around() const noexcept { return around_; }
    bool winds_down() const noexcept { return winds_down_; }
    fence_watch& fences() noexcept { return fences_; }

    /// Whether the node takes requests, and since when it has without a break.
    bool is_ready(std::uint32_t server) const noexcept;
    nanoseconds ready_since(std::uint32_t server) const noexcept { return ready_since_[server]; }
    /// To be called from time to time.
    void note_readiness();
    /// What it asks of nodes may take longer than later on, for it is connecting.
    bool is_new() const noexcept;
    /// Whether it runs, and has run for a moment.
    bool is_attentive() const noexcept;
    bool is_resting() const noexcept;

    void turn(const std::function<void()>& what);

private:
    void turn_began() noexcept override {}
    void turn_ended(std::optional<time::instant> next) noexcept override;
    void wake() noexcept override;
    void flush_turn();
    void ring();
    void go_on_closing();

    const surroundings around_;
    const std::uint32_t client_;
    const nanoseconds made_at_;
    const std::uint64_t identity_;
    dice dice_;
    std::shared_ptr<sim::host> host_;
    std::optional<sim::io_source> io_;
    std::shared_ptr<client_parts> parts_;
    std::shared_ptr<lock::lessee> lessee_; ///< of those
    fence_watch fences_;
    std::vector<std::shared_ptr<node::sentinel_group>> groups_; ///< for each node, if they are such
    std::vector<std::unique_ptr<node::connected_node>> nodes_;
    std::vector<watched_node> watched_nodes_;
    std::vector<std::unique_ptr<node::connected_node>> ears_; ///< none for a cluster
    std::vector<bool> ear_started_;
    std::vector<nanoseconds> ready_since_;
    std::optional<alarm> alarm_;
    std::vector<std::unique_ptr<user>> users_;
    std::unique_ptr<follower> follower_; ///< where there are leaders
    std::function<void()> closed_;
    std::size_t connected_ = 0;
    bool flushing_ = false;
    bool flush_requested_ = false;
    bool puts_off_ = false; ///< the last flush that it might have done at once
    bool winds_down_ = false;
    bool closing_ = false;
    bool disconnecting_ = false;
};

} // namespace redlock::sim
