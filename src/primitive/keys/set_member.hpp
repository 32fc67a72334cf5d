#pragma once

#include "engine/claim.hpp"
#include "lease/acquire/acquire.hpp"
#include "lease/lease_waiter.hpp"

#include <redlock/detail/operations.hpp>

#include <cstddef>
#include <memory>
#include <optional>

namespace redlock::primitive {

class set_member;

/// Told of a key of a set.
class set_listener {
public:
    /// It is somebody else's, or could not be had: while its acquire is there. 0 stands for "cancelled".
    virtual void member_refused(const set_member& m, errc why, const engine::failure* more) noexcept = 0;
    /// After that, or after it was granted.
    virtual void member_settled() noexcept = 0;
    virtual void member_lost() noexcept = 0;

protected:
    ~set_listener() = default;
};

/// One key of a set, asked for as often as it takes.
class set_member final : private lock::acquire_listener, private lock::lease_waiter {
public:
    set_member(set_listener& told, std::string_view key, std::size_t in_order)
        : position(in_order), told_(told), key_(key) {}

    /// May settle at once.
    void ask(const std::shared_ptr<lock::lessee>& l, const lock_options& options);
    void cancel() noexcept {
        if (acquire_ && !held_) acquire_->cancel();
    }
    bool is_held() const noexcept { return held_ != nullptr; }
    /// Held, and not about to stop.
    bool is_valid() const noexcept;
    /// Whatever is held, in the background.
    void give_back() noexcept;
    /// For the caller.
    detail::lease_pointer take() noexcept;

    std::string_view key() const noexcept { return key_; }
    /// While it is refused.
    lock::acquire::account account() const noexcept { return acquire_->told(); }

    const std::size_t position; ///< in the order in which keys are waited for

private:
    void granted(detail::lease_pointer held) noexcept override;
    void not_granted(errc why, const engine::failure* more) noexcept override;
    void acquire_over() noexcept override;
    void answered(const boost::system::error_code& outcome) noexcept override;

    set_listener& told_;
    const detail::key_text key_;
    std::optional<lock::acquire> acquire_; ///< while it is asked for
    detail::lease_pointer held_;
};

} // namespace redlock::primitive
