#pragma once

#include "engines/sql/answer.hpp"
#include "engines/sql/postgresql/session/request.hpp"
#include "engines/sql/postgresql/session/statement.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace redlock::postgresql {

/// Requests that leave together: one statement for all of a kind, and all statements in one transaction.
/// Does no I/O: it says what to send, and reads the answers.
class batch {
public:
    static constexpr std::size_t most = 256; ///< of each kind

    bool takes(request::kind k) const noexcept { return of(k).size() < most; }
    void add(request& r);
    bool empty() const noexcept;

    /// Releases, renewals, new tokens, acquires: that order keeps transactions from waiting in a circle. What
    /// is added to the counter makes a fencing token of it. The label, if the table has room for one, is that
    /// of whoever acquires, and may be empty.
    statements transaction(std::int64_t fence_base, const std::optional<std::string>& label = {}) const;
    /// The groups of keys of which one may be free afterwards, each once.
    std::vector<std::int64_t> freed() const;

    using outcome = std::pair<request*, reply>;
    /// What the answers say to each. Behind it the batch is empty.
    std::vector<outcome> read(const std::vector<sql::answer>& all, core::instant sent_at);
    /// No answers came: what was sent may be carried out, or not.
    std::vector<outcome> lose(errc why, core::instant sent_at);

private:
    using row_of_requests = std::vector<request*>;

    const row_of_requests& of(request::kind k) const noexcept { return all_[static_cast<std::size_t>(k)]; }
    std::vector<outcome> end_all(const reply& r);
    static void read_own(const row_of_requests& asked, const sql::answer& a, std::vector<reply>& replies);
    static void read_acquires(const row_of_requests& asked, const sql::answer& a,
                              std::vector<reply>& replies);

    std::array<row_of_requests, request::kinds> all_; ///< by kind
};

} // namespace redlock::postgresql
