// client::async_check, async_inspect, async_break and async_examine.

#include "engine/engine.hpp"
#include "lease/call.hpp"
#include "lease/lock_request.hpp"
#include "lease/request_text.hpp"

#include <redlock/detail/operations.hpp>

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

namespace redlock {
namespace lock {

namespace {

/// A call that puts a question to the engine. When it is cancelled it completes at once; the engine takes in
/// what is still to come.
template <class Report, class... Results>
class question_call : public completing_call<Results...>, protected engine::answer_listener<Report> {
public:
    static void complete_without_client(typename completing_call<Results...>::handler h) {
        complete_for_nobody<Results...>(std::move(h), make_error_code(errc::closed));
    }

protected:
    using base = completing_call<Results...>;
    using typename base::handler;

    question_call(std::shared_ptr<lock::lessee> l, handler&& h) : base(std::move(l), std::move(h)) {}

    /// 0, or why the question cannot be asked.
    virtual errc check() const = 0;
    virtual engine::question_pointer ask(engine::engine& whom) = 0;
    /// What there is to say of a question that cannot be asked.
    virtual std::string text_of_fault(errc why) const = 0;
    /// Of one that was answered with a failure.
    virtual std::string text_of_failure(const boost::system::error_code& why, const engine::failure*) const {
        return why.message();
    }

private:
    void begin() final {
        errc refusal = check();
        if (refusal == errc{} && this->lessee().closing()) refusal = errc::closed;
        if (refusal != errc{}) {
            this->explain(refusal, [&] { return text_of_fault(refusal); });
            return give_up(make_error_code(refusal));
        }
        question_ = ask(this->lessee().engine());
        question_->start();
    }

    void told(const boost::system::error_code& ec, Report&& report,
              const engine::failure* more) noexcept final {
        if (ec) this->explain(ec, [&] { return text_of_failure(ec, more); });
        if constexpr (sizeof...(Results) == 0)
            this->complete(ec);
        else
            this->complete(ec, std::move(report));
        this->end();
    }

    void give_up(const boost::system::error_code& why) {
        question_.reset();
        this->complete(why, Results()...);
        this->end();
    }

    void cancel() noexcept final {
        if (!this->completed()) give_up(boost::asio::error::operation_aborted);
    }
    void drop_handler() noexcept final {
        question_.reset();
        base::drop_handler();
    }
    void client_closes() noexcept final {
        if (question_) question_->client_closes();
    }

    engine::question_pointer question_;
};

class check_call final : public question_call<engine::no_report> {
public:
    check_call(std::shared_ptr<lock::lessee> l, std::string&& key, std::uint64_t fencing_token, handler&& h)
        : question_call(std::move(l), std::move(h)), key_(std::move(key)), fencing_token_(fencing_token) {}

private:
    errc check() const override { return check_key(key_, prefix().size()); }
    engine::question_pointer ask(engine::engine& whom) override {
        return whom.check(prefix() + key_, fencing_token_, *this);
    }
    std::string text_of_fault(errc why) const override {
        return why == errc::closed ? "the client is closed and checks no lock " + quoted_key(key_)
                                   : fault_text_of_key(key_, prefix().size());
    }
    std::string text_of_failure(const boost::system::error_code& why,
                                const engine::failure* more) const override {
        if (why == errc::lease_lost)
            return fmt::format("the lock {} is not held with the fencing token {} any more", quoted_key(key_),
                               fencing_token_);
        return more ? more->describe("said who holds the lock " + quoted_key(key_)) : why.message();
    }
    const std::string& prefix() const noexcept { return shared_lessee()->settings().key_prefix; }

    const std::string key_;
    const std::uint64_t fencing_token_;
};

class inspect_call final : public question_call<key_report, key_report> {
public:
    inspect_call(std::shared_ptr<lock::lessee> l, std::string&& key, handler&& h)
        : question_call(std::move(l), std::move(h)), key_(std::move(key)) {}

private:
    errc check() const override { return check_key(key_, prefix().size()); }
    engine::question_pointer ask(engine::engine& whom) override {
        return whom.inspect(prefix() + key_, *this);
    }
    std::string text_of_fault(errc why) const override {
        return why == errc::closed ? "the client is closed and inspects no lock " + quoted_key(key_)
                                   : fault_text_of_key(key_, prefix().size());
    }
    const std::string& prefix() const noexcept { return shared_lessee()->settings().key_prefix; }

    const std::string key_;
};

class break_call final : public question_call<break_report, break_report> {
public:
    break_call(std::shared_ptr<lock::lessee> l, key_report&& shown, handler&& h)
        : question_call(std::move(l), std::move(h)), shown_(std::move(shown)) {}

private:
    /// Whether it is a report on a lock, made by a client with this prefix.
    errc check() const override {
        const std::string& prefix = shared_lessee()->settings().key_prefix;
        if (!shown_.key.starts_with(prefix)) return errc::invalid_key;
        return check_key(std::string_view(shown_.key).substr(prefix.size()), prefix.size());
    }
    engine::question_pointer ask(engine::engine& whom) override { return whom.remove(shown_, *this); }
    std::string text_of_fault(errc why) const override {
        const std::string& prefix = shared_lessee()->settings().key_prefix;
        const std::string key = quoted_key(shown_.key);
        if (why == errc::closed) return "the client is closed and breaks no lock " + key;
        if (!shown_.key.starts_with(prefix))
            return fmt::format("the key {} of the report given to async_break does not begin with {} "
                               "(config::key_prefix)",
                               key, quoted_key(prefix));
        return fault_text_of_key(std::string_view(shown_.key).substr(prefix.size()), prefix.size());
    }
    std::string text_of_failure(const boost::system::error_code& why, const engine::failure*) const override {
        if (why != errc::invalid_option) return why.message();
        return fmt::format("the report given to async_break, of the key {}, is not one on the nodes of this "
                           "client",
                           quoted_key(shown_.key));
    }

    key_report shown_;
};

class examine_call final
    : public question_call<std::vector<node_examination>, std::vector<node_examination>> {
public:
    using question_call::question_call;
    examine_call(std::shared_ptr<lock::lessee> l, handler&& h) : question_call(std::move(l), std::move(h)) {}

private:
    errc check() const override { return errc{}; }
    std::string text_of_fault(errc) const override { return "the client is closed and examines no node"; }
    engine::question_pointer ask(engine::engine& whom) override { return whom.examine(*this); }
};

template <class Call, class Handler, class... Arguments>
void send(const detail::core_pointer& core, Handler&& handler, const boost::asio::cancellation_slot& slot,
          Arguments&&... arguments) {
    if (!core) return Call::complete_without_client(std::forward<Handler>(handler));
    call::send(std::make_shared<Call>(lessee_of(core), std::forward<Arguments>(arguments)...,
                                      std::forward<Handler>(handler)),
               slot);
}

} // namespace

} // namespace lock

void detail::start_check(const core_pointer& core, std::string key, std::uint64_t fencing_token,
                         error_handler handler, asio::cancellation_slot slot) {
    lock::send<lock::check_call>(core, std::move(handler), slot, std::move(key), fencing_token);
}

void detail::start_inspect(const core_pointer& core, std::string key, inspect_handler handler,
                           asio::cancellation_slot slot) {
    lock::send<lock::inspect_call>(core, std::move(handler), slot, std::move(key));
}

void detail::start_break(const core_pointer& core, key_report shown, break_handler handler,
                         asio::cancellation_slot slot) {
    lock::send<lock::break_call>(core, std::move(handler), slot, std::move(shown));
}

void detail::start_examine(const core_pointer& core, examine_handler handler, asio::cancellation_slot slot) {
    lock::send<lock::examine_call>(core, std::move(handler), slot);
}

} // namespace redlock
