#include "local/mariadb_database.hpp"

#include "local/local_server.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <unistd.h>

namespace redlock::tool {
namespace {

class mariadb_server final : public local_server {
public:
    explicit mariadb_server(const local_plan& plan)
        : local_server(plan.folder), server_(plan.server), directives_(plan.directives) {
        std::filesystem::create_directory(folder() + "/temporary");
    }

    /// The command that makes the database. `prepare` comes behind it.
    server_command making() const {
        return in_folder(
            {program_of({.name = "mariadb", .program = "mariadb-install-db", .package = "mariadb-server"},
                        ""),
             "--no-defaults", "--auth-root-authentication-method=normal", "--skip-test-db",
             "--skip-name-resolve", "--datadir=" + data(), "--tmpdir=" + folder() + "/temporary"});
    }

private:
    server_command prepare(std::uint16_t port) override {
        std::ofstream first(folder() + "/first");
        first << "CREATE DATABASE IF NOT EXISTS locks;\nCREATE USER IF NOT EXISTS redlock@'127.0.0.1';\n"
                 "GRANT ALL ON *.* TO redlock@'127.0.0.1' WITH GRANT OPTION;\n";
        std::ofstream file(folder() + "/settings");
        file << fmt::format("[mariadbd]\nport={}\nbind-address=127.0.0.1\nsocket={}/socket\n", port, folder())
             << fmt::format("datadir={}\ntmpdir={}/temporary\npid-file={}/pid\ninit-file={}/first\n", data(),
                            folder(), folder(), folder())
             << "skip-name-resolve\ninnodb-flush-log-at-trx-commit=0\ninnodb-flush-method=nosync\n"
                "innodb-buffer-pool-size=16M\n";
        for (const std::string& line : directives_)
            file << line << '\n';
        if (!first.flush() || !file.flush()) throw std::runtime_error("cannot write to " + folder());
        return in_folder({server_, "--defaults-file=" + folder() + "/settings"});
    }
    // It says so behind the statements that come first.
    bool answers() const override {
        std::ifstream log(folder() + "/log");
        for (std::string line; std::getline(log, line);)
            if (line.find("ready for connections") != std::string::npos) return true;
        return false;
    }
    server_command in_folder(std::vector<std::string> words) const {
        if (::geteuid() == 0) words.push_back("--user=root");
        return {.words = std::move(words), .folder = folder()};
    }
    std::string data() const { return folder() + "/data"; }

    const std::string server_;
    const std::vector<std::string> directives_;
};

class mariadb_database final : public local_servers {
public:
    explicit mariadb_database(const local_plan& plan)
        : folder_(plan.folder), server_(plan), maker_(server_.making()) {}

    bool ready() override {
        if (maker_) {
            const auto status = maker_->ended();
            if (!status) return false;
            if (*status != 0) throw std::runtime_error("mariadb-install-db fails: " + last_words(folder_));
            maker_.reset();
        }
        return server_.ready();
    }
    std::string addresses() const override {
        return fmt::format("mysql://redlock@127.0.0.1:{}/locks", server_.port());
    }

private:
    const std::string folder_;
    mariadb_server server_;
    std::optional<server_process> maker_; ///< until the database is made
};

} // namespace

local_engine mariadb_engine() {
    return {.name = "mariadb",
            .program = "mariadbd",
            .package = "mariadb-server",
            .told = "an empty database whose server does not wait for the disk",
            .folders = {"/usr/sbin"},
            .start = [](const local_plan& plan) { return std::make_unique<mariadb_database>(plan); }};
}

} // namespace redlock::tool
