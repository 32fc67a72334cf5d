#pragma once

#include "lease/call_desk.hpp"
#include "lease/lessee.hpp"
#include "turn/inbox.hpp"

#include <redlock/detail/completion.hpp>

#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>

#include <memory>
#include <new>
#include <string>
#include <utility>

namespace redlock::lock {

/// One asynchronous call by a user, from the initiation to its completion. It keeps itself alive in between,
/// so that its caller may go away; it is in the client's list meanwhile, so that its handler can be let go of
/// when the executor's context is destroyed.
class call : public turn::inbox_item, public turn::list_hook {
public:
    virtual ~call() = default;

    /// Sends it on its way to the strand, and lets the slot cancel it from any thread.
    static void send(std::shared_ptr<call> c, const boost::asio::cancellation_slot& slot) {
        call& sent = *c;
        sent.keep(std::move(c));
        send(sent, slot);
    }
    /// Likewise one that keeps itself alive already.
    static void send(call& c, const boost::asio::cancellation_slot& slot);

    /// The client begins to close: whatever goes on without its engine has to end.
    virtual void client_closes() noexcept {}
    /// The strand will never run again: lets go of everything without completing.
    void discard() noexcept final;

protected:
    /// `of` owns the client that it is part of, or something that keeps that alive.
    explicit call(std::shared_ptr<lock::lessee> of) noexcept : lessee_(std::move(of)) {}

    call_desk& desk() noexcept { return lessee_->desk(); }
    lock::lessee& lessee() noexcept { return *lessee_; }
    const std::shared_ptr<lock::lessee>& shared_lessee() const noexcept { return lessee_; }
    /// For what may end the call: without a count of owners going up and down, unless it does end.
    template <class Action>
    void do_alive(Action action) {
        auto alive = std::move(keep_);
        action();
        if (turn::list_hook::is_linked()) keep_ = std::move(alive);
    }

    /// From now on, until it is sent and at its end, or dropped.
    void keep(std::shared_ptr<call> itself) noexcept { keep_ = std::move(itself); }
    /// Instead of sending it.
    void drop() noexcept { const auto last = std::move(keep_); }

    /// On the strand.
    virtual void begin() = 0;
    virtual void cancel() noexcept = 0;
    /// Lets go of the handler without calling it.
    virtual void drop_handler() noexcept = 0;
    /// In the place of `begin`, on the caller's thread: the strand will never run again.
    virtual void client_is_gone() = 0;

    /// Nothing is under way any more: the last statement of whoever calls it.
    void end() noexcept {
        unlink();
        keep_.reset();
    }

private:
    void heed(boost::asio::cancellation_slot slot);
    void arrive() noexcept final;

    std::shared_ptr<lock::lessee> lessee_;
    std::shared_ptr<call> keep_;
};

/// Puts down what `describe` says of a failure, if the handler wants to hear it and there is memory for it.
template <class Describe>
void explain_to(detail::completion& handler, const boost::system::error_code& failure, Describe describe) {
    detail::diagnostics* const place = handler.wanted_diagnostics();
    if (!place) return;
    try {
        place->reset(new detail::diagnosis{failure, describe()});
    } catch (const std::bad_alloc&) {
        place->reset(); // the code alone, then
    }
}

/// Of a call that no client takes: on the handler's executor, else on that of nobody. `why` is that of
/// `errc::closed`.
template <class... Results>
void complete_for_nobody(detail::completion_pointer<detail::open_completion<Results...>> handler,
                         const boost::system::error_code& ec, const char* why = "the client was moved from") {
    if (ec == errc::closed) explain_to(*handler, ec, [&] { return std::string(why); });
    handler->set(ec, Results()...);
    handler.release()->post(); // nobody's executor is never a client's loop
}

/// A call with a handler of one kind.
template <class... Results>
class completing_call : public call {
public:
    using handler = detail::completion_pointer<detail::open_completion<Results...>>;

protected:
    explicit completing_call(std::shared_ptr<lock::lessee> of, handler&& h = {}) noexcept
        : call(std::move(of)), handler_(std::move(h)) {}

    /// Before it is sent.
    void set_handler(handler&& h) noexcept { handler_ = std::move(h); }

    bool completed() const noexcept { return !handler_; }
    /// Before it completes with this failure: whoever wants to hear more than the code is told what
    /// `describe` gives.
    template <class Describe>
    void explain(const boost::system::error_code& failure, Describe describe) noexcept {
        explain_to(*handler_, failure, std::move(describe));
    }
    template <class Describe>
    void explain(errc failure, Describe describe) noexcept {
        explain(make_error_code(failure), std::move(describe));
    }
    /// With the end of this turn.
    void complete(const boost::system::error_code& ec, Results... results) {
        handler_->set(ec, std::move(results)...);
        desk().deliver(std::move(handler_));
    }
    void drop_handler() noexcept override { const handler dropped(std::move(handler_)); }
    void client_is_gone() override {
        complete_for_nobody<Results...>(take_handler(), make_error_code(errc::closed),
                                        "the execution context of the client was destroyed");
    }
    handler take_handler() noexcept { return std::move(handler_); }

private:
    handler handler_;
};

} // namespace redlock::lock
