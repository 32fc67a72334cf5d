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

/// A real PostgreSQL server with an empty database, on a free port of 127.0.0.1 and on a Unix socket in a
/// temporary folder. As it refuses to run as root, it then runs as the user postgres, or nobody. Not
/// thread-safe.
class postgres_server {
public:
    // As statements of a test name the column of keys, and the time.
    static constexpr const char* key_column = "key";
    static constexpr const char* now = "clock_timestamp()";
    /// Milliseconds for which a row is still held.
    static constexpr const char* left =
        "floor(extract(epoch FROM expires - clock_timestamp()) * 1000)::bigint";
    /// Fencing tokens rise from key to key.
    static constexpr bool has_one_counter = true;
    /// It is known how many wait for a key.
    static constexpr bool counts_waiters = true;

    /// Has rows that nobody has had for two minutes.
    void add_spent_rows(int count) const;
    /// Whether `lock_table` has the table.
    bool has_locked_table() const;

    /// Makes the database, starts the server and waits until it answers. Throws when it does not, with its
    /// log. `settings` are further ones: `max_connections=5`.
    explicit postgres_server(std::vector<std::string> settings = {});
    /// A standby of that one, which follows it from now on.
    struct standby_of {
        const postgres_server& primary;
    };
    explicit postgres_server(standby_of other);
    postgres_server(const postgres_server&) = delete;
    postgres_server& operator=(const postgres_server&) = delete;
    ~postgres_server();

    std::uint16_t port() const noexcept { return port_; }
    /// What libpq needs to connect.
    std::string conninfo() const;
    std::string uri() const { return uri_over(port_); }
    /// Over that port of 127.0.0.1.
    static std::string uri_over(std::uint16_t port);
    std::string unix_uri() const;

    /// The lines of the answer, with '|' between columns. Throws when psql fails.
    std::vector<std::string> query(const std::string& statement) const;

    /// All its processes.
    void stop();
    void resume();
    /// It ends without writing anything more down, as by a power failure of the program alone.
    void crash();
    /// Behind a crash, on the same port.
    void start();
    /// A standby takes over.
    void promote() const;
    /// Behind a crash, on the same port: follows that one from now on, with its data in the place of its own.
    void follow(const postgres_server& primary);
    /// A transaction that locks the table, beside whatever else this test does, and ends after that long.
    std::unique_ptr<process> lock_table(const std::string& table, std::chrono::milliseconds how_long) const;

private:
    void choose_owner();
    void launch();
    void copy(const postgres_server& primary) const;
    bool answers() const;
    void run(const std::vector<std::string>& command, const std::string& what) const;
    void signal_all(int signal) const;
    std::vector<std::string> psql(const std::string& statement) const;
    std::vector<std::string> as_owner(std::vector<std::string> command) const;
    std::string data() const { return folder_.path() / "data"; }
    file_descriptor open_log() const;
    [[noreturn]] void fail(const std::string& what) const;

    const std::vector<std::string> settings_;
    temporary_folder folder_;
    std::vector<std::string> owner_prefix_; ///< comes before a command that the owner of the data runs
    std::uint16_t port_ = 0;
    std::optional<process> server_;
};

} // namespace redlock::test
