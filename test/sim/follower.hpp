#pragma once

#include "engine/question.hpp"
#include "sim/dice.hpp"
#include "sim/host.hpp"

#include <redlock/leader_info.hpp>

#include <string>

namespace redlock::sim {

class process;

/// Somebody who wants to know who leads, for as long as his process lives: asks for what differs from what he
/// knows, and now and then gives up and asks again.
class follower final : private engine::answer_listener<leader_info> {
public:
    follower(process& in, std::string name);
    follower(const follower&) = delete;
    follower& operator=(const follower&) = delete;

    void start();
    /// He stops once nobody leads any more.
    void wind_down();
    /// In a turn.
    void client_closes();
    bool is_resting() const noexcept { return !question_ && stops_; }

private:
    void ask();
    void give_up();
    void stop_if_nobody_leads();
    void told(const boost::system::error_code& ec, leader_info&& info,
              const engine::failure* more) noexcept override;

    process& process_;
    dice dice_;
    const std::string name_; ///< with the prefix
    leader_mark known_;
    bool knows_ = false; ///< was told something
    bool somebody_leads_ = false;
    bool winds_down_ = false;
    bool stops_ = false;
    engine::question_pointer question_; ///< while it is under way
    alarm next_;
    alarm impatience_;
};

} // namespace redlock::sim
