#pragma once

#include "core/quorum/tally.hpp"
#include "engines/redis/node/node.hpp"
#include "engines/redis/quorum/claim.hpp"
#include "engines/redis/quorum/quorum.hpp"

#include <redlock/detail/pool.hpp>

#include <cstdint>
#include <memory>

namespace redlock::redis {

/// Asks the nodes whether any client listens to what happens to a key that this one holds (`PUBSUB NUMSUB`),
/// and tells when a majority says that there is none. Owns itself until every node
/// has answered.
class listener_count final : public turn::list_hook,
                             public redlock::detail::pooled,
                             private node::reply_receiver {
public:
    /// Nothing unless a majority of the nodes sends keyspace events: other ways of waiting cannot be seen.
    static void start(quorum& r, std::shared_ptr<const claim> c, engine::others_listener& listener);

private:
    friend class quorum;
    listener_count(quorum& r, std::shared_ptr<const claim> c, engine::others_listener& listener) noexcept
        : quorum_(r), claim_(std::move(c)), listener_(listener) {}
    ~listener_count() = default;

    void on_reply(reply_tag tag, const resp::reply& reply) noexcept override;
    void on_failure(reply_tag tag, errc why) noexcept override;
    void after_request() noexcept;

    quorum& quorum_;
    std::shared_ptr<const claim> claim_;
    engine::others_listener& listener_;
    unsigned outstanding_ = 0;
    unsigned without_ = 0; ///< nodes to which nobody listens
    unsigned with_ = 0;    ///< those to which somebody does: one that waits may listen to a single node
};

} // namespace redlock::redis
