#pragma once

#include "turn/live_list.hpp"

#include <redlock/detail/completion.hpp>
#include <redlock/detail/operations.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <functional>
#include <memory>

namespace redlock::primitive {
class permit_gates;
}

namespace redlock::lock {

class call;
class lessee;

/// What a call needs of the client that it was made to.
class call_desk {
public:
    // From any thread.
    /// That of nobody once it is gone.
    virtual const boost::asio::any_io_executor& executor() const noexcept = 0;
    /// Its executor's context was destroyed: no turn will ever take what is sent.
    virtual bool is_gone() const noexcept = 0;
    /// Does `what` in a turn of its own, behind all that was asked for before.
    virtual void do_later(std::function<void()> what) = 0;

    // On the strand.
    /// Has its executor deliver it, behind the others of this turn.
    virtual void deliver(detail::completion_pointer<detail::completion> c) = 0;
    /// The calls under way.
    virtual turn::live_list<call>& active() noexcept = 0;
    /// Those of this client. Of the layer of primitives.
    virtual primitive::permit_gates& permit_gates() noexcept = 0;
    /// Closes the client, and calls `closed` in a later turn, once everything has ended.
    virtual void close(std::function<void()> closed) = 0;

protected:
    ~call_desk() = default;
};

/// The part of a client that deals with leases; shares its life. Of the client layer, which knows how clients
/// are made.
std::shared_ptr<lessee> lessee_of(const detail::core_pointer& core);

} // namespace redlock::lock
