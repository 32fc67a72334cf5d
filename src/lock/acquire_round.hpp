#pragma once

#include "core/availability.hpp"
#include "lock/claim.hpp"
#include "lock/operation.hpp"
#include "lock/round.hpp"
#include "lock/runtime.hpp"

#include <chrono>
#include <cstdint>

namespace redlock::lock {

/// Asks all nodes for a key. Raises an event of its owner on the verdict, another when everything is settled.
///
/// A node whose key carries our own token (an earlier reply was lost) is asked to extend it, and that is its
/// vote.
class acquire_round final : public round {
public:
    acquire_round(runtime& r, operation& owner, unsigned decided_event, unsigned settled_event) noexcept
        : runtime_(r), owner_(owner), decided_event_(decided_event), settled_event_(settled_event) {}

    /// `life` is what the keys get. In `sight`, which may be null, it takes down what the nodes say of the
    /// key; a first try has none.
    void start(const claim& c, std::chrono::milliseconds life, core::availability* sight);
    void forget_sight() noexcept { sight_ = nullptr; }

    time::instant sent_at() const noexcept { return sent_at_; }

    /// The nodes that may hold our key now: all that were asked and did not say that they refused.
    std::uint64_t may_hold() const noexcept { return asked_ & ~refused_; }

private:
    enum kind : std::uint32_t { set_returning_holder, set_plain, extend_own };

    void send_set(std::uint32_t node);
    void answered(std::uint32_t tag, const resp::reply& reply) override;
    void set_answered(std::uint32_t node, kind k, const resp::reply& reply);
    void recognise_holder(std::uint32_t node, kind k, std::string_view holder);
    void extend_answered(std::uint32_t node, const resp::reply& reply);
    void set_failed(std::uint32_t node, kind k, std::string_view text);
    void extend(std::uint32_t node);
    void take(std::uint32_t node) noexcept;
    void refuse(std::uint32_t node) noexcept;
    addressee back(std::uint32_t node, kind k) noexcept;
    void decided() noexcept override { owner_.raise(decided_event_); }
    void all_settled() noexcept override { owner_.raise(settled_event_); }

    runtime& runtime_;
    operation& owner_;
    const unsigned decided_event_;
    const unsigned settled_event_;
    const claim* claim_ = nullptr;
    std::chrono::milliseconds life_{0};
    time::instant sent_at_{};
    std::uint64_t asked_ = 0;
    std::uint64_t refused_ = 0;
    core::availability* sight_ = nullptr;
};

} // namespace redlock::lock
