#pragma once

#include "engines/etcd/line/line.hpp"
#include "engines/etcd/line/stream.hpp"
#include "engines/etcd/messages/reply.hpp"
#include "time/timer_queue.hpp"
#include "turn/turns.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

namespace redlock::etcd {

class watcher;

/// Watches one key until it is deleted, or for as long as whoever it is for wants to hear of changes. It
/// stops with its destruction.
class key_watch {
public:
    key_watch() = default;
    key_watch(const key_watch&) = delete;
    key_watch& operator=(const key_watch&) = delete;

    // In a turn. Both may watch another key, or none.
    /// It is watched from now on, also once more: what happened before is to be looked for.
    virtual void watch_began() noexcept = 0;
    virtual void key_deleted() noexcept = 0;
    /// In the place of that, where it watches for all that happens to the key: deletion, or another value.
    virtual void key_changed() noexcept {}

protected:
    ~key_watch();
    /// Nothing that happened since the revision it was to begin at is hidden from it.
    bool sees_all() const noexcept { return from_ != 0; }

private:
    friend class watcher;
    watcher* by_ = nullptr;
    std::int64_t id_ = 0;
    bool is_created_ = false;
    bool wants_all_ = false;
    std::string key_;
    messages::revision from_ = 0;
};

/// Watches keys, all over one stream, which is opened anew wherever it ends. On the strand.
///
/// A watch for a deletion that is not needed any more is kept until something happens to its key: where
/// several hold a lock in turns the key in front is soon the same again. The server may tell of what happens
/// right behind the beginning of a watch 100 ms late, where somebody writes in the moment in which it begins.
class watcher final : private time::timer {
public:
    watcher(turn::turns& t, line& over);
    watcher(const watcher&) = delete;
    watcher& operator=(const watcher&) = delete;
    ~watcher();

    // In a turn.
    /// In the place of what it watched before. `from`: the first revision that counts, as long as the server
    /// knows what happened then; 0 stands for when the server hears of it.
    void watch(key_watch& w, std::string key, messages::revision from = 0);
    /// Likewise, for all that happens to it from when the server hears of it.
    void watch_all(key_watch& w, std::string key);
    void forget(key_watch& w) noexcept;
    void line_serves() noexcept;
    void stop() noexcept;
    std::size_t size() const noexcept { return watches_.size(); }

private:
    class event_stream;

    /// A watch that is kept.
    struct kept {
        std::int64_t id;
        std::string key;
    };

    void begin(key_watch& w, std::string key, messages::revision from);
    void send(const key_watch& w);
    bool keep(key_watch& w);
    bool take_kept(key_watch& w);
    void end_kept(std::int64_t id, bool is_cancelled) noexcept;
    void cancel(std::int64_t id) noexcept;
    void received(std::string_view message) noexcept;
    void ended() noexcept;
    void begin_anew();

    void expired(time::instant) noexcept override { line_serves(); }

    turn::turns& turns_;
    line& line_;
    std::unique_ptr<event_stream> stream_;
    std::unordered_map<std::int64_t, key_watch*> watches_;
    std::vector<kept> kept_; ///< of the stream that is open
    std::int64_t last_id_ = 0;
};

} // namespace redlock::etcd
