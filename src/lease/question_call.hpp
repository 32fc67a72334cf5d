#pragma once

#include "engine/engine.hpp"
#include "lease/call.hpp"

#include <redlock/detail/operations.hpp>

#include <memory>
#include <string>
#include <utility>

namespace redlock::lock {

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
    /// What the engine has told, as the caller is to have it.
    virtual void came(Report&) noexcept {}
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
        came(report);
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

/// Sends it, or completes it where there is no client.
template <class Call, class Handler, class... Arguments>
void send_question(const detail::core_pointer& core, Handler&& handler,
                   const boost::asio::cancellation_slot& slot, Arguments&&... arguments) {
    if (!core) return Call::complete_without_client(std::forward<Handler>(handler));
    call::send(std::make_shared<Call>(lessee_of(core), std::forward<Arguments>(arguments)...,
                                      std::forward<Handler>(handler)),
               slot);
}

} // namespace redlock::lock
