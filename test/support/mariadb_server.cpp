#include "support/mariadb_server.hpp"

#include "support/child_process.hpp"
#include "support/eventually.hpp"
#include "support/loopback_port.hpp"
#include "support/system_error.hpp"

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <unistd.h>

namespace redlock::test {
namespace {

// It runs the server twice, and writes some hundred files.
constexpr auto install_patience = 3 * patience;

/// Null where there is none.
const char* mysqld() { return std::getenv("REDLOCK_TEST_MYSQL"); }

} // namespace

bool mariadb_server::is_mysql() { return mysqld() != nullptr; }

std::vector<std::string> mariadb_server::making_data() const {
    if (is_mysql()) return {mysqld(), "--no-defaults", "--initialize-insecure"};
    return {REDLOCK_MARIADB_INSTALL, "--no-defaults", "--auth-root-authentication-method=normal",
            "--skip-test-db", "--skip-name-resolve"};
}

// What one of them does not know.
std::vector<std::string> mariadb_server::own_settings() const {
    if (is_mysql()) return {"--loose-innodb-redo-log-capacity=8M", "--loose-mysqlx=OFF"};
    return {"--innodb-log-file-size=8M"};
}

mariadb_server::mariadb_server(std::vector<std::string> settings)
    : settings_(std::move(settings)), port_(free_loopback_port()) {
    const std::string temporary = folder_.path() / "temporary";
    std::filesystem::create_directory(temporary);
    std::vector<std::string> install = making_data();
    install.push_back("--datadir=" + (folder_.path() / "data").string());
    install.push_back("--tmpdir=" + temporary);
    if (::geteuid() == 0) install.push_back("--user=root");
    {
        const file_descriptor log = open_log();
        const standard_streams streams{.output = log.get(), .error = log.get()};
        if (process(install, streams).wait(install_patience) != 0)
            fail("its data cannot be made: " + install.front());
    }
    start();
    const std::string database =
        "CREATE DATABASE locks; CREATE USER redlock@'%'; GRANT ALL ON *.* TO redlock@'%' "
        "WITH GRANT OPTION";
    if (process(client(database, "mysql"), {}).wait(patience) != 0) fail("its database is not made");
}

mariadb_server::~mariadb_server() {
    if (server_) server_->kill();
}

void mariadb_server::start() {
    const file_descriptor log = open_log();
    std::vector<std::string> command = {is_mysql() ? mysqld() : REDLOCK_MARIADBD,
                                        "--no-defaults",
                                        "--datadir=" + (folder_.path() / "data").string(),
                                        "--tmpdir=" + (folder_.path() / "temporary").string(),
                                        "--socket=" + socket(),
                                        "--pid-file=" + (folder_.path() / "pid").string(),
                                        "--port=" + std::to_string(port_),
                                        "--bind-address=127.0.0.1",
                                        "--skip-name-resolve",
                                        "--skip-log-bin",
                                        "--innodb-flush-log-at-trx-commit=1",
                                        "--innodb-flush-method=nosync",
                                        "--innodb-buffer-pool-size=16M",
                                        "--table-open-cache=64"};
    if (::geteuid() == 0) command.push_back("--user=root");
    for (const std::vector<std::string>& more : {own_settings(), settings_})
        command.insert(command.end(), more.begin(), more.end());
    server_.emplace(command, standard_streams{.output = log.get(), .error = log.get()});
    const auto answers = [&] { return process(client("SELECT 1", "mysql"), {}).wait(patience) == 0; };
    if (!eventually(answers)) fail("the server does not start");
}

void mariadb_server::stop() { server_->stop(); }

void mariadb_server::resume() { server_->resume(); }

void mariadb_server::crash() { server_->kill(); }

std::string mariadb_server::uri_over(std::uint16_t port) {
    return "mysql://redlock@127.0.0.1:" + std::to_string(port) + "/locks";
}

std::string mariadb_server::unix_uri() const {
    return "mariadb://redlock@localhost/locks?socket=" + socket();
}

std::vector<std::string> mariadb_server::client(const std::string& statement,
                                                const std::string& database) const {
    return {
        "mariadb", "--no-defaults",       "--no-auto-rehash",       "--socket=" + socket(),  "--user=root",
        "--batch", "--skip-column-names", "--database=" + database, "--execute=" + statement};
}

std::vector<std::string> mariadb_server::query(const std::string& statement) const {
    child_process answer(client(statement));
    std::vector<std::string> lines;
    while (auto line = answer.read_line(patience)) {
        std::ranges::replace(*line, '\t', '|');
        lines.push_back(std::move(*line));
    }
    if (answer.wait(patience) != 0) fail("the client fails at " + statement);
    return lines;
}

std::unique_ptr<process> mariadb_server::lock_table(const std::string& table,
                                                    std::chrono::milliseconds how_long) const {
    const double seconds = std::chrono::duration<double>(how_long).count();
    return std::make_unique<process>(
        client("LOCK TABLES " + table + " WRITE; SELECT SLEEP(" + std::to_string(seconds) + ")"),
        standard_streams{});
}

void mariadb_server::add_spent_rows(int count) const {
    const std::string counting =
        "WITH RECURSIVE seq (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM seq WHERE n < " +
        std::to_string(count) + ") SELECT CONCAT('old', n)";
    // Each of the two stops one that counts too far, by a setting of its own.
    const std::string limit = is_mysql() ? "cte_max_recursion_depth" : "max_recursive_iterations";
    query("SET SESSION " + limit + " = " + std::to_string(count + 1) +
          "; INSERT INTO redlock (`key`, token, fence, expires) " + counting +
          ", NULL, 1, UTC_TIMESTAMP(6) - INTERVAL 2 MINUTE FROM seq");
}

void mariadb_server::end_sessions_of(const std::string& user) const {
    if (!is_mysql()) {
        query("KILL USER " + user);
        return;
    }
    // One may have ended by itself meanwhile.
    for (const std::string& id :
         query("SELECT id FROM information_schema.processlist WHERE user = '" + user + "'"))
        process(client("KILL " + id), {}).wait(patience);
}

bool mariadb_server::has_locked_table() const {
    return query("SELECT COUNT(*) FROM information_schema.processlist WHERE state = 'User sleep'").at(0) ==
           "1";
}

file_descriptor mariadb_server::open_log() const {
    const std::string path = folder_.path() / "log";
    file_descriptor log(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
    if (log.get() < 0) throw_errno("open " + path);
    return log;
}

void mariadb_server::fail(const std::string& what) const {
    std::ifstream log(folder_.path() / "log");
    throw std::runtime_error("MariaDB: " + what +
                             "; its log: " + std::string(std::istreambuf_iterator<char>(log), {}));
}

} // namespace redlock::test
