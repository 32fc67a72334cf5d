#pragma once

#include "engine/renewal.hpp"
#include "engines/etcd/claim.hpp"
#include "engines/etcd/errands.hpp"
#include "engines/etcd/inquiry.hpp"
#include "engines/etcd/rule/server_leases.hpp"
#include "engines/etcd/rule/transactions.hpp"
#include "turn/operation.hpp"

#include <chrono>
#include <cstdint>

namespace redlock::etcd {

class etcd_engine;

/// Makes a key for reading beside one that is held for writing, which stays. What comes of it when nobody
/// waits for it any more is given back, and of what nobody knows it is made void.
class downgrade final : public engine::errand,
                        public forsaken,
                        public detail::pooled,
                        private turn::operation,
                        private tenant {
public:
    downgrade(etcd_engine& by, claim_pointer held, claim_pointer reading, std::chrono::milliseconds life,
              engine::renewal_listener& told);

    void start();
    void let_go() noexcept override;

private:
    void send();
    void answered(const result& r);
    void failed(const failure& why);
    void has_key(messages::revision created);
    void decide(engine::outcome how, core::instant sent_at, errc why = errc{}) noexcept;

    void lease_lives() noexcept override;
    void lease_failed(errc why) noexcept override;
    void lease_is_lost() noexcept override;
    void events_came() override;

    etcd_engine& engine_;
    const claim_pointer held_;
    const claim_pointer reading_;
    const std::chrono::milliseconds life_;
    const core::instant asked_at_;
    engine::renewal_listener* told_; ///< null when nobody waits for it any more
    stand where_{};                  ///< the key for reading
    server_lease_pointer under_;
    std::uint64_t fencing_token_ = 0;
    bool is_sent_ = false;
    bool is_telling_ = false;
    engine::outcome outcome_{};
    core::instant sent_at_{};
    errc why_{};
};

} // namespace redlock::etcd
