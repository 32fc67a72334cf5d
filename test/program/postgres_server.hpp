#pragma once

#include "support/file_descriptor.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <optional>
#include <string>
#include <vector>

namespace redlock::test {

/// A real PostgreSQL server with an empty database, on a Unix socket in a temporary folder and on no port. As
/// it refuses to run as root, it then runs as the user postgres, or nobody. Not thread-safe.
class postgres_server {
public:
    /// Makes the database, starts the server and waits until it answers. Throws when it does not, with its
    /// log.
    postgres_server();
    postgres_server(const postgres_server&) = delete;
    postgres_server& operator=(const postgres_server&) = delete;
    ~postgres_server();

    /// What libpq needs to connect.
    std::string conninfo() const;

    /// The lines of the answer, with '|' between columns. Throws when psql fails.
    std::vector<std::string> query(const std::string& statement) const;

private:
    std::vector<std::string> as_owner(std::vector<std::string> command) const;
    file_descriptor open_log() const;
    [[noreturn]] void fail(const std::string& what) const;

    temporary_folder folder_;
    std::vector<std::string> owner_prefix_; ///< comes before a command that the owner of the data runs
    std::optional<process> server_;
};

} // namespace redlock::test
