#pragma once

#include "core/quorum/tally.hpp"
#include "engines/redis/node/node.hpp"
#include "engines/redis/quorum/claim.hpp"
#include "lease/runtime.hpp"

#include <redlock/detail/pool.hpp>

#include <cstdint>
#include <memory>

namespace redlock::lock {

/// Asks the nodes whether any client listens to what happens to a key that this one holds (`PUBSUB NUMSUB`),
/// and tells the local queue of the key when a majority says that there is none. Owns itself until every node
/// has answered.
class listener_count final : public list_hook, public redlock::detail::pooled, private node::reply_receiver {
public:
    /// Nothing unless a majority of the nodes sends keyspace events: other ways of waiting cannot be seen.
    static void start(runtime& r, std::shared_ptr<const claim> c);

private:
    friend class runtime;
    listener_count(runtime& r, std::shared_ptr<const claim> c) noexcept : runtime_(r), claim_(std::move(c)) {}
    ~listener_count() = default;

    void on_reply(std::uint32_t tag, const resp::reply& reply) noexcept override;
    void on_failure(std::uint32_t tag, errc why) noexcept override;
    void after_request() noexcept;

    runtime& runtime_;
    std::shared_ptr<const claim> claim_;
    unsigned outstanding_ = 0;
    unsigned without_ = 0; ///< nodes to which nobody listens
    unsigned with_ = 0;    ///< those to which somebody does: one that waits may listen to a single node
};

} // namespace redlock::lock
