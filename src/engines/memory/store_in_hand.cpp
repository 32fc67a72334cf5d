// What a test, or an operator, does to keys that are not theirs.

#include "core/validity.hpp"
#include "engines/memory/store.hpp"

namespace redlock::memory {

namespace {

constexpr std::uint64_t of_a_test = 0; ///< no claim has this number

} // namespace

void store::hold(std::string_view key, std::chrono::milliseconds life) {
    const std::lock_guard<std::mutex> locked(mutex_);
    find(key);
    entry& e = entries_[std::string(key)];
    drop_readers(e);
    if (e.holders_box && e.holder) {
        e.holders_box->lost_claims.push_back(*e.holder);
        notify(*e.holders_box);
    }
    e.holder = of_a_test;
    e.holders_box = nullptr;
    drop_leader(e);
    set_expiry(e, core::saturating_add(clock_.now(), core::saturating_nanoseconds(life)));
    e.fencing_token = 0;
}

bool store::take_away(std::string_view key, std::optional<tenure> from) {
    const std::lock_guard<std::mutex> locked(mutex_);
    entry* const e = find(key);
    if (!e) return false;
    if (!from) drop_readers(*e);
    if (from && (e->holder != from->claim || e->fencing_token != from->fencing_token)) return false;
    if (e->holders_box) {
        e->holders_box->lost_claims.push_back(*e->holder);
        notify(*e->holders_box);
    }
    pass_on(*e);
    forget_if_free(key);
    return true;
}

void store::fail_next(std::size_t requests, errc why) {
    const std::lock_guard<std::mutex> locked(mutex_);
    failing_ = requests;
    failure_ = why;
}

void store::let_time_pass(std::chrono::milliseconds time) {
    const std::lock_guard<std::mutex> locked(mutex_);
    clock_.put_forward(time);
    for (mailbox* const box : boxes_)
        notify(*box);
}

} // namespace redlock::memory
