#pragma once

#include "engines/sql/answer.hpp"
#include "engines/sql/session/request.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace redlock::sql {

/// Requests that leave together in one transaction, all of a kind with one answer. Does no I/O: it is told
/// the answers, and says what they mean to each. Kinds follow each other as in `request::kind`: that order
/// keeps transactions from waiting in a circle.
class batch {
public:
    static constexpr std::size_t most = 256; ///< of each kind

    bool takes(request::kind k) const noexcept { return of(k).size() < most; }
    void add(request& r);
    bool empty() const noexcept;
    /// The only one, where it is one.
    const request* alone() const noexcept;

    /// What it does is nothing but releases, and its commit need not wait for the disk: see `must_wait`.
    bool is_unwaited() const noexcept;
    void must_wait(bool does) noexcept { must_wait_ = does; }

    using row_of_requests = std::vector<request*>;
    const row_of_requests& of(request::kind k) const noexcept { return all_[static_cast<std::size_t>(k)]; }
    /// The groups of keys of which one may be free afterwards, each once.
    std::vector<std::int64_t> freed() const;

    using outcome = std::pair<request*, reply>;
    using meaning = std::function<errc(const answer& failed)>;
    /// What the answers say to each: to those who release, renew and advance a row for each that had its key,
    /// with its place in the batch, from 1; then 0 where a release came too late, or the new fencing token;
    /// then 1 where somebody waits for what was released. To those who acquire rows of place, token, fencing
    /// token where they got it, and milliseconds that are left where somebody has it, in the last answer and
    /// any behind it. An error that means
    /// `held`: somebody has rows in his hands this very moment. Behind it the batch is empty.
    std::vector<outcome> read(const std::vector<answer>& all, core::instant sent_at, const meaning& errors);
    /// The groups of keys that were free behind the batch read last, and for which somebody waits, each once.
    const std::vector<std::int64_t>& awaited() const noexcept { return awaited_; }
    /// No answers came: what was sent may be carried out, or not.
    std::vector<outcome> lose(errc why, core::instant sent_at);

private:
    std::vector<outcome> end_all(const reply& r);
    std::vector<outcome> fail(errc why, core::instant sent_at);
    void read_own(const row_of_requests& asked, const answer& a, std::vector<reply>& replies);
    static void read_acquires(const row_of_requests& asked, std::span<const answer> all,
                              std::vector<reply>& replies);

    std::array<row_of_requests, request::kinds> all_; ///< by kind
    std::vector<std::int64_t> awaited_;
    bool must_wait_ = false;
};

} // namespace redlock::sql
