#pragma once

#include "support/mariadb_server.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <memory>
#include <mysql.h>
#include <string>

namespace redlock::test {

/// A user's connection.
class mariadb_user {
public:
    explicit mariadb_user(const mariadb_server& of) : handle_(mysql_init(nullptr), &mysql_close) {
        BOOST_REQUIRE(
            mysql_real_connect(handle_.get(), nullptr, "root", "", "locks", 0, of.socket().c_str(), 0));
        run("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED");
    }
    /// How many rows there were, -1 for an error.
    int run(const std::string& statement) {
        if (mysql_real_query(handle_.get(), statement.data(), statement.size()) != 0) return -1;
        const std::unique_ptr<MYSQL_RES, decltype(&mysql_free_result)> rows(mysql_store_result(handle_.get()),
                                                                            &mysql_free_result);
        return rows ? static_cast<int>(mysql_num_rows(rows.get())) : 0;
    }
    /// As docs/guide/mariadb.md has it.
    int guard(const std::string& key, std::uint64_t token) {
        return run("SELECT 1 FROM redlock FORCE INDEX (guard) WHERE `key` = '" + key +
                   "' AND fence = " + std::to_string(token) + " LOCK IN SHARE MODE");
    }

private:
    std::unique_ptr<MYSQL, decltype(&mysql_close)> handle_;
};

} // namespace redlock::test
