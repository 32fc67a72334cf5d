#pragma once

#include "core/instant.hpp"
#include "engines/etcd/line/call.hpp"
#include "engines/etcd/line/connection.hpp"
#include "engines/etcd/line/failure.hpp"
#include "engines/etcd/line/stream.hpp"
#include "turn/live_list.hpp"
#include "turn/turns.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace redlock::etcd {

/// Told what the answers, and those that do not come, say of the connection. In a turn; it may end the
/// connection then.
class traffic_listener {
public:
    /// Something was done as it was asked.
    virtual void member_works() noexcept = 0;
    /// The member knows of no leader.
    virtual void leader_is_missing() = 0;
    /// The token is not good any more; what it was for waits for another one.
    virtual void token_is_spent() = 0;
    /// For as long as the patience nothing that was asked was answered.
    virtual void nothing_is_answered(const std::string& text) = 0;

protected:
    ~traffic_listener() = default;
};

/// The calls and streams of a line: those that wait for a connection, and those that are under way over the
/// one there is. On the strand.
class traffic {
public:
    traffic(turn::turns& t, core::nanoseconds patience, traffic_listener& told)
        : turns_(t), patience_(patience), told_(told) {}
    traffic(const traffic&) = delete;
    traffic& operator=(const traffic&) = delete;
    ~traffic() { abandon(); }

    // Of calls and streams, in a turn.
    void submit(call& c) noexcept;
    /// Past those that wait, and without the token, which is refused for a log-in, too.
    void begin(call& c) noexcept;
    void cancel(call& c) noexcept;
    void take_end(call& c) noexcept;
    void out_of_time(call& c) noexcept;
    void open(stream& s) noexcept;
    void send(stream& s, bool answered);
    void close(stream& s) noexcept;
    void take_news(stream& s) noexcept;
    void out_of_time(stream& s) noexcept;

    // Of the line.

    void use(std::shared_ptr<connection> link) noexcept { link_ = std::move(link); }
    void set_token(std::string token) {
        token_ = std::move(token);
        ++tokens_;
    }
    /// What waits is begun with, in order, as far as there is room. False when the connection takes no more.
    bool begin_waiting() noexcept;
    /// In a turn: tells what has come, for as long as the connection is there.
    void take_news();
    /// The connection is gone: what it was sent fails, and every stream ends; what was not sent waits again.
    void lose(const failure& why) noexcept;
    void end_streams(const failure& why) noexcept;
    /// But those that outlast connections, unless `all` are meant.
    void fail_waiting(const failure& why, bool all) noexcept;
    /// The connection is gone, without a word.
    void disconnect() noexcept { link_.reset(); }
    void abandon() noexcept;

    bool has_waiting() const noexcept { return !waiting_.empty() || !opening_.empty(); }
    /// Some of it can be begun with.
    bool can_begin() const noexcept { return !opening_.empty() || has_room(); }
    bool has_several_waiting() const noexcept { return turn::has_several(waiting_); }
    bool has_under_way() const noexcept { return !under_way_.empty(); }
    bool awaits_anything() const noexcept { return has_under_way() || !streams_.empty(); }
    std::uint64_t calls() const noexcept { return calls_; }
    std::uint64_t timeouts() const noexcept { return timeouts_; }
    core::nanoseconds round_trip() const noexcept { return round_trip_; }

private:
    /// For what has arrived in time.
    static constexpr std::chrono::milliseconds time_to_read{10};

    bool begins(call& c, std::string_view token) noexcept;
    bool has_room() const noexcept;
    core::nanoseconds patience_of(const call& c) const noexcept;
    void arm(call& c) noexcept;
    bool asks_again(call& c) noexcept;
    void wait_again(call& c) noexcept;
    void answer(call& c) noexcept;
    void note_answer() noexcept;
    void end(stream& s, const failure& why) noexcept;
    bool reads_first(bool& graced) noexcept;
    bool is_quiet_since(core::instant asked) const noexcept;

    turn::turns& turns_;
    const core::nanoseconds patience_;
    traffic_listener& told_;
    std::shared_ptr<connection> link_;
    std::string token_;
    std::uint32_t tokens_ = 0; ///< there have been
    turn::live_list<call> waiting_;
    turn::live_list<call> under_way_;
    turn::live_list<stream> opening_; ///< that wait for the flush
    turn::live_list<stream> streams_; ///< that are under way
    core::instant answered_at_{};     ///< the last of all
    std::uint64_t calls_ = 0;
    std::uint64_t timeouts_ = 0;
    core::nanoseconds round_trip_{};
};

} // namespace redlock::etcd
