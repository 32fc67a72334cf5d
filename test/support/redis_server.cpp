#include "support/redis_server.hpp"

#include "support/eventually.hpp"
#include "support/loopback_port.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace redlock::test {
namespace {

using std::chrono::milliseconds;

// Several tests may choose a port at the same moment; more losses than this in a row have another cause.
constexpr int launch_attempts = 5;

std::string program() {
    const char* named = std::getenv("REDLOCK_TEST_SERVER");
    return named ? named : "redis-server";
}

bool names_port_in_use(const std::string& log) {
    return log.find("Address already in use") != std::string::npos;
}

} // namespace

redis_server::redis_server(redis_options options) : redis_server(std::move(options), without_waiting{}) {
    await_ready();
}

redis_server::redis_server(redis_options options, without_waiting) : options_(std::move(options)) {
    launch();
}

std::string redis_server::configuration() const {
    const bool keep = options_.persistent;
    std::string text =
        fmt::format("{}port {}\n"
                    "bind 127.0.0.1\n"
                    "unixsocket {}\n"
                    "dir {}\n"
                    "logfile {}\n"
                    "save \"\"\n"
                    "appendonly {}\n"
                    "appendfsync always\n"
                    "enable-debug-command local\n",
                    is_encrypted() ? "port 0\ntls-" : "", port_, socket_path(), folder_.path().string(),
                    (folder_.path() / "log").string(), keep ? "yes" : "no");
    if (!options_.password.empty()) text += fmt::format("requirepass \"{}\"\n", options_.password);
    if (const auto& tls = options_.tls)
        text += fmt::format("tls-cert-file {}\ntls-key-file {}\ntls-ca-cert-file {}\ntls-auth-clients {}\n",
                            tls->certificate, tls->key, tls->authority, tls->asks_clients ? "yes" : "no");
    if (options_.tls && !is_encrypted()) text += fmt::format("tls-port {}\n", second_port_);
    for (const auto& line : options_.directives)
        text += line + '\n';
    return text;
}

std::string redis_server::log() const {
    std::ifstream file(folder_.path() / "log");
    return {std::istreambuf_iterator<char>(file), {}};
}

void redis_server::launch() {
    if (!port_is_fixed_) {
        port_ = free_loopback_port();
        second_port_ = free_loopback_port();
    }
    const std::string file = folder_.path() / "redis.conf";
    // A file, not arguments: passwords do not belong on a command line.
    std::ofstream(file) << configuration();
    std::filesystem::remove(folder_.path() / "log");
    std::vector<std::string> command{program(), file};
    if (options_.sentinel) command.emplace_back("--sentinel");
    process_.emplace(command, standard_streams{});
}

// Over the Unix socket, which the server opens only after it got its port: whoever may sit on that port
// instead cannot answer here.
bool redis_server::answers() {
    try {
        redis_connection probe(socket_path());
        const redis_answer answer = probe.command({"PING"});
        return answer == "PONG" || answer.text.starts_with("NOAUTH");
    } catch (const std::system_error&) {
        return false;
    }
}

void redis_server::await_ready() {
    for (int attempt = 0; attempt < launch_attempts; ++attempt) {
        bool ended = false;
        const bool decided = eventually([&] {
            ended = process_->wait(milliseconds(0)).has_value();
            return ended || answers();
        });
        if (decided && !ended) {
            port_is_fixed_ = true;
            return;
        }
        if (!ended || !names_port_in_use(log())) break;
        launch();
    }
    throw std::runtime_error(program() + " does not start; its log: " + log());
}

std::string redis_server::uri() const { return fmt::format("{}://127.0.0.1:{}", scheme(), port_); }

std::string redis_server::uri(std::string_view user, std::string_view password) const {
    return fmt::format("{}://{}:{}@127.0.0.1:{}", scheme(), user, password, port_);
}

std::string redis_server::unix_uri() const { return "unix://" + socket_path(); }

std::string redis_server::tls_uri() const { return fmt::format("rediss://127.0.0.1:{}", second_port_); }

void redis_server::kill() noexcept {
    connection_.reset();
    process_->kill();
}

void redis_server::lose_data() {
    kill();
    std::filesystem::remove_all(folder_.path() / "appendonlydir");
    std::filesystem::remove(folder_.path() / "appendonly.aof"); // where Redis kept it before 7.0
}

void redis_server::restart() {
    kill();
    launch();
    await_ready();
}

redis_answer redis_server::command(const std::vector<std::string>& arguments) {
    const bool used = connection_.has_value();
    try {
        if (!connection_) {
            connection_.emplace(socket_path());
            if (!options_.password.empty()) connection_->command({"AUTH", options_.password});
        }
        return connection_->command(arguments);
    } catch (const std::system_error& e) {
        connection_.reset();
        // A server that changes its role ends all connections. What could not be sent was not executed.
        if (!used || e.code() != std::errc::broken_pipe) throw;
        return command(arguments);
    } catch (...) {
        // What is left of the conversation would be taken for the answer to the next command.
        connection_.reset();
        throw;
    }
}

redis_answer redis_server::checked(const std::vector<std::string>& arguments) {
    redis_answer answer = command(arguments);
    if (answer.is_error()) throw std::runtime_error(arguments[0] + ": " + answer.text);
    return answer;
}

std::optional<std::string> redis_server::get(const std::string& key) {
    redis_answer answer = checked({"GET", key});
    return answer.is_null() ? std::nullopt : std::optional(std::move(answer.text));
}

bool redis_server::exists(const std::string& key) { return checked({"EXISTS", key}) == 1; }

milliseconds redis_server::pttl(const std::string& key) {
    return milliseconds(checked({"PTTL", key}).integer);
}

std::int64_t redis_server::key_count() { return checked({"DBSIZE"}).integer; }

redis_answer redis_server::repeatable(const std::vector<std::string>& arguments) {
    try {
        return command(arguments);
    } catch (const std::system_error& e) {
        if (e.code() != std::errc::connection_reset) throw;
        return command(arguments);
    }
}

std::string redis_server::info(const std::string& field) {
    const redis_answer all = repeatable({"INFO", "everything"});
    if (all.is_error()) throw std::runtime_error("INFO: " + all.text);
    const std::string text = "\n" + all.text;
    const auto found = text.find("\n" + field + ":");
    if (found == std::string::npos) throw std::runtime_error("INFO has no " + field);
    const auto begin = found + field.size() + 2;
    return text.substr(begin, text.find('\r', begin) - begin);
}

std::string redis_server::product() {
    const bool valkey = checked({"INFO", "server"}).text.find("\nvalkey_version:") != std::string::npos;
    return valkey ? "valkey" : "redis";
}

std::string redis_server::version() { return info(product() + "_version"); }

} // namespace redlock::test
