#include "lease/owned/owned_lock.hpp"

#include "core/mistake.hpp"
#include "lease/held_lease.hpp"
#include "lease/lessee.hpp"
#include "lease/owned/reentry.hpp"

#include <redlock/owner.hpp>

#include <atomic>
#include <utility>
#include <vector>

namespace redlock::lock {

void owned_lock::granted(detail::lease_pointer grant) {
    is_asked_for_ = false;
    if (planted(core::mistake::entered_anew)) is_lost_ = false;
    grant_ = std::move(grant);
    grant_->wait_lost(*this);
}

void owned_lock::not_granted() {
    is_asked_for_ = false;
    if (waiting_.empty()) {
        if (all_) all_->forget(*this);
        return;
    }
    owned_waiter& next = waiting_.front();
    next.unlink();
    next.asks_now();
}

bool owned_lock::is_over() const noexcept { return is_lost_ || grant_->is_over(); }

bool owned_lock::is_fenced() const noexcept { return grant_->fencing_token() != 0; }

bool owned_lock::writes() const noexcept { return grant_->claim()->writes(); }

detail::lease_pointer owned_lock::enter(std::chrono::milliseconds ttl, std::stop_source stop) {
    detail::lease_pointer entered(new held_lease(grant_, shared_from_this(), std::move(stop)));
    ++entries_;
    if (ttl > grant_->ttl()) {
        extension_.unlink();
        extension_.wanted_ttl = ttl;
        grant_->extend(extension_);
    }
    return entered;
}

void owned_lock::let_in() {
    turn::live_list<owned_waiter> all;
    all.swap(waiting_);
    while (!all.empty()) {
        owned_waiter& next = all.front();
        next.unlink();
        next.owner_has_it();
    }
}

void owned_lock::extend(lease_waiter& w) { grant_->extend(w); }

void owned_lock::leave(lease_waiter* told) noexcept {
    if (--entries_ > 0) {
        if (told)
            told->answered(!is_lost_ && grant_->valid() ? turn::success
                                                        : make_error_code(grant_->why_over()));
        return;
    }
    const auto alive = shared_from_this();
    if (all_) all_->forget(*this);
    turn::list_hook::unlink();
    extension_.unlink();
    const detail::lease_pointer last = std::move(grant_);
    if (!told) return last->drop();
    last->disown();
    last->unlock(*told);
}

// Of those that hear of it some may be given back at once.
void owned_lock::answered(const boost::system::error_code& outcome) noexcept {
    is_lost_ = true;
    std::vector<detail::lease_pointer> all;
    for (const reentry& each : leases_)
        all.emplace_back(&each.lease());
    for (const auto& each : all)
        each->grant_is_over(outcome);
}

owned_lock& owned_locks::at(std::uint64_t owner, std::string_view full_key) {
    std::shared_ptr<owned_lock>& found = locks_[name{owner, std::string(full_key)}];
    if (!found) found = std::make_shared<owned_lock>(*this, owner, full_key);
    return *found;
}

void owned_locks::forget(owned_lock& gone) noexcept {
    gone.all_ = nullptr;
    locks_.erase(locks_.find(name{gone.owner_, gone.full_key_}));
}

void owned_locks::abandon() noexcept {
    for (const auto& [named, lock] : locks_) {
        lock->all_ = nullptr;
        lock->leases_.clear();
        lock->waiting_.clear();
    }
    locks_.clear();
}

} // namespace redlock::lock

std::uint64_t redlock::detail::draw_owner() noexcept {
    static std::atomic<std::uint64_t> drawn{0};
    return ++drawn;
}
