#include "support/etcd_server.hpp"

#include "support/eventually.hpp"
#include "support/loopback_port.hpp"
#include "support/system_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>

namespace redlock::test {
namespace {

/// A member sets 128 MB of its log aside, and waits for the disk with each write.
std::filesystem::path folder_for_data(std::size_t members) {
    const std::filesystem::path in_memory = "/dev/shm";
    std::error_code failure;
    const auto room = std::filesystem::space(in_memory, failure);
    const bool fits = !failure && room.available > (members + 1) * 512 * 1024 * 1024;
    return fits ? in_memory : std::filesystem::temp_directory_path();
}

std::string etcd_program() {
    const char* const other = std::getenv("REDLOCK_TEST_ETCD");
    return other ? other : REDLOCK_ETCD_SERVER;
}

std::string content_of(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// As members put it into requests to each other.
std::string in_hexadecimal(const std::string& id) { return fmt::format("{:x}", std::stoull(id)); }

} // namespace

etcd_server::etcd_server(etcd_options options)
    : options_(std::move(options)), folder_(folder_for_data(options_.members)) {
    // Somebody may have been faster at one of the ports.
    for (int attempt = 1;; ++attempt) {
        launch();
        const bool ready =
            eventually([&] { return one_ended() || named_leader(options_.members, std::nullopt); });
        if (ready && !one_ended()) break;
        if (!ready || attempt == 3) fail("the cluster does not start");
    }
    name_members();
    if (!options_.root_password.empty()) enable_logins();
}

etcd_server::~etcd_server() = default;

void etcd_server::launch() {
    members_.clear();
    links_.reset();
    std::vector<std::uint16_t> own_peer_ports;
    for (std::size_t i = 0; i < options_.members; ++i) {
        std::filesystem::remove_all(folder_of(i));
        std::filesystem::create_directory(folder_of(i));
        members_.push_back(std::make_unique<member>());
        members_[i]->port = free_loopback_port();
        members_[i]->own_peer_port = free_loopback_port();
        own_peer_ports.push_back(members_[i]->own_peer_port);
    }
    if (options_.members > 1) links_ = std::make_unique<member_links>(own_peer_ports);
    for (std::size_t i = 0; i < options_.members; ++i)
        start(i);
}

std::uint16_t etcd_server::peer_port(std::size_t of) const {
    return links_ ? links_->port(of) : members_[of]->own_peer_port;
}

std::vector<std::string> etcd_server::arguments_of(std::size_t of) const {
    std::vector<std::string> peers;
    for (std::size_t i = 0; i < members_.size(); ++i)
        peers.push_back(fmt::format("m{}=http://127.0.0.1:{}", i, peer_port(i)));
    const std::string clients = fmt::format("{}://127.0.0.1:{}", scheme(), members_[of]->port);
    std::vector<std::string> all{
        etcd_program(),
        fmt::format("--name=m{}", of),
        "--data-dir=" + folder_of(of) + "/data",
        "--listen-client-urls=" + clients,
        "--advertise-client-urls=" + clients,
        fmt::format("--listen-peer-urls=http://127.0.0.1:{}", members_[of]->own_peer_port),
        fmt::format("--initial-advertise-peer-urls=http://127.0.0.1:{}", peer_port(of)),
        fmt::format("--initial-cluster={}", fmt::join(peers, ",")),
        "--logger=zap"};
    if (options_.tls) {
        all.insert(all.end(),
                   {"--cert-file=" + options_.tls->certificate, "--key-file=" + options_.tls->key});
        if (options_.tls->asks_clients)
            all.insert(all.end(), {"--client-cert-auth", "--trusted-ca-file=" + options_.tls->authority});
    }
    all.insert(all.end(), options_.arguments.begin(), options_.arguments.end());
    return all;
}

void etcd_server::start(std::size_t of) {
    const file_descriptor log = open_log(folder_of(of) + "/log");
    members_[of]->running.emplace(arguments_of(of),
                                  standard_streams{.output = log.get(), .error = log.get()});
    members_[of]->is_stopped = false;
}

bool etcd_server::one_ended() {
    return std::ranges::any_of(
        members_, [](const auto& m) { return m->running && m->running->wait(std::chrono::milliseconds(0)); });
}

void etcd_server::name_members() {
    for (std::size_t i = 0; i < members_.size(); ++i) {
        const auto id = status(i, "MemberID");
        if (!id) fail("a member does not say who it is");
        members_[i]->id = *id;
        if (links_) links_->name(i, in_hexadecimal(*id));
    }
}

void etcd_server::enable_logins() {
    control({"user", "add", "root:" + options_.root_password});
    control({"auth", "enable"});
    has_logins_ = true;
    // Members hear of it one by one.
    await_ready();
}

void etcd_server::add_user(const std::string& name, const std::string& password, const std::string& prefix) {
    control({"user", "add", name + ":" + password});
    control({"role", "add", name});
    control({"role", "grant-permission", "--prefix=true", name, "readwrite", prefix});
    control({"user", "grant-role", name, name});
}

void etcd_server::stop(std::size_t of) {
    members_[of]->running->stop();
    members_[of]->is_stopped = true;
}

void etcd_server::resume(std::size_t of) {
    members_[of]->running->resume();
    members_[of]->is_stopped = false;
}

void etcd_server::kill(std::size_t of) { members_[of]->running.reset(); }

void etcd_server::cut_off(std::size_t of) {
    links_->cut_off(of);
    members_[of]->is_cut_off = true;
}

void etcd_server::join() {
    links_->join();
    for (const auto& each : members_)
        each->is_cut_off = false;
}

std::string etcd_server::uri() const { return uri({}, {}); }

std::string etcd_server::uri(std::string_view user, std::string_view password) const {
    std::vector<std::uint16_t> ports;
    for (const auto& each : members_)
        ports.push_back(each->port);
    const std::string login = user.empty() ? "" : fmt::format("{}:{}@", user, password);
    return uri_over(ports, login);
}

std::string etcd_server::uri_over(const std::vector<std::uint16_t>& ports, const std::string& login) const {
    std::string hosts;
    for (const std::uint16_t port : ports)
        hosts += fmt::format("{}127.0.0.1:{}", hosts.empty() ? "" : ",", port);
    return fmt::format("{}://{}{}", options_.tls ? "etcds" : "etcd", login, hosts);
}

file_descriptor etcd_server::open_log(const std::string& path) const {
    file_descriptor log(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
    if (log.get() < 0) throw_errno("open " + path);
    return log;
}

void etcd_server::fail(const std::string& what) const {
    constexpr std::size_t longest = 2000;
    std::string logs;
    for (std::size_t i = 0; i < members_.size(); ++i) {
        const std::string log = content_of(folder_of(i) + "/log");
        logs += fmt::format("\nmember {}: …{}", i, log.substr(log.size() - std::min(log.size(), longest)));
    }
    throw std::runtime_error("etcd: " + what + logs);
}

} // namespace redlock::test
