// leadership::async_proclaim and client::async_observe.

#include "lease/held_lease.hpp"
#include "lease/lock_request.hpp"
#include "lease/question_call.hpp"
#include "lease/request_text.hpp"
#include "primitive/election/proclaimed_value.hpp"
#include "turn/outcome.hpp"

#include <redlock/detail/operations.hpp>
#include <redlock/detail/pool.hpp>
#include <redlock/observer.hpp>

#include <memory>
#include <string>
#include <utility>

namespace redlock {
namespace primitive {

namespace {

class proclaim_call final : public lock::completing_call<>, private engine::proclamation_listener {
public:
    proclaim_call(const detail::lease_pointer& held, handler&& h, std::string&& value)
        : completing_call(held->owner(), std::move(h)), held_(held), value_(std::move(value)) {}

private:
    void begin() override {
        if (value_.size() > max_leader_value_size) {
            explain(errc::invalid_option, [&] { return text_of_long_value(value_.size()); });
            return complete_and_end(errc::invalid_option);
        }
        if (is_over()) return refuse();
        engine::proclamation_listener& listener = *this;
        errand_ = lessee().engine().proclaim(held_->claim(), held_->fencing_token(), value_, listener);
    }

    /// Also of a lease of another kind, which was put in the place of one that leads.
    bool is_over() const noexcept {
        return !held_->valid() || held_->wants_stop() || !held_->claim()->leads();
    }
    void refuse() {
        const errc why = held_->why_over();
        explain(why, [&] {
            const std::string key = lock::quoted_key(held_->key());
            return why == errc::closed
                       ? "the client was closed, and the lead of " + key + " has ended with it"
                       : "the lead of " + key + " is over: it was lost, or resigned";
        });
        complete_and_end(why);
    }
    void complete_and_end(errc outcome) {
        errand_.reset();
        complete(turn::code_of(outcome));
        end();
    }

    void proclaimed(engine::outcome decided, errc why, const engine::failure* more) noexcept override {
        if (is_over() || decided == engine::outcome::gone) return refuse();
        if (decided == engine::outcome::confirmed) {
            if (observer* o = lessee().observer()) o->proclaimed(held_->key(), value_);
            return complete_and_end(errc{});
        }
        explain(why, [&] {
            const std::string deed =
                "taken what the leader of " + lock::quoted_key(held_->key()) + " proclaims";
            return more ? more->describe(deed) : make_error_code(why).message();
        });
        complete_and_end(why);
    }

    void cancel() noexcept override {
        if (completed()) return;
        errand_.reset(); // whoever cancels keeps this for longer, and the answer may come in the same turn
        complete(boost::asio::error::operation_aborted);
        end();
    }
    void client_closes() noexcept override {
        if (!completed()) refuse();
    }

    const detail::lease_pointer held_;
    std::string value_;
    engine::errand_pointer<> errand_; ///< while it is under way
};

class observe_call final : public lock::question_call<leader_info, leader_info> {
public:
    observe_call(std::shared_ptr<lock::lessee> l, std::string&& name, leader_mark known, handler&& h)
        : question_call(std::move(l), std::move(h)), name_(std::move(name)), known_(known) {}

private:
    errc check() const override {
        if (const errc e = lock::check_key(name_, prefix().size()); e != errc{}) return e;
        return shared_lessee()->engine().has_leaders() ? errc{} : errc::unsupported;
    }
    engine::question_pointer ask(engine::engine& whom) override {
        return whom.observe(prefix() + name_, known_, *this);
    }
    std::string text_of_fault(errc why) const override {
        if (why == errc::unsupported) return std::string(no_leaders);
        return why == errc::closed
                   ? "the client is closed and observes no leader of " + lock::quoted_key(name_)
                   : lock::fault_text_of_key(name_, prefix().size());
    }
    std::string text_of_failure(const boost::system::error_code& why,
                                const engine::failure* more) const override {
        if (why == errc::closed)
            return "the client was closed while the leader of " + lock::quoted_key(name_) + " was observed";
        return more ? more->describe("said who leads " + lock::quoted_key(name_)) : why.message();
    }
    const std::string& prefix() const noexcept { return shared_lessee()->settings().key_prefix; }

    const std::string name_;
    const leader_mark known_;
};

} // namespace

} // namespace primitive

void detail::start_proclaim(const lease_pointer& held, std::string value, error_handler handler,
                            asio::cancellation_slot slot) {
    if (!held) {
        lock::explain_to(*handler, make_error_code(errc::lease_lost), [] {
            return std::string("the leadership is empty: it was never granted, or was moved from");
        });
        return lock::complete_for_nobody<>(std::move(handler), make_error_code(errc::lease_lost));
    }
    using primitive::proclaim_call;
    lock::call::send(std::allocate_shared<proclaim_call>(pool_allocator<proclaim_call>(), held,
                                                         std::move(handler), std::move(value)),
                     slot);
}

void detail::start_observe(const core_pointer& core, std::string name, leader_mark known,
                           leader_handler handler, asio::cancellation_slot slot) {
    lock::send_question<primitive::observe_call>(core, std::move(handler), slot, std::move(name), known);
}

} // namespace redlock
