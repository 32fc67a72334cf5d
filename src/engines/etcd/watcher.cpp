#include "engines/etcd/watcher.hpp"

#include "engines/etcd/messages/watches.hpp"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

namespace redlock::etcd {

namespace {

constexpr std::chrono::milliseconds pause_before_another{100};

} // namespace

class watcher::event_stream final : public stream {
public:
    event_stream(line& over, watcher& of) : stream(methods::watch, over), watcher_(of) {}

private:
    void received(std::string_view message) noexcept override { watcher_.received(message); }
    void ended(const failure&) noexcept override { watcher_.ended(); }

    watcher& watcher_;
};

key_watch::~key_watch() {
    if (by_) by_->forget(*this);
}

watcher::watcher(turn::turns& t, line& over)
    : turns_(t), line_(over), stream_(std::make_unique<event_stream>(over, *this)) {}

watcher::~watcher() {
    for (const auto& [id, w] : watches_)
        w->by_ = nullptr;
}

void watcher::watch(key_watch& w, std::string key, messages::revision from) {
    w.wants_all_ = false;
    begin(w, std::move(key), from);
}

void watcher::watch_all(key_watch& w, std::string key) {
    w.wants_all_ = true;
    begin(w, std::move(key), 0);
}

void watcher::begin(key_watch& w, std::string key, messages::revision from) {
    forget(w);
    w.by_ = this;
    w.id_ = ++last_id_;
    w.key_ = std::move(key);
    w.from_ = from;
    watches_.emplace(w.id_, &w);
    if (!line_.serves()) return;
    if (stream_->is_open()) return send(w);
    if (!armed()) begin_anew();
}

void watcher::send(const key_watch& w) {
    std::string request;
    append(request, messages::watch_create_request{
                        .key = w.key_, .start = w.from_, .without_puts = !w.wants_all_, .watch_id = w.id_});
    stream_->send(request, true);
}

void watcher::forget(key_watch& w) noexcept {
    if (!w.by_) return;
    watches_.erase(w.id_);
    w.by_ = nullptr;
    w.is_created_ = false;
    if (!stream_->is_open()) return;
    std::string request;
    append(request, messages::watch_cancel_request{.watch_id = w.id_});
    stream_->send(request, false);
}

// In the order in which they were asked for, as the queues of many keys are.
void watcher::begin_anew() {
    stream_->open();
    std::vector<std::int64_t> ids;
    ids.reserve(watches_.size());
    for (const auto& [id, w] : watches_)
        ids.push_back(id);
    std::ranges::sort(ids);
    for (const std::int64_t id : ids) {
        const auto found = watches_.find(id);
        found->second->is_created_ = false;
        send(*found->second);
    }
}

void watcher::line_serves() noexcept {
    if (line_.serves() && !watches_.empty() && !stream_->is_open()) begin_anew();
}

// With the connection, or alone: with an answer that was late, perhaps.
void watcher::ended() noexcept { turns_.timers().arm(*this, turns_.now() + pause_before_another); }

void watcher::stop() noexcept {
    disarm();
    stream_->close();
}

void watcher::received(std::string_view message) noexcept {
    messages::reply<messages::watch_result> read;
    if (messages::read(message, read) != messages::fault::none) return;
    const messages::watch_result& told = read.content;
    const auto about = watches_.find(told.watch_id);
    if (about == watches_.end()) return;
    key_watch& w = *about->second;
    if (told.cancelled) {
        // What happened since has been forgotten there. Otherwise there is nothing to be had: those who wait
        // look now and then.
        if (told.compacted != 0) begin(w, std::move(w.key_), 0);
        return;
    }
    if (!told.events.empty()) return w.wants_all_ ? w.key_changed() : w.key_deleted();
    if (told.created && !std::exchange(w.is_created_, true)) w.watch_began();
}

} // namespace redlock::etcd
