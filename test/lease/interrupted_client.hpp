#pragma once

#include "lease_fixture.hpp"

#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>

#include <memory>
#include <optional>
#include <ostream>

namespace redlock::test {

/// How an operation that is under way is interrupted.
enum class interruption { terminal, partial, total, client_closed, client_gone, loop_gone };
inline constexpr interruption interruptions[] = {interruption::terminal,    interruption::partial,
                                                 interruption::total,       interruption::client_closed,
                                                 interruption::client_gone, interruption::loop_gone};
/// Whether it ends whatever the client has.
constexpr bool ends_leases(interruption i) {
    return i == interruption::client_closed || i == interruption::client_gone;
}
inline std::ostream& operator<<(std::ostream& out, interruption i) {
    return out << "by " << static_cast<int>(i);
}

/// A client on a loop of its own, which goes step by step and may be interrupted in between.
struct interrupted_client {
    explicit interrupted_client(const config& settings)
        : locks(std::in_place, loop->get_executor(), settings) {}

    void interrupt(interruption how) {
        switch (how) {
        case interruption::terminal:
            return cancel.emit(boost::asio::cancellation_type::terminal);
        case interruption::partial:
            return cancel.emit(boost::asio::cancellation_type::partial);
        case interruption::total:
            return cancel.emit(boost::asio::cancellation_type::total);
        case interruption::client_closed:
            return locks->async_close(closed.handler());
        case interruption::client_gone:
            return locks.reset();
        case interruption::loop_gone:
            return loop.reset();
        }
    }

    bool step() {
        loop->restart();
        return loop->poll_one() > 0;
    }
    void settle() {
        while (loop && step())
            continue;
    }

    std::unique_ptr<boost::asio::io_context> loop = std::make_unique<boost::asio::io_context>(1);
    boost::asio::cancellation_signal cancel;
    outcome<> closed;
    std::optional<client> locks;
};

} // namespace redlock::test
