#include "engines/sql/postgresql/wake_session.hpp"

#include "engines/sql/postgresql/session/handshake.hpp"
#include "engines/sql/postgresql/session/statements.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <optional>
#include <utility>

namespace redlock::postgresql {

namespace {

// Whoever waits for a contested key soon waits for it again.
constexpr std::chrono::seconds kept_for{1};

/// The group that a notification names; nothing for one of another table.
std::optional<std::size_t> group_in(std::string_view payload, std::uint32_t table) {
    std::int32_t of = 0;
    std::size_t group = 0;
    const char* const end = payload.data() + payload.size();
    const auto first = std::from_chars(payload.data(), end, of);
    if (first.ec != std::errc() || first.ptr == end || *first.ptr != ':') return std::nullopt;
    const auto second = std::from_chars(first.ptr + 1, end, group);
    if (second.ec != std::errc() || second.ptr != end) return std::nullopt;
    if (of != lock_class(table) || group >= sql::wake_buckets) return std::nullopt;
    return group;
}

} // namespace

wake_session::wake_session(const sql::strand& on, turn::turns& t, const sql::dialect& to,
                           const sql::session_settings& s)
    : turns_(t), line_(on, t, to, s, static_cast<sql::session_listener&>(*this)) {}

// Releases of another table are of no interest any more.
void wake_session::table_serves(const sql::server& found) {
    if (std::exchange(table_, found.table) == found.table || !line_.is_connected()) return;
    line_.refuse(errc::server_error, "has another table than before");
}

wake_session::watched wake_session::watch(sql::wake_waiter& w) {
    group& g = groups_[sql::wake_bucket(w.awaited_key())];
    g.waiters.push_back(w);
    unsettled_ = true;
    line_.start();
    if (g.is == state::heard) return watched::heard;
    return line_.is_serving() || line_.may_soon_serve() ? watched::soon : watched::unheard;
}

void wake_session::connected() {
    line_.send({hear()});
    line_.expect_answer();
}

void wake_session::answered(std::vector<sql::answer>&& all) {
    const auto failed = std::ranges::find_if(all, &sql::answer::failed);
    // For want of room in the server's table of locks, perhaps.
    if (failed != all.end()) return line_.refuse(meaning_of(*failed), sql::words_of(*failed));
    line_.is_ready();
    unsettled_ = true;
    for (const std::size_t each : std::exchange(asked_, {})) {
        group& g = groups_[each];
        g.is = g.is == state::asked ? state::heard : state::unheard;
        if (g.is == state::heard) tell(g, true);
    }
    if (!armed()) turns_.timers().arm(*this, turns_.now() + kept_for);
}

void wake_session::notified(std::string_view payload) {
    const auto place = group_in(payload, table_);
    if (!place) return;
    for (sql::wake_waiter& w : groups_[*place].waiters)
        w.may_be_free();
}

// One transaction at a time: locks of groups that somebody waits for, and the end of those that nobody has
// waited for in a while.
void wake_session::settle() {
    if (!line_.is_serving() || line_.awaits_answer() || !std::exchange(unsettled_, false)) return;
    sql::statements all;
    for (std::size_t i = 0; i < groups_.size(); ++i) {
        group& g = groups_[i];
        const bool wanted = !g.waiters.empty();
        if (wanted) g.used = turns_.now();
        if (wanted && g.is == state::unheard) {
            g.is = state::asked;
            all.push_back(begin_to_wait(table_, i));
        } else if (g.is == state::heard && g.used + kept_for <= turns_.now()) {
            g.is = state::unheard;
            all.push_back(end_to_wait(table_, i));
        } else {
            continue;
        }
        asked_.push_back(i);
    }
    if (!all.empty()) line_.send(all);
}

void wake_session::after_routines() {
    settle();
    if (line_.awaits_answer()) line_.expect_answer();
}

void wake_session::tell(group& g, bool is_told) noexcept {
    for (sql::wake_waiter& w : g.waiters)
        w.listening(is_told);
}

void wake_session::tell_unheard() noexcept {
    for (group& g : groups_)
        tell(g, false);
}

void wake_session::lost(errc, const std::string&) {
    disarm();
    asked_.clear();
    for (group& g : groups_)
        g.is = state::unheard;
    tell_unheard();
}

void wake_session::expired(time::instant now) noexcept {
    unsettled_ = true;
    const bool any = std::ranges::any_of(groups_, [](const group& g) { return g.is != state::unheard; });
    if (any) turns_.timers().arm(*this, now + kept_for);
}

void wake_session::stop() noexcept {
    disarm();
    line_.stop();
}

} // namespace redlock::postgresql
