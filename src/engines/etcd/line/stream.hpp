#pragma once

#include "engines/etcd/line/exchange.hpp"
#include "engines/etcd/line/failure.hpp"
#include "engines/etcd/line/method.hpp"
#include "time/timer_queue.hpp"
#include "turn/live_list.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace redlock::etcd {

class line;
class traffic;

/// A method that takes and gives messages for as long as it is open: watches, keep-alives of leases. It
/// belongs to whoever made it, and may be opened again once it has ended. In a turn; destroyed while it is
/// open it is closed.
class stream : public turn::list_hook, private exchange, private time::timer {
public:
    /// Both outlive it.
    stream(const method& m, line& over) noexcept;
    stream(const stream&) = delete;
    stream& operator=(const stream&) = delete;
    virtual ~stream();

    /// While the line serves. Closes it first where it is open. What goes wrong is told later.
    void open();
    /// Ends it without a word.
    void close() noexcept;
    bool is_open() const noexcept { return open_; }

    /// While it is open: the message, as protobuf, leaves with the turn. At most 1 MiB waits for the server
    /// to take it; with more the stream ends, as with an answer that takes longer than the patience of the
    /// line, where one is `answered`: any message counts as one answer.
    void send(std::string_view message, bool answered);
    /// So many answers are to come.
    std::size_t awaited() const noexcept { return awaited_; }

    /// In a turn. It may close or open any stream, and destroy this one. The message is there until this
    /// returns.
    virtual void received(std::string_view message) noexcept = 0;
    /// In a turn: it is not open any more. The connection may be, or not; a member that has lost its leader
    /// is left. Likewise.
    virtual void ended(const failure& why) noexcept = 0;

private:
    friend class traffic;

    void has_news() noexcept override;
    void expired(time::instant now) noexcept override;

    traffic& over_;
    std::size_t awaited_ = 0;
    core::instant asked_at_{};
    bool open_ = false;
    bool graced_ = false;
};

} // namespace redlock::etcd
