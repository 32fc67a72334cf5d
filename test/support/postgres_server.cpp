#include "support/postgres_server.hpp"

#include "support/child_process.hpp"
#include "support/eventually.hpp"
#include "support/loopback_port.hpp"
#include "support/process_table.hpp"
#include "support/system_error.hpp"

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
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
    return std::string(REDLOCK_POSTGRESQL_PROGRAMS) + "/" + name;
}

} // namespace

postgres_server::postgres_server(std::vector<std::string> settings) : settings_(std::move(settings)) {
    choose_owner();
    run({program_of_postgres("initdb"), "--pgdata=" + data(), "--username=redlock", "--auth=trust",
         "--no-sync"},
        "initdb");
    launch();
}

postgres_server::postgres_server(standby_of other) : settings_(other.primary.settings_) {
    choose_owner();
    copy(other.primary);
    launch();
}

postgres_server::~postgres_server() {
    if (!server_) return;
    signal_all(SIGCONT);
    crash();
}

// The owner need not be allowed into the folder that the test runs in. Should the test die, its server ends
// in a way that leaves no shared memory behind; a change of user makes the kernel forget the signal that
// `process` asked for.
void postgres_server::choose_owner() {
    const std::string folder = folder_.path();
    owner_prefix_ = {"env", "--chdir=" + folder, "LC_ALL=C", "setpriv", "--pdeathsig=QUIT"};
    if (::geteuid() != 0) return;
    const passwd& user = unprivileged_user();
    if (::chown(folder.c_str(), user.pw_uid, user.pw_gid) != 0) throw_errno("chown " + folder);
    owner_prefix_.insert(owner_prefix_.end(), {"--reuid=" + std::to_string(user.pw_uid),
                                               "--regid=" + std::to_string(user.pw_gid), "--clear-groups"});
}

void postgres_server::launch() {
    port_ = free_loopback_port();
    start();
}

void postgres_server::start() {
    const file_descriptor log = open_log();
    std::vector<std::string> command = {program_of_postgres("postgres"),
                                        "-D",
                                        data(),
                                        "-k",
                                        folder_.path(),
                                        "-p",
                                        std::to_string(port_),
                                        "-c",
                                        "listen_addresses=127.0.0.1",
                                        "-c",
                                        "fsync=off",
                                        "-c",
                                        "shared_buffers=16MB"};
    for (const std::string& s : settings_)
        command.insert(command.end(), {"-c", s});
    server_.emplace(as_owner(std::move(command)), standard_streams{.output = log.get(), .error = log.get()});
    if (!eventually([&] { return answers(); })) fail("the server does not start");
}

bool postgres_server::answers() const {
    return process({program_of_postgres("pg_isready"), "--quiet", "--dbname=" + conninfo()}, {})
               .wait(patience) == 0;
}

void postgres_server::run(const std::vector<std::string>& command, const std::string& what) const {
    const file_descriptor log = open_log();
    const standard_streams streams{.output = log.get(), .error = log.get()};
    if (process(as_owner(command), streams).wait(initdb_patience) != 0)
        fail(what + " fails or does not come to its end");
}

void postgres_server::signal_all(int signal) const {
    std::vector<int> all = children_of(server_->pid());
    all.insert(all.begin(), server_->pid());
    for (const int pid : all)
        ::kill(pid, signal);
}

// A process that is made meanwhile is one of a connection, and waits for the first. None of the others may be
// about to answer still when this returns.
void postgres_server::stop() {
    signal_all(SIGSTOP);
    std::vector<int> all = children_of(server_->pid());
    all.push_back(server_->pid());
    const auto none_runs = [&] {
        return std::ranges::all_of(all, [](int pid) { return state_of(pid) == 'T' || has_ended(pid); });
    };
    if (!eventually(none_runs)) fail("a process does not stop");
}

void postgres_server::resume() { signal_all(SIGCONT); }

void postgres_server::crash() {
    ::kill(server_->pid(), SIGQUIT);
    if (!server_->wait(patience)) server_->kill();
}

void postgres_server::promote() const {
    run({program_of_postgres("pg_ctl"), "promote", "--wait", "--pgdata=" + data()}, "pg_ctl promote");
}

void postgres_server::copy(const postgres_server& primary) const {
    run({program_of_postgres("pg_basebackup"), "--dbname=" + primary.conninfo(), "--pgdata=" + data(),
         "--write-recovery-conf", "--checkpoint=fast", "--no-sync"},
        "pg_basebackup");
}

void postgres_server::follow(const postgres_server& primary) {
    std::filesystem::remove_all(data());
    copy(primary);
    start();
}

std::string postgres_server::conninfo() const {
    return "host=" + folder_.path().string() + " port=" + std::to_string(port_) +
           " user=redlock dbname=postgres";
}

std::string postgres_server::uri_over(std::uint16_t port) {
    return "postgresql://redlock@127.0.0.1:" + std::to_string(port) + "/postgres";
}

std::string postgres_server::unix_uri() const {
    return "postgresql://redlock@/postgres?host=" + folder_.path().string() +
           "&port=" + std::to_string(port_);
}

std::vector<std::string> postgres_server::query(const std::string& statement) const {
    child_process client(psql(statement));
    std::vector<std::string> lines;
    while (auto line = client.read_line(patience))
        lines.push_back(std::move(*line));
    if (client.wait(patience) != 0) fail("psql fails at " + statement);
    return lines;
}

std::unique_ptr<process> postgres_server::lock_table(const std::string& table,
                                                     std::chrono::milliseconds how_long) const {
    const double seconds = std::chrono::duration<double>(how_long).count();
    const std::string statements =
        "BEGIN; LOCK TABLE " + table + "; SELECT pg_sleep(" + std::to_string(seconds) + "); COMMIT";
    return std::make_unique<process>(psql(statements), standard_streams{});
}

void postgres_server::add_spent_rows(int count) const {
    query("INSERT INTO redlock (key, token, fence, expires) SELECT convert_to('old' || i, 'UTF8'), NULL, 1, "
          "clock_timestamp() - interval '2 minutes' FROM generate_series(1, " +
          std::to_string(count) + ") AS i");
}

bool postgres_server::has_locked_table() const {
    return query(
               "SELECT count(*) FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND granted AND relation = "
               "'redlock'::regclass")
               .at(0) == "1";
}

std::vector<std::string> postgres_server::psql(const std::string& statement) const {
    return {program_of_postgres("psql"), "--no-psqlrc",           "--quiet", "--tuples-only", "--no-align",
            "--dbname=" + conninfo(),    "--command=" + statement};
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
