#include "engines/sql/session/batch.hpp"

#include "engines/sql/wake_bucket.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

namespace redlock::sql {

namespace {

constexpr std::int64_t longest_end = longest_row_life.count();

/// The place that a row names, counted from 0.
std::optional<std::size_t> place_in(const answer::row& row, std::size_t size) noexcept {
    const auto n = number_in(cell_of(row, 0));
    if (!n || *n < 1 || static_cast<std::uint64_t>(*n) > size) return std::nullopt;
    return static_cast<std::size_t>(*n - 1);
}

std::uint64_t token_in(const answer::row& row, std::size_t column) noexcept {
    const std::int64_t n = number_in(cell_of(row, column)).value_or(0);
    return n > 0 ? static_cast<std::uint64_t>(n) : 0;
}

std::int64_t group_of(const request& r) noexcept {
    return static_cast<std::int64_t>(wake_bucket(r.of->full_key));
}

void leave_each_once(std::vector<std::int64_t>& groups) {
    std::ranges::sort(groups);
    groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
}

} // namespace

void batch::add(request& r) {
    r.sent = true;
    all_[static_cast<std::size_t>(r.what)].push_back(&r);
}

bool batch::empty() const noexcept {
    return std::ranges::all_of(all_, [](const auto& each) { return each.empty(); });
}

const request* batch::alone() const noexcept {
    const request* only = nullptr;
    for (const row_of_requests& each : all_) {
        if (each.empty()) continue;
        if (only || each.size() > 1) return nullptr;
        only = each.front();
    }
    return only;
}

bool batch::is_unwaited() const noexcept {
    if (must_wait_ || of(request::kind::release).empty()) return false;
    return std::ranges::count_if(all_, [](const auto& each) { return !each.empty(); }) == 1;
}

std::vector<std::int64_t> batch::freed() const {
    std::vector<std::int64_t> all;
    for (const request* r : of(request::kind::release))
        all.push_back(group_of(*r));
    leave_each_once(all);
    return all;
}

std::vector<batch::outcome> batch::end_all(const reply& r) {
    std::vector<outcome> ended;
    for (row_of_requests& each : all_)
        for (request* asked : std::exchange(each, {}))
            ended.emplace_back(asked, r);
    return ended;
}

std::vector<batch::outcome> batch::lose(errc why, core::instant sent_at) {
    return end_all({.what = reply::kind::unknown, .why = why, .sent_at = sent_at});
}

// A transaction is carried out as a whole, or not at all.
std::vector<batch::outcome> batch::fail(errc why, core::instant sent_at) {
    const bool contended = why == errc::held;
    std::vector<outcome> ended = end_all(
        {.what = reply::kind::failed, .why = contended ? errc::node_timeout : why, .sent_at = sent_at});
    if (contended)
        for (auto& [asked, r] : ended)
            if (asked->what == request::kind::acquire) r = {.what = reply::kind::busy, .sent_at = sent_at};
    return ended;
}

std::vector<batch::outcome> batch::read(const std::vector<answer>& all, core::instant sent_at,
                                        const meaning& errors) {
    awaited_.clear();
    const auto failed = std::ranges::find_if(all, &answer::failed);
    if (failed != all.end()) return fail(errors(*failed), sent_at);
    std::vector<outcome> ended;
    std::size_t next = 0;
    for (row_of_requests& each : all_) {
        if (each.empty()) continue;
        const row_of_requests asked = std::exchange(each, {});
        // One that is not answered is carried out with the others, and nobody knows how it came out.
        const bool told = next < all.size();
        const auto without_row = told ? reply::kind::refused : reply::kind::unknown;
        std::vector<reply> replies(asked.size(), reply{.what = without_row, .sent_at = sent_at});
        if (!told)
            for (reply& r : replies)
                r.why = errc::protocol_error;
        else if (asked.front()->what == request::kind::acquire)
            read_acquires(asked, std::span(all).subspan(std::exchange(next, all.size())), replies);
        else
            read_own(asked, all[next++], replies);
        for (std::size_t i = 0; i < asked.size(); ++i)
            ended.emplace_back(asked[i], replies[i]);
    }
    leave_each_once(awaited_);
    return ended;
}

// Whoever has a row in the answer had the key.
void batch::read_own(const row_of_requests& asked, const answer& a, std::vector<reply>& replies) {
    for (const answer::row& row : a.rows) {
        const auto place = place_in(row, asked.size());
        if (!place) continue;
        const bool is_release = asked[*place]->what == request::kind::release;
        if (is_release && number_in(cell_of(row, 2)).value_or(0) == 1)
            awaited_.push_back(group_of(*asked[*place]));
        const bool was_late = is_release && number_in(cell_of(row, 1)).value_or(0) == 0;
        if (was_late) continue;
        replies[*place].what = reply::kind::done;
        if (asked[*place]->what == request::kind::advance) replies[*place].fencing_token = token_in(row, 1);
    }
}

void batch::read_acquires(const row_of_requests& asked, std::span<const answer> all,
                          std::vector<reply>& replies) {
    std::unordered_map<std::string_view, std::size_t> places;
    for (std::size_t i = 0; i < asked.size(); ++i) {
        places.emplace(asked[i]->of->token(), i);
        replies[i].what = reply::kind::busy;
    }
    // Those that were held are told as they were before the statement: what it took counts.
    for (const answer& a : all)
        for (const answer::row& row : a.rows) {
            const auto place = place_in(row, asked.size());
            const auto left = number_in(cell_of(row, 3));
            if (!place || !left || *left <= 0 || cell_of(row, 1)) continue;
            replies[*place].what = reply::kind::refused;
            replies[*place].ends_in = std::chrono::milliseconds(std::min(*left, longest_end));
        }
    for (const answer& a : all)
        for (const answer::row& row : a.rows) {
            const answer::cell& token = cell_of(row, 1);
            const auto place = token ? places.find(*token) : places.end();
            if (place == places.end()) continue;
            replies[place->second].what = reply::kind::done;
            replies[place->second].fencing_token = token_in(row, 2);
        }
}

} // namespace redlock::sql
