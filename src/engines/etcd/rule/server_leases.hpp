#pragma once

#include "core/entropy.hpp"
#include "engines/etcd/rule/server_lease.hpp"

#include <chrono>
#include <memory>
#include <vector>

namespace redlock::etcd {

using server_lease_pointer = std::shared_ptr<server_lease>;

/// The leases of the server that one client has: one for each life that its keys have, and where a key is to
/// end by itself, one for that alone.
class server_leases {
public:
    explicit server_leases(core::entropy& random_bits) noexcept : random_bits_(random_bits) {}

    /// One that all keys with this life share.
    server_lease_pointer shared(std::chrono::milliseconds life);
    /// One for a single key, whose end is that of the key.
    server_lease_pointer own(std::chrono::milliseconds life);

    const std::vector<server_lease_pointer>& all() const noexcept { return all_; }
    /// When one of them needs something.
    core::instant due(core::instant now) noexcept;
    void forget(const server_lease& one) noexcept;
    void in_doubt() noexcept;

private:
    server_lease_pointer make(std::chrono::seconds ttl, bool is_shared);

    core::entropy& random_bits_;
    std::vector<server_lease_pointer> all_;
};

} // namespace redlock::etcd
