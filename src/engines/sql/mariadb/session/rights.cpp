#include "engines/sql/mariadb/session/rights.hpp"

namespace redlock::mariadb {

// The last statement is there for its answer.
std::span<const right> rights_to_table() noexcept {
    static constexpr right all[] = {
        {"GRANT SELECT ON redlock", "SELECT `key` FROM redlock LIMIT 0"},
        {"GRANT INSERT ON redlock",
         "INSERT INTO redlock (`key`, token, fence, expires, label) SELECT '', NULL, 0, "
         "UTC_TIMESTAMP(6), NULL FROM (SELECT 1) AS one WHERE 1 = 0; SELECT 1"},
        {"GRANT UPDATE ON redlock", "UPDATE redlock SET token = NULL WHERE 1 = 0; SELECT 1"},
        {"GRANT DELETE ON redlock", "DELETE FROM redlock WHERE 1 = 0; SELECT 1"},
    };
    return all;
}

} // namespace redlock::mariadb
