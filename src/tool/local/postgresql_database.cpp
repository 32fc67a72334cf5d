#include "local/postgresql_database.hpp"

#include "local/local_server.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <pwd.h>
#include <stdexcept>
#include <system_error>
#include <unistd.h>

namespace redlock::tool {
namespace {

/// Debian keeps the programs of each version out of the PATH; the newest first.
std::vector<std::string> folders_of_debian() {
    std::vector<std::pair<int, std::string>> found;
    std::error_code none;
    for (const auto& each : std::filesystem::directory_iterator("/usr/lib/postgresql", none))
        found.emplace_back(std::atoi(each.path().filename().c_str()), each.path() / "bin");
    std::ranges::sort(found, std::ranges::greater());
    std::vector<std::string> all;
    for (auto& [version, folder] : found)
        all.push_back(std::move(folder));
    return all;
}

/// The server refuses to run as root.
std::optional<unix_user> another_user() {
    if (::geteuid() != 0) return std::nullopt;
    for (const char* name : {"postgres", "nobody"})
        if (const passwd* const user = ::getpwnam(name)) return unix_user{user->pw_uid, user->pw_gid};
    throw std::runtime_error("PostgreSQL does not run as root, and there is no user postgres or nobody here");
}

class postgresql_server final : public local_server {
public:
    explicit postgresql_server(const local_plan& plan)
        : local_server(plan.folder),
          server_(plan.server),
          directives_(plan.directives),
          owner_(another_user()) {
        if (owner_ && ::chown(folder().c_str(), owner_->user, owner_->group) != 0)
            throw std::system_error(errno, std::generic_category(), "chown " + folder());
    }

    /// The command that makes the database. `prepare` comes behind it.
    server_command making() const {
        const std::string maker = std::filesystem::path(server_).parent_path() / "initdb";
        return as_owner({maker, "--pgdata=" + data(), "--username=redlock", "--auth=trust", "--encoding=UTF8",
                         "--locale=C", "--no-sync"});
    }

private:
    server_command prepare(std::uint16_t port) override {
        std::ofstream file(data() + "/postgresql.conf", std::ios::app);
        // The last line about something counts.
        file << fmt::format("port = {}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = ''\n", port)
             << "fsync = off\nfull_page_writes = off\nshared_buffers = 16MB\nlogging_collector = off\n";
        for (const std::string& line : directives_)
            file << line << '\n';
        if (!file.flush()) throw std::runtime_error("cannot write " + data() + "/postgresql.conf");
        return as_owner({server_, "-D", data()});
    }
    // As pg_ctl goes about it.
    bool answers() const override {
        std::ifstream file(data() + "/postmaster.pid");
        constexpr int line_of_status = 8;
        std::string line;
        for (int i = 0; i < line_of_status; ++i)
            if (!std::getline(file, line)) return false;
        return line.starts_with("ready");
    }
    /// SIGKILL would leave shared memory behind.
    server_command as_owner(std::vector<std::string> words) const {
        return {.words = std::move(words), .folder = folder(), .owner = owner_, .end_signal = SIGQUIT};
    }
    std::string data() const { return folder() + "/data"; }

    const std::string server_;
    const std::vector<std::string> directives_;
    const std::optional<unix_user> owner_;
};

class postgresql_database final : public local_servers {
public:
    explicit postgresql_database(const local_plan& plan)
        : folder_(plan.folder), server_(plan), maker_(server_.making()) {}

    bool ready() override {
        if (maker_) {
            const auto status = maker_->ended();
            if (!status) return false;
            if (*status != 0) throw std::runtime_error("initdb fails: " + last_words(folder_));
            maker_.reset();
        }
        return server_.ready();
    }
    std::string addresses() const override {
        return fmt::format("postgresql://redlock@127.0.0.1:{}/postgres", server_.port());
    }

private:
    const std::string folder_;
    postgresql_server server_;
    std::optional<server_process> maker_; ///< until the database is made
};

} // namespace

local_engine postgresql_engine() {
    return {.name = "postgresql",
            .program = "postgres",
            .package = "postgresql",
            .told = "an empty database whose server does not wait for the disk; as root it runs as the user "
                    "postgres or nobody",
            .folders = folders_of_debian(),
            .start = [](const local_plan& plan) { return std::make_unique<postgresql_database>(plan); }};
}

} // namespace redlock::tool
