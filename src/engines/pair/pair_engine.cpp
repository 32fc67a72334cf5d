#include "engines/pair/pair_engine.hpp"

#include <redlock/detail/pool.hpp>

#include <utility>

namespace redlock::pair {

namespace {

std::string_view prefix_of(const claim& c) noexcept {
    const std::string_view whole = c.full_key.view();
    return whole.substr(0, whole.size() - c.key().size() - c.permit().size());
}

} // namespace

pair_engine::pair_engine(std::unique_ptr<seam::engine> first, std::unique_ptr<seam::engine> second,
                         turn::turns& t)
    : turns_(t), first_(std::move(first)), second_(std::move(second)) {
    first_->set_loss_listener(at_first_);
    first_->set_holders(at_first_);
    second_->set_loss_listener(at_second_);
    second_->set_holders(at_second_);
}

pair_engine::~pair_engine() {
    disconnect();
    abandon();
}

const seam::claim* pair_engine::holder_of(std::string_view full_key) const noexcept {
    return holders_ ? holders_->holder_of(full_key) : nullptr;
}

bool pair_engine::has_left(std::string_view full_key,
                           const std::function<bool(const seam::claim&)>& is_it) const {
    return holders_ && holders_->has_left(full_key, is_it);
}

void pair_engine::start() {
    first_->start();
    second_->start();
}

seam::claim_pointer pair_engine::claim_key(std::string_view prefix, seam::key_name&& key, bool fencing) {
    seam::claim_pointer of_first = first_->claim_key(prefix, seam::key_name(key), false);
    seam::claim_pointer of_second = second_->claim_key(prefix, seam::key_name(key), fencing);
    return std::allocate_shared<const claim>(detail::pool_allocator<claim>(), prefix, std::move(key),
                                             std::move(of_first), std::move(of_second));
}

seam::claim_pointer pair_engine::claim_again(const seam::claim& before, std::string_view, bool fencing) {
    return claim_anew(own(before), fencing);
}

claim_pointer pair_engine::claim_anew(const claim& before, bool fencing) {
    const std::string_view prefix = prefix_of(before);
    return std::allocate_shared<const claim>(detail::pool_allocator<claim>(), before,
                                             first_->claim_again(*before.first, prefix, false),
                                             second_->claim_again(*before.second, prefix, fencing));
}

seam::contest& pair_engine::contend(seam::wish&& w, seam::contest_listener& listener) {
    return *new contest(*this, std::move(w), listener);
}

seam::errand_pointer<> pair_engine::renew(seam::claim_pointer held, std::chrono::milliseconds life,
                                          std::uint64_t fencing_token, seam::renewal_listener& listener) {
    return seam::errand_pointer<>(new renewal(*this, own(*held), life, fencing_token, listener));
}

seam::errand_pointer<> pair_engine::advance_token(const seam::claim_pointer& held,
                                                  seam::token_listener& listener) {
    return second_->advance_token(own(*held).second, listener);
}

void pair_engine::release(seam::claim_pointer held, core::instant keys_end, turn::outcome_waiters&& told,
                          bool lost) {
    (new pair::release(*this, own(std::move(held)), keys_end, std::move(told), lost))->start();
}

void pair_engine::give_back_first(seam::claim_pointer held, core::instant keys_end) {
    first_->release(std::move(held), keys_end);
}

// Who waits for a key waits at the first, but for the one that has it there.
bool pair_engine::others_waited_longer(const seam::claim& held, const seam::claim& next) const noexcept {
    return first_->others_waited_longer(*own(held).first, *own(next).first);
}

void pair_engine::look_for_others(seam::claim_pointer held, seam::others_listener& listener) {
    first_->look_for_others(own(*held).first, listener);
}

void pair_engine::before_routines() noexcept {
    first_->before_routines();
    second_->before_routines();
}

// What the second fails at once is given back to the first in the same turn, here or by what is ready then.
bool pair_engine::send_what_waits(bool flushes) noexcept {
    const bool second_again = second_->send_what_waits(flushes);
    const bool first_again = first_->send_what_waits(flushes);
    return first_again || second_again || !turns_.ready().empty();
}

void pair_engine::after_routines() noexcept {
    first_->after_routines();
    second_->after_routines();
}

bool pair_engine::has_unwritten() const noexcept {
    return first_->has_unwritten() || second_->has_unwritten();
}

bool pair_engine::is_busy() const noexcept { return first_->is_busy() || second_->is_busy(); }

void pair_engine::flush() noexcept {
    first_->flush();
    second_->flush();
}

void pair_engine::begin_closing() noexcept {
    first_->begin_closing();
    second_->begin_closing();
}

bool pair_engine::quiet() const noexcept {
    return contests_.empty() && releases_.empty() && first_->quiet() && second_->quiet();
}

void pair_engine::stop(std::function<void()> ended) {
    ended_ = std::move(ended);
    running_ = 2;
    const auto one_ended = [this] {
        if (--running_ > 0) return;
        const std::function<void()> told = std::exchange(ended_, {}); // may be the end of this
        if (told) told();
    };
    first_->stop(one_ended);
    second_->stop(one_ended);
}

void pair_engine::leave() noexcept {
    first_->leave();
    second_->leave();
}

void pair_engine::fail_all() {
    first_->fail_all();
    second_->fail_all();
}

void pair_engine::disconnect() noexcept {
    first_->disconnect();
    second_->disconnect();
    // It refers to whoever owns this, and will not be called any more.
    const auto last = std::exchange(ended_, {});
}

void pair_engine::abandon() noexcept {
    first_->abandon();
    second_->abandon();
    while (!contests_.empty())
        delete &contests_.front();
    while (!releases_.empty())
        delete &releases_.front();
}

} // namespace redlock::pair
