#pragma once

#include "engines/etcd/line/joint_call.hpp"
#include "engines/etcd/rule/server_leases.hpp"
#include "engines/etcd/rule/transactions.hpp"

namespace redlock::etcd {

class contest;
class etcd_engine;

/// One try of a contest. What it took is given back when the contest was over before it was answered, and
/// what it may have taken, or may take yet, is made void.
class acquire_call final : public joint_part {
public:
    acquire_call(contest& wanted_by, etcd_engine& by, const stand& s, server_lease_pointer under, bool waits);
    /// The contest is over.
    void let_go() noexcept { contest_ = nullptr; }
    std::string_view subject() const noexcept override { return where_.queue; }

private:
    void answered(std::string_view response, core::instant sent_at) noexcept override;
    void failed(const failure& why) noexcept override;

    contest* contest_;
    etcd_engine& engine_;
    stand where_;
    const server_lease_pointer under_;
};

} // namespace redlock::etcd
