#pragma once

#include "engines/redis/node/node.hpp"
#include "engines/redis/rounds/joint_kinds.hpp"
#include "turn/live_list.hpp"

#include <redlock/detail/pool.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace redlock::redis {

class quorum;

/// Sends one command to each node for several rounds of one kind, and hands each of them its share
/// of the answers. A node that does not take it has them one by one. Owns itself: it exists until every node
/// has answered or let its deadline pass.
template <class Kind>
class joint_round final : private node::reply_receiver, public turn::list_hook, public detail::pooled {
public:
    using member = typename Kind::member;

    /// Of claims that the command takes, on all nodes.
    static void start(quorum& q, std::span<member* const> members);

private:
    friend class quorum;
    using command = typename Kind::command;

    joint_round(quorum& q, std::span<member* const> members);
    ~joint_round() = default;

    command made() const;
    errc send(command& c, std::uint32_t index);
    void send_to(command& c, std::uint32_t index);
    template <class Share>
    void each(Share share) noexcept;
    /// The last statement of whoever calls it.
    void one_less() noexcept;

    void on_reply(reply_tag tag, const resp::reply& reply) noexcept override;
    void on_failure(reply_tag tag, errc why) noexcept override;

    quorum& quorum_;
    std::array<member*, command::most_keys> members_;
    std::array<const claim*, command::most_keys> claims_;
    std::uint32_t size_;
    std::uint32_t outstanding_ = 0;
};

extern template class joint_round<joint_releases>;
extern template class joint_round<joint_reads>;
extern template class joint_round<joint_renewals>;
extern template class joint_round<joint_advances>;

} // namespace redlock::redis
