#include "primitive/keys/set_member.hpp"

#include "lease/held_lease.hpp"
#include "lease/lessee.hpp"

#include <stop_token>
#include <utility>

namespace redlock::primitive {

void set_member::ask(const std::shared_ptr<lock::lessee>& l, const lock_options& options) {
    lock::acquire_listener& listener = *this;
    auto claim = l->engine().claim_key(
        l->settings().key_prefix, engine::key_name(detail::key_text(key_), options.mode), options.fencing);
    acquire_.emplace(l, std::move(claim), options, std::stop_source(std::nostopstate), listener,
                     lock::counted::part);
    acquire_->start();
}

bool set_member::is_valid() const noexcept { return held_ && !held_->is_over(); }

void set_member::give_back() noexcept {
    if (const detail::lease_pointer dropped = take()) dropped->give_up();
}

detail::lease_pointer set_member::take() noexcept {
    turn::list_hook::unlink();
    return std::move(held_);
}

void set_member::granted(detail::lease_pointer held) noexcept {
    held_ = std::move(held);
    held_->wait_lost(*this);
}

void set_member::not_granted(errc why, const engine::failure* more) noexcept {
    told_.member_refused(*this, why, more);
}

void set_member::acquire_over() noexcept {
    acquire_.reset();
    told_.member_settled();
}

void set_member::answered(const boost::system::error_code&) noexcept { told_.member_lost(); }

} // namespace redlock::primitive
