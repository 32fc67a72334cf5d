#pragma once

#include "engines/etcd/claim.hpp"
#include "engines/etcd/errand_under_lease.hpp"
#include "engines/etcd/inquiry.hpp"
#include "engines/etcd/rule/server_leases.hpp"
#include "engines/etcd/rule/transactions.hpp"

#include <chrono>
#include <cstdint>
#include <utility>

namespace redlock::etcd {

/// Makes a key for reading beside one that is held for writing, which stays. What comes of it when nobody
/// waits for it any more is given back, and of what nobody knows it is made void.
class downgrade final : public errand_under_lease {
public:
    downgrade(etcd_engine& by, claim_pointer held, claim_pointer reading, std::chrono::milliseconds life,
              engine::renewal_listener& told)
        : errand_under_lease(by, std::move(held), life, told), reading_(std::move(reading)) {}

    void start();

private:
    void answered(const result& r);
    void failed(const failure& why);
    void has_key(messages::revision created);

    void do_it() override;
    bool is_gone_with_lease() const noexcept override { return false; }

    const claim_pointer reading_;
    stand where_{}; ///< the key for reading
    server_lease_pointer under_;
    std::uint64_t fencing_token_ = 0;
};

} // namespace redlock::etcd
