#pragma once

#include "engines/redis/dialect/commands.hpp"
#include "engines/redis/dialect/session.hpp"
#include "engines/redis/node/node.hpp"
#include "turn/live_list.hpp"

#include <redlock/detail/pool.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace redlock::redis {

class quorum;
class release;

/// Sends one command to each node for several releases, and hands each of them its share of the answers. A
/// node that does not take it has the releases one by one. Owns itself: it exists until every node has
/// answered or let its deadline pass.
class joint_release final : private node::reply_receiver, public turn::list_hook, public detail::pooled {
public:
    /// Of claims that `joint_release_command` takes, on all nodes.
    static void start(quorum& q, std::span<release* const> members);

private:
    friend class quorum;

    joint_release(quorum& q, std::span<release* const> members);
    ~joint_release() = default;

    joint_release_command command();
    errc send(joint_release_command& c, std::uint32_t index);
    void send_to(joint_release_command& c, std::uint32_t index);
    template <class Share>
    void each(Share share) noexcept;
    /// The last statement of whoever calls it.
    void one_less() noexcept;

    void on_reply(reply_tag tag, const resp::reply& reply) noexcept override;
    void on_failure(reply_tag tag, errc why) noexcept override;

    quorum& quorum_;
    std::array<release*, joint_release_command::most_keys> members_;
    std::array<const claim*, joint_release_command::most_keys> claims_;
    std::uint32_t size_;
    std::uint32_t outstanding_ = 0;
};

} // namespace redlock::redis
