#include "engines/plain_mariadb.hpp"

#include "engines/threads.hpp"

#include <fmt/format.h>

#include <memory>
#include <mysql.h>
#include <stdexcept>

namespace bench::engines {

// Rows are changed where it was free; where somebody has it the time stays as it is, which is no change.
const plain_texts plain_mariadb_rows{
    "INSERT INTO plain_lock VALUES ('{0}', UTC_TIMESTAMP(6) + INTERVAL 10 SECOND) ON DUPLICATE KEY UPDATE "
    "until = IF(until <= UTC_TIMESTAMP(6), VALUES(until), until)",
    "UPDATE plain_lock SET until = UTC_TIMESTAMP(6) WHERE name = '{0}'"};
const char* const plain_mariadb_schema =
    "CREATE TABLE plain_lock (name varchar(64) PRIMARY KEY, until datetime(6) NOT NULL)";
const plain_texts plain_get_lock{"SELECT GET_LOCK('{0}', 10)", "SELECT RELEASE_LOCK('{0}')"};

namespace {

class plain_session {
public:
    plain_session(std::uint16_t port, const plain_texts& with, const std::string& key)
        : lock_(fmt::format(fmt::runtime(with.lock), key)),
          unlock_(fmt::format(fmt::runtime(with.unlock), key)) {
        if (!mysql_real_connect(handle_.get(), "127.0.0.1", "redlock", nullptr, "locks", port, nullptr, 0))
            fail();
    }

    void cycle() {
        if (!run(lock_)) throw std::runtime_error("somebody has the key");
        run(unlock_);
    }

private:
    struct close {
        void operator()(MYSQL* m) const noexcept { mysql_close(m); }
    };
    struct free_result {
        void operator()(MYSQL_RES* r) const noexcept { mysql_free_result(r); }
    };

    [[noreturn]] void fail() const {
        throw std::runtime_error(std::string("libmariadb: ") + mysql_error(handle_.get()));
    }
    /// Whether it has changed a row, or has one that says 1.
    bool run(const std::string& text) {
        if (mysql_real_query(handle_.get(), text.data(), text.size()) != 0) fail();
        if (mysql_field_count(handle_.get()) == 0) return mysql_affected_rows(handle_.get()) > 0;
        const std::unique_ptr<MYSQL_RES, free_result> rows(mysql_store_result(handle_.get()));
        if (!rows) fail();
        const MYSQL_ROW row = mysql_fetch_row(rows.get());
        return row && row[0] && std::string(row[0]) == "1";
    }

    const std::unique_ptr<MYSQL, close> handle_{mysql_init(nullptr)};
    const std::string lock_, unlock_;
};

} // namespace

sample run_plain_mariadb(std::uint16_t port, const plain_texts& with, const load& plan) {
    return run_threads<plain_session>(plan, [&](auto& callers, std::size_t i) {
        callers.emplace_back(port, with, "plain:" + std::to_string(i));
    });
}

} // namespace bench::engines
