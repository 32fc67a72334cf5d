// lease_set::async_unlock and async_wait_lost.

#include "lease/call.hpp"
#include "lease/held_lease.hpp"
#include "lease/lease_waiter.hpp"
#include "lease/request_text.hpp"
#include "memory/fixed_array.hpp"

#include <redlock/detail/operations.hpp>
#include <redlock/lease_set.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

namespace redlock::primitive {

namespace {

constexpr const char* is_empty = "the set of leases is empty: it was never granted, or was moved from";
constexpr const char* some_are_missing = "a lease of the set was moved out of it";

/// Waits for something to happen to each of several leases.
class leases_call : public lock::completing_call<> {
public:
    leases_call(detail::lease_pointers&& held, handler&& h)
        : completing_call(held.front()->owner(), std::move(h)) {
        leases_.reserve(held.size());
        for (std::size_t i = 0; i < held.size(); ++i)
            leases_.emplace_back(*this, std::move(held[i]), i);
    }

protected:
    struct one final : lock::lease_waiter {
        one(leases_call& c, detail::lease_pointer&& h, std::size_t i)
            : of(c), held(std::move(h)), position(i) {}

        void answered(const boost::system::error_code& outcome) noexcept override {
            of.lease_answered(*this, outcome);
        }
        void hears_of(const boost::system::error_code& outcome,
                      const engine::failure& more) noexcept override {
            of.lease_explained(*this, outcome, more);
        }

        leases_call& of;
        const detail::lease_pointer held;
        const std::size_t position;
    };

    virtual void lease_answered(const one& which, const boost::system::error_code& outcome) = 0;
    virtual void lease_explained(const one&, const boost::system::error_code&, const engine::failure&) {}

    void complete_and_end(const boost::system::error_code& outcome) {
        complete(outcome);
        end();
    }
    /// The leases stay as they are.
    void cancel() noexcept override {
        if (completed()) return;
        for (one& each : leases_)
            each.unlink();
        complete_and_end(boost::asio::error::operation_aborted);
    }

    memory::fixed_array<one> leases_;
};

class set_unlock final : public leases_call {
public:
    /// `is_whole`: no lease of the set is missing.
    set_unlock(detail::lease_pointers&& held, handler&& h, bool is_whole)
        : leases_call(std::move(held), std::move(h)), is_whole_(is_whole) {}

private:
    void begin() override {
        do_alive([this] {
            under_way_ = leases_.size() + 1;
            for (one& each : leases_)
                each.held->unlock(each);
            one_is_done();
        });
    }

    void lease_explained(const one& which, const boost::system::error_code& outcome,
                         const engine::failure& more) override {
        if (which.position >= failed_) return;
        explain(outcome, [&] {
            return more.describe(
                fmt::format("confirmed the release of the lock {}", lock::quoted_key(which.held->key())));
        });
    }

    void lease_answered(const one& which, const boost::system::error_code& outcome) override {
        if (outcome && which.position < failed_) {
            failed_ = which.position;
            outcome_ = outcome;
            if (outcome == errc::lease_lost)
                explain(outcome, [&] {
                    return fmt::format("the lease of the lock {} had been lost, or unlocked before",
                                       lock::quoted_key(which.held->key()));
                });
        }
        one_is_done();
    }

    void one_is_done() {
        if (--under_way_ != 0) return;
        if (!outcome_ && !is_whole_) {
            outcome_ = make_error_code(errc::lease_lost);
            explain(outcome_, [] { return std::string(some_are_missing); });
        }
        complete_and_end(outcome_);
    }

    const bool is_whole_;
    std::size_t under_way_ = 0;
    std::size_t failed_ = leases_.size(); ///< the first that did not come out well
    boost::system::error_code outcome_;
};

class set_loss_wait final : public leases_call {
public:
    using leases_call::leases_call;

private:
    void begin() override {
        do_alive([this] {
            for (one& each : leases_)
                if (!completed()) each.held->wait_lost(each);
        });
    }

    void lease_answered(const one&, const boost::system::error_code& outcome) override {
        for (one& each : leases_)
            each.unlink();
        complete_and_end(outcome);
    }
};

/// Takes out those that were moved from. False when there were any.
bool take_out_empty(detail::lease_pointers& held) { return std::erase(held, nullptr) == 0; }

void complete_empty(detail::error_handler&& handler, const char* why) {
    lock::explain_to(*handler, make_error_code(errc::lease_lost), [&] { return std::string(why); });
    lock::complete_for_nobody<>(std::move(handler), make_error_code(errc::lease_lost));
}

template <class Call, class... Arguments>
void send(const boost::asio::cancellation_slot& slot, Arguments&&... arguments) {
    lock::call::send(
        std::allocate_shared<Call>(detail::pool_allocator<Call>(), std::forward<Arguments>(arguments)...),
        slot);
}

} // namespace

} // namespace redlock::primitive

namespace redlock::detail {

const asio::any_io_executor& executor_of(const lease_pointers& held) {
    const auto first = std::ranges::find_if(held, [](const lease_pointer& each) { return bool(each); });
    return first == held.end() ? executor_of_nobody() : executor_of(*first);
}

void start_unlock(lease_pointers held, error_handler handler, asio::cancellation_slot slot) {
    using namespace primitive;
    const bool is_whole = take_out_empty(held);
    if (held.empty()) return complete_empty(std::move(handler), is_empty);
    for (const lease_pointer& each : held)
        each->disown();
    send<set_unlock>(slot, std::move(held), std::move(handler), is_whole);
}

void start_wait_lost(lease_pointers held, error_handler handler, asio::cancellation_slot slot) {
    using namespace primitive;
    if (!take_out_empty(held) && !held.empty()) return complete_empty(std::move(handler), some_are_missing);
    if (held.empty()) return complete_empty(std::move(handler), is_empty);
    send<set_loss_wait>(slot, std::move(held), std::move(handler));
}

} // namespace redlock::detail
