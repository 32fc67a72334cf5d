#pragma once

#include "lock/claim.hpp"
#include "lock/round.hpp"
#include "lock/runtime.hpp"

#include <redlock/detail/pool.hpp>

#include <cstdint>
#include <memory>

namespace redlock::lock {

/// Told how a release came out.
class release_listener {
public:
    /// 0: it was ours until now and a majority knows that it is free; `lease_lost`: a majority did not have
    /// it any more; `no_quorum`: a majority did not answer.
    virtual void released(errc outcome) noexcept = 0;

protected:
    ~release_listener() = default;
};

/// Deletes the keys of one claim on a set of nodes. Owns itself: it exists until every node has answered or
/// let its deadline pass, and leaves a debt with the runtime for each node that may not have been reached. It
/// belongs to no caller, so no cancellation reaches it.
class release final : public round, public list_hook, public detail::pooled {
public:
    static constexpr std::uint64_t all_nodes = ~std::uint64_t{0};

    /// `nodes` is a bit for each; `until` is when the keys run out by themselves. `listener` may be null.
    static void start(runtime& r, std::shared_ptr<const claim> c, std::uint64_t nodes, time::instant until,
                      release_listener* listener = nullptr);

    /// The listener is not interested any more.
    void forget_listener(const release_listener& l) noexcept {
        if (listener_ == &l) listener_ = nullptr;
    }
    /// Forgets the listener in whichever release has it.
    static void forget_listener(runtime& r, const release_listener& l) noexcept;

private:
    friend class runtime;
    release(runtime& r, std::shared_ptr<const claim> c, time::instant until,
            release_listener* listener) noexcept
        : round(r), claim_(std::move(c)), until_(until), listener_(listener) {}
    ~release() = default;

    void send_all(std::uint64_t nodes);
    enum kind : std::uint32_t { native, by_value, by_token };
    static script script_of(std::uint32_t k) noexcept {
        return k == by_token ? script::release_retold : script::release;
    }
    void send(std::uint32_t index);
    void answered(std::uint32_t tag, const resp::reply& reply) override;
    void refused(std::uint32_t tag, errc why);
    void unanswered(std::uint32_t tag, errc why) noexcept override;
    core::verdict judge() const noexcept override;
    void decided() noexcept override;
    void all_settled() noexcept override;

    std::shared_ptr<const claim> claim_;
    time::instant until_;
    release_listener* listener_;
};

} // namespace redlock::lock
