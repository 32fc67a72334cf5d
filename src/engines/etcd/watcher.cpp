#include "engines/etcd/watcher.hpp"

#include "engines/etcd/messages/watches.hpp"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

namespace redlock::etcd {

namespace {

constexpr std::chrono::milliseconds pause_before_another{100};
constexpr std::size_t most_kept = 32;

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
    : turns_(t), line_(over), stream_(std::make_unique<event_stream>(over, *this)) {
    kept_.reserve(most_kept);
}

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
    w.key_ = std::move(key);
    w.from_ = from;
    if (take_kept(w)) return w.watch_began();
    w.id_ = ++last_id_;
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
    const bool is_kept = std::exchange(w.is_created_, false) && keep(w);
    if (!is_kept) cancel(w.id_);
}

void watcher::cancel(std::int64_t id) noexcept {
    if (!stream_->is_open()) return;
    std::string request;
    append(request, messages::watch_cancel_request{.watch_id = id});
    stream_->send(request, false);
}

bool watcher::keep(key_watch& w) {
    const bool fits = !w.wants_all_ && w.from_ == 0 && stream_->is_open() && kept_.size() < most_kept;
    if (!fits || std::ranges::find(kept_, w.key_, &kept::key) != kept_.end()) return false;
    kept_.push_back({.id = w.id_, .key = std::move(w.key_)});
    return true;
}

bool watcher::take_kept(key_watch& w) {
    if (w.wants_all_ || w.from_ != 0) return false;
    const auto found = std::ranges::find(kept_, w.key_, &kept::key);
    if (found == kept_.end()) return false;
    w.id_ = found->id;
    w.is_created_ = true;
    watches_.emplace(w.id_, &w);
    kept_.erase(found);
    return true;
}

void watcher::end_kept(std::int64_t id, bool is_cancelled) noexcept {
    const auto found = std::ranges::find(kept_, id, &kept::id);
    if (found == kept_.end()) return;
    kept_.erase(found);
    if (!is_cancelled) cancel(id);
}

// In the order in which they were asked for, as the queues of many keys are.
void watcher::begin_anew() {
    kept_.clear();
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
void watcher::ended() noexcept {
    kept_.clear();
    turns_.timers().arm(*this, turns_.now() + pause_before_another);
}

void watcher::stop() noexcept {
    disarm();
    kept_.clear();
    stream_->close();
}

void watcher::received(std::string_view message) noexcept {
    messages::reply<messages::watch_result> read;
    if (messages::read(message, read) != messages::fault::none) return;
    const messages::watch_result& told = read.content;
    const auto about = watches_.find(told.watch_id);
    if (about == watches_.end()) {
        if (told.cancelled || !told.events.empty()) end_kept(told.watch_id, told.cancelled);
        return;
    }
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
