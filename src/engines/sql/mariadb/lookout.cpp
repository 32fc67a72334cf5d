#include "engines/sql/mariadb/lookout.hpp"

#include "engines/sql/mariadb/session/statements.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace redlock::mariadb {

namespace {

// What is to be looked for so soon is in the same question.
constexpr std::chrono::milliseconds together{2};
// Of one question. Where more are waited for, each has its turn.
constexpr std::size_t most_keys = 1000;
// Between two questions there is so many times what the first of them took.
constexpr int rest = 3;
// So many keys that nobody waits for any more are no matter.
constexpr std::size_t few = 64;

} // namespace

void lookout::table_serves(const sql::server&) {
    if (!std::exchange(serves_, true)) tell(true);
    look_soon();
}

void lookout::table_lost() {
    serves_ = false;
    next_look_ = time::instant::max();
    disarm();
    tell(false);
}

sql::wakes::watched lookout::watch(sql::wake_waiter& w) {
    waiters_.push_back(w);
    if (!serves_) return watched::unheard;
    look_at(sight_of(w.awaited_key()).next);
    return watched::heard;
}

lookout::awaited& lookout::sight_of(std::string_view key) {
    const time::instant now = turns_.now();
    const auto [found, is_new] = awaited_.try_emplace(std::string(key), awaited{look_pace(now), {}});
    if (is_new) found->second.next = found->second.pace.next(now, turns_.random());
    return found->second;
}

void lookout::look_at(time::instant when) {
    when = std::max(when, not_before_);
    if (inquiry_ || when >= next_look_) return;
    next_look_ = when;
    turns_.timers().arm(*this, when);
}

void lookout::look_soon() {
    if (inquiry_) return;
    next_look_ = time::instant::max();
    time::instant first = time::instant::max();
    std::size_t waiting = 0;
    for (sql::wake_waiter& w : waiters_) {
        first = std::min(first, sight_of(w.awaited_key()).next);
        ++waiting;
    }
    if (awaited_.size() > waiting + few) forget_others();
    if (waiting > 0) look_at(first);
}

void lookout::forget_others() {
    std::unordered_set<std::string_view> keys;
    for (sql::wake_waiter& w : waiters_)
        keys.insert(w.awaited_key());
    std::erase_if(awaited_, [&](const auto& each) { return !keys.contains(each.first); });
}

void lookout::expired(time::instant) noexcept {
    next_look_ = time::instant::max();
    if (waiters_.empty()) return awaited_.clear();
    if (serves_ && !inquiry_) look();
}

void lookout::look() {
    asked_at_ = turns_.now();
    std::unordered_set<std::string_view> keys;
    for (auto left = std::ranges::distance(waiters_); left > 0 && keys.size() < most_keys; --left) {
        sql::wake_waiter& w = waiters_.front();
        waiters_.pop_front();
        waiters_.push_back(w);
        if (sight_of(w.awaited_key()).next <= asked_at_ + together) keys.insert(w.awaited_key());
    }
    if (keys.empty()) return look_soon();
    asked_.assign(keys.begin(), keys.end());
    const std::vector<std::string_view> views(asked_.begin(), asked_.end());
    inquiry_ =
        new sql::question_inquiry(holders_among(views), [this](const sql::answer* a, errc) { take(a); });
    table_.submit(*inquiry_);
}

// Of a question that failed there is no more to know: those who wait look by themselves until there is
// another session.
void lookout::take(const sql::answer* a) {
    inquiry_ = nullptr;
    if (!a) return std::exchange(serves_, false) ? tell(false) : void();
    const time::instant now = turns_.now();
    not_before_ = now + rest * (now - asked_at_);
    std::unordered_set<std::string_view> free;
    for (const sql::answer::row& row : a->rows) {
        const auto n = sql::number_in(sql::cell_of(row, 0));
        if (!n || *n < 1 || static_cast<std::uint64_t>(*n) > asked_.size()) continue;
        const std::string& key = asked_[static_cast<std::size_t>(*n) - 1];
        awaited& seen = sight_of(key);
        seen.pace.found(sql::number_in(sql::cell_of(row, 2)), now);
        seen.next = seen.pace.next(now, turns_.random());
        if (sql::number_in(sql::cell_of(row, 1)) != 0) free.insert(key);
    }
    for (sql::wake_waiter& w : waiters_)
        if (free.contains(w.awaited_key())) w.may_be_free();
    look_soon();
}

void lookout::tell(bool is_told) noexcept {
    for (sql::wake_waiter& w : waiters_)
        w.listening(is_told);
}

void lookout::stop() noexcept {
    disarm();
    serves_ = false;
    if (inquiry_) std::exchange(inquiry_, nullptr)->let_go();
}

} // namespace redlock::mariadb
