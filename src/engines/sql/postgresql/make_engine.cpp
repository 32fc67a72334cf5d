#include "engines/sql/postgresql/make_engine.hpp"

#include "engines/sql/postgresql/dialect.hpp"
#include "engines/sql/table_engine.hpp"

#include <algorithm>
#include <utility>

namespace redlock::postgresql {

namespace {

// A commit waits for a disk, which may be busy.
constexpr std::chrono::milliseconds least_patience{250};
// A session that is given up takes all its locks with it: it is not, because the server stands still a while.
constexpr std::chrono::milliseconds least_patience_with_session{2'000};

} // namespace

std::unique_ptr<engine::engine> make_engine(const config& c, const sql::strand& on,
                                            core::entropy& random_bits, turn::turns& t) {
    address at = parse_address(c.nodes.front());
    const bool is_session = at.locks_are_sessions;
    sql::settings s{.speaks = std::make_unique<dialect>(std::move(at), !c.holder_label.empty()),
                    .session = {.patience = std::max(c.node_timeout, least_patience),
                                .client_name = c.client_name,
                                .log_in_as = c.credentials},
                    .restart_guard = c.restart_guard,
                    .observer = c.observer,
                    .entropy = &random_bits,
                    .holder_label = c.holder_label};
    if (is_session) {
        s.session.patience = std::max<core::nanoseconds>(s.session.patience, least_patience_with_session);
        // There is no row for it: it goes by that name.
        if (!s.holder_label.empty()) s.session.client_name = s.holder_label;
    }
    return std::make_unique<sql::table_engine>(on, std::move(s), t);
}

} // namespace redlock::postgresql
