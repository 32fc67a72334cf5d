#include "postgres_server.hpp"

#include "support/child_process.hpp"
#include "support/eventually.hpp"
#include "support/system_error.hpp"

#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <pwd.h>
#include <stdexcept>
#include <unistd.h>

namespace redlock::test {
namespace {

// initdb runs the server twice and writes some thousand files.
constexpr auto initdb_patience = 3 * patience;

const passwd& unprivileged_user() {
    for (const char* name : {"postgres", "nobody"})
        if (const passwd* user = ::getpwnam(name)) return *user;
    throw std::runtime_error("PostgreSQL does not run as root, and there is no user postgres or nobody");
}

std::string program_of_postgres(const std::string& name) {
    return std::string(REDLOCK_POSTGRESQL) + "/" + name;
}

} // namespace

postgres_server::postgres_server() {
    const std::string folder = folder_.path();
    // The owner need not be allowed into the folder that the test runs in. Should the test die, its server
    // ends in a way that leaves no shared memory behind; a change of user makes the kernel forget the signal
    // that `process` asked for.
    owner_prefix_ = {"env", "--chdir=" + folder, "LC_ALL=C", "setpriv", "--pdeathsig=QUIT"};
    if (::geteuid() == 0) {
        const passwd& user = unprivileged_user();
        if (::chown(folder.c_str(), user.pw_uid, user.pw_gid) != 0) throw_errno("chown " + folder);
        owner_prefix_.insert(owner_prefix_.end(),
                             {"--reuid=" + std::to_string(user.pw_uid),
                              "--regid=" + std::to_string(user.pw_gid), "--clear-groups"});
    }
    const file_descriptor log = open_log();
    const standard_streams streams{.output = log.get(), .error = log.get()};
    const auto initdb = as_owner({program_of_postgres("initdb"), "--pgdata=" + folder + "/data",
                                  "--username=redlock", "--auth=trust", "--no-sync"});
    if (process(initdb, streams).wait(initdb_patience) != 0) fail("initdb fails or does not come to its end");
    server_.emplace(as_owner({program_of_postgres("postgres"), "-D", folder + "/data", "-k", folder, "-p",
                              "5432", "-c", "listen_addresses=", "-c", "fsync=off"}),
                    streams);
    const std::vector<std::string> probe = {program_of_postgres("pg_isready"), "--dbname=" + conninfo()};
    const bool ready = eventually([&] { return process(probe, {}).wait(patience) == 0; });
    if (!ready) fail("the server does not start");
}

postgres_server::~postgres_server() {
    ::kill(server_->pid(), SIGQUIT);
    server_->wait(patience);
}

std::string postgres_server::conninfo() const {
    return "host=" + folder_.path().string() + " port=5432 user=redlock dbname=postgres";
}

std::vector<std::string> postgres_server::query(const std::string& statement) const {
    child_process psql({program_of_postgres("psql"), "--no-psqlrc", "--tuples-only", "--no-align",
                        "--dbname=" + conninfo(), "--command=" + statement});
    std::vector<std::string> lines;
    while (auto line = psql.read_line(patience))
        lines.push_back(std::move(*line));
    if (psql.wait(patience) != 0) fail("psql fails at " + statement);
    return lines;
}

std::vector<std::string> postgres_server::as_owner(std::vector<std::string> command) const {
    command.insert(command.begin(), owner_prefix_.begin(), owner_prefix_.end());
    return command;
}

file_descriptor postgres_server::open_log() const {
    const std::string path = folder_.path() / "log";
    file_descriptor log(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
    if (log.get() < 0) throw_errno("open " + path);
    return log;
}

void postgres_server::fail(const std::string& what) const {
    std::ifstream log(folder_.path() / "log");
    throw std::runtime_error("PostgreSQL: " + what +
                             "; its log: " + std::string(std::istreambuf_iterator<char>(log), {}));
}

} // namespace redlock::test
