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

constexpr std::chrono::milliseconds longest_pause{100};
// Of one question. Where more are waited for, each has its turn.
constexpr std::size_t most_keys = 1000;

} // namespace

void lookout::table_serves(const sql::server&) {
    if (!std::exchange(serves_, true)) tell(true);
    look_soon();
}

void lookout::table_lost() {
    serves_ = false;
    disarm();
    tell(false);
}

sql::wakes::watched lookout::watch(sql::wake_waiter& w) {
    waiters_.push_back(w);
    if (!serves_) return watched::unheard;
    look_soon();
    return watched::heard;
}

void lookout::look_soon() noexcept {
    if (armed() || inquiry_ || waiters_.empty()) return;
    turns_.timers().arm(*this, turns_.now() + turns_.random().between(longest_pause / 2, longest_pause));
}

void lookout::expired(time::instant) noexcept {
    if (serves_ && !inquiry_ && !waiters_.empty()) look();
}

void lookout::look() {
    std::unordered_set<std::string_view> keys;
    for (std::size_t left = waiters_.size(); left > 0 && keys.size() < most_keys; --left) {
        sql::wake_waiter& w = waiters_.front();
        waiters_.pop_front();
        waiters_.push_back(w);
        keys.insert(w.awaited_key());
    }
    asked_.assign(keys.begin(), keys.end());
    const std::vector<std::string_view> views(asked_.begin(), asked_.end());
    inquiry_ = new sql::question_inquiry(free_among(views), [this](const sql::answer* a, errc) { take(a); });
    table_.submit(*inquiry_);
}

// Of a question that failed there is no more to know: those who wait look by themselves until there is
// another session.
void lookout::take(const sql::answer* a) {
    inquiry_ = nullptr;
    if (!a) return std::exchange(serves_, false) ? tell(false) : void();
    std::unordered_set<std::string_view> free;
    for (const sql::answer::row& row : a->rows)
        if (const auto n = sql::number_in(sql::cell_of(row, 0));
            n && *n >= 1 && static_cast<std::uint64_t>(*n) <= asked_.size())
            free.insert(asked_[static_cast<std::size_t>(*n) - 1]);
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
