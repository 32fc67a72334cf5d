#pragma once

#include "support/file_descriptor.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace redlock::test {

/// A real MariaDB server, or the mysqld that `REDLOCK_TEST_MYSQL` in the environment names, with an empty
/// database `locks`, on a free port of 127.0.0.1 and on a Unix socket in a temporary folder. Its user
/// `redlock` may do anything and has no password. Not thread-safe.
class mariadb_server {
public:
    // As statements of a test name the column of keys, and the time.
    static constexpr const char* key_column = "`key`";
    static constexpr const char* now = "UTC_TIMESTAMP(6)";
    /// Milliseconds for which a row is still held.
    static constexpr const char* left = "TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(6), expires) DIV 1000";
    /// Fencing tokens rise from key to key.
    static constexpr bool has_one_counter = false;
    /// It is known how many wait for a key.
    static constexpr bool counts_waiters = false;

    /// Whether it is one of MySQL.
    static bool is_mysql();

    /// Has rows that nobody has had for two minutes.
    void add_spent_rows(int count) const;
    /// Whether `lock_table` has the table.
    bool has_locked_table() const;

    /// Makes the database, starts the server and waits until it answers. Throws when it does not, with its
    /// log. `settings` are further options: `--max-connections=5`.
    explicit mariadb_server(std::vector<std::string> settings = {});
    mariadb_server(const mariadb_server&) = delete;
    mariadb_server& operator=(const mariadb_server&) = delete;
    ~mariadb_server();

    std::uint16_t port() const noexcept { return port_; }
    std::string socket() const { return folder_.path() / "socket"; }
    const temporary_folder& folder() const noexcept { return folder_; }
    std::string uri() const { return uri_over(port_); }
    /// Over that port of 127.0.0.1.
    static std::string uri_over(std::uint16_t port);
    std::string unix_uri() const;

    /// The lines of the answer, with '|' between columns. Throws when the client program fails.
    std::vector<std::string> query(const std::string& statement) const;

    /// All its threads: when it returns, none runs.
    void stop();
    void resume();
    /// It ends without writing anything more down, as by a power failure of the program alone.
    void crash();
    /// Behind a crash, on the same port. With other settings, perhaps.
    void start();
    void change_settings(std::vector<std::string> settings) { settings_ = std::move(settings); }
    /// All sessions of that user.
    void end_sessions_of(const std::string& user) const;
    /// A session that has locked the table, beside whatever else this test does, and ends after that long.
    std::unique_ptr<process> lock_table(const std::string& table, std::chrono::milliseconds how_long) const;

private:
    std::vector<std::string> making_data() const;
    std::vector<std::string> own_settings() const;
    std::vector<std::string> client(const std::string& statement,
                                    const std::string& database = "locks") const;
    file_descriptor open_log() const;
    [[noreturn]] void fail(const std::string& what) const;

    std::vector<std::string> settings_;
    temporary_folder folder_;
    std::uint16_t port_ = 0;
    std::optional<process> server_;
};

} // namespace redlock::test
