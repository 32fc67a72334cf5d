#pragma once

#include "core/flow/round_trips.hpp"
#include "engines/redis/examine/rights.hpp"
#include "engines/redis/node/connected_node.hpp"
#include "engines/redis/quorum/quorum.hpp"
#include "time/timer_queue.hpp"
#include "turn/routine_operation.hpp"

#include <redlock/node_examination.hpp>

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace redlock::redis {

/// Told that an examination came to its end.
class examination_listener {
public:
    virtual void examined() noexcept = 0;

protected:
    ~examination_listener() = default;
};

/// Examines one node over a connection of its own, which is let in where the one for locks is not: by a
/// replica, by the same server as another node. Each question waits for `step` at most.
class examine_node final : private turn::routine_operation,
                           private node::node_listener,
                           private node::reply_receiver,
                           private time::timer {
public:
    examine_node(quorum& r, std::uint32_t index, unsigned database, core::nanoseconds step,
                 examination_listener& listener);

    /// Where the node is to tell of itself, before `start`.
    node::node_listener& ear() noexcept { return *this; }
    /// Begins over this connection, which is not started yet.
    void start(std::unique_ptr<node::connected_node> connection);
    /// Ends the connection, and with it the examination. `ended` is called outside of turns.
    void stop(std::function<void()> ended);

    /// Once it was examined.
    node_examination& found() noexcept { return found_; }

private:
    enum event : unsigned { is_answered = 1, is_time = 2 };
    enum question : std::uint32_t { hello, round_trip, info, setting, subscription, right };

    turn::routine examine();
    void ask_for_time();
    void ask_for_settings();
    void ask_for_rights();
    void subscribe();
    void unsubscribe();
    bool wakeup_is_open() const;
    void conclude();

    /// The tag of one of the questions of a kind.
    reply_tag about(question kind, std::size_t which = 0) const noexcept {
        return reply_tag::of(index_, kind).in_form(which);
    }
    void ask(reply_tag tag, std::span<const std::string_view> words, bool subscription = false);
    void ask(reply_tag tag, std::initializer_list<std::string_view> words, bool subscription = false);
    void take_time(const resp::reply& reply);
    void take_setting(std::uint32_t which, const resp::reply& reply);
    void take_refusal(reply_tag tag, std::string_view words);
    void on_reply(reply_tag tag, const resp::reply& reply) noexcept override;
    void on_failure(reply_tag tag, errc why) noexcept override;
    void routine_ended() noexcept override { listener_.examined(); }
    void expired(time::instant) noexcept override { raise(is_time); }

    void on_node_ready(std::uint32_t, bool) noexcept override {}
    void on_node_down(std::uint32_t) noexcept override {}
    void on_push(std::uint32_t, const resp::reply&) noexcept override {}
    void on_turn_begin() noexcept override { quorum_.turns().begin(); }
    void on_turn_end() noexcept override { quorum_.turns().end(); }

    quorum& quorum_;
    const std::uint32_t index_;
    const core::nanoseconds step_;
    examination_listener& listener_;
    rights rights_;
    core::round_trips round_trips_;
    node_examination found_;
    unsigned outstanding_ = 0;
    errc failure_{}; ///< of a question that was not answered
    time::instant asked_at_;
    std::chrono::nanoseconds asked_at_day_{};
    std::unique_ptr<node::connected_node> connection_;
};

} // namespace redlock::redis
