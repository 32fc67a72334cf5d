#include "engines/sql/mariadb/make_engine.hpp"

#include "engines/sql/mariadb/dialect.hpp"
#include "engines/sql/table_engine.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace redlock::mariadb {

namespace {

// A commit waits for a disk, which may be busy.
constexpr std::chrono::milliseconds least_patience{250};

} // namespace

std::unique_ptr<engine::engine> make_engine(const config& c, const sql::strand& on,
                                            core::entropy& random_bits, turn::turns& t) {
    sql::settings s{.speaks = std::make_unique<dialect>(parse_address(c.nodes.front()), random_bits),
                    .session = {.patience = std::max(c.node_timeout, least_patience),
                                .client_name = c.client_name,
                                .log_in_as = c.credentials},
                    .restart_guard = c.restart_guard,
                    .observer = c.observer,
                    .entropy = &random_bits,
                    .holder_label = c.holder_label};
    return std::make_unique<sql::table_engine>(on, std::move(s), t);
}

} // namespace redlock::mariadb
