#pragma once

#include "core/random.hpp"
#include "engines/redis/node/group/council.hpp"
#include "engines/redis/node/group/sentinel_link.hpp"
#include "engines/redis/node/group/whereabouts.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace redlock::node {

/// Finds the master of a group by asking all of its Sentinels once in a second, those that the address names
/// and those that these name, and at once when one of them tells of a fail-over.
///
/// All members are called on `strand`, or while nothing runs on it. `turns` is told when turns begin and end;
/// it, the time source and the source of I/O must live until `stop`.
class sentinel_group final : public whereabouts,
                             public std::enable_shared_from_this<sentinel_group>,
                             private link_listener {
public:
    sentinel_group(redis_node::strand on, const address& group, node_settings each, node_listener& turns,
                   const time::time_source& time, std::uint64_t seed,
                   network::io_source& over = network::real_io());

    void start();
    /// As `redis_node::stop`.
    void stop(std::function<void()> ended = {});
    /// As `redis_node::leave`.
    void leave() noexcept;

    /// In every turn, before anything is sent in it: what the Sentinels said may not count any more, although
    /// the timer that will say so has not been served. A process may have stood still.
    void look() {
        if (time_.now() >= believed_until_) decide();
    }

    const std::optional<master_place>& master() const noexcept override { return master_; }
    std::string problem() const override;
    errc failure() const override;
    std::chrono::nanoseconds belief() const noexcept override { return council_.life(); }
    void add(master_follower& told) override { followers_.push_back(&told); }
    void forget(master_follower& told) noexcept override { std::erase(followers_, &told); }

private:
    void meet(const endpoint& at);
    void forget_gone(const std::vector<sentinel_told>& others);
    void ask_all();
    void decide();
    void arm();
    unsigned different_ones() const noexcept;

    void sentinel_said(sentinel_link& from, testimony t, time::instant asked) override;
    void sentinel_knows_nothing(sentinel_link& from) override;
    void sentinels_told(const std::vector<sentinel_told>& others) override;
    void switched() override { ask_all(); }

    const redis_node::strand strand_;
    const address group_;
    const node_settings each_;
    node_listener& turns_;
    const time::time_source& time_;
    core::random seeds_;
    network::io_source& io_;
    council council_;
    std::vector<std::unique_ptr<sentinel_link>> links_; ///< first those that the address names
    const std::unique_ptr<network::wake_timer> timer_;
    time::instant ask_at_{};
    std::optional<master_place> master_;
    time::instant believed_until_ = time::instant::max(); ///< as long as nobody says anything new
    std::vector<master_follower*> followers_;
    bool stopped_ = false;
};

} // namespace redlock::node
