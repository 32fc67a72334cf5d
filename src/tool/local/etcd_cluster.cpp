#include "local/etcd_cluster.hpp"

#include "local/server_process.hpp"
#include "process/descriptor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <sys/socket.h>
#include <sys/un.h>

namespace redlock::tool {
namespace {

// More losses of a port in a row than this have another cause.
constexpr int most_starts = 5;

struct etcd_member {
    std::string folder{};
    std::uint16_t port = 0; ///< for clients
    std::uint16_t peer_port = 0;
    std::optional<server_process> process{};
};

/// The name of its Unix socket, in its folder; etcd wants it to look like a host with a port.
constexpr std::string_view socket_name = "health:0";

// Over the Unix socket: whoever else may sit on that port cannot answer here. It is one of those questions
// that a member answers only with a majority behind it.
bool is_healthy(const etcd_member& m) {
    const descriptor socket(checked(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket"));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string path = fmt::format("{}/{}", m.folder, socket_name);
    if (path.size() >= sizeof address.sun_path) throw std::runtime_error(m.folder + " is too long a name");
    path.copy(address.sun_path, path.size());
    const timeval limit{1, 0};
    ::setsockopt(socket.number(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    if (::connect(socket.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
        return false;
    constexpr std::string_view question = "GET /health HTTP/1.0\r\n\r\n";
    if (::send(socket.number(), question.data(), question.size(), MSG_NOSIGNAL) < 0) return false;
    std::string answer;
    std::array<char, 512> piece{};
    constexpr std::size_t longest = 4096;
    while (answer.size() < longest) {
        const auto size = ::recv(socket.number(), piece.data(), piece.size(), 0);
        if (size <= 0) break;
        answer.append(piece.data(), static_cast<std::size_t>(size));
    }
    return answer.find("\"health\":\"true\"") != answer.npos;
}

class etcd_cluster final : public local_servers {
public:
    explicit etcd_cluster(const local_plan& plan) : plan_(plan) {}

    bool ready() override;
    std::string addresses() const override;

private:
    void launch();
    void write_configuration(const etcd_member& of, const std::string& cluster) const;
    std::uint16_t another_port();

    const local_plan plan_;
    std::vector<etcd_member> members_{}; ///< empty before the start
    std::vector<std::uint16_t> ports_{}; ///< of all of them
    int starts_ = 0;
};

// All of them once more, when one has lost its port: each was told those of the others.
bool etcd_cluster::ready() {
    if (members_.empty()) launch();
    for (etcd_member& m : members_) {
        if (!m.process->ended()) continue;
        const std::string words = last_words(m.folder);
        const bool late = words.find("address already in use") != words.npos;
        if (!late || starts_ == most_starts) throw std::runtime_error("a server does not start: " + words);
        launch();
        return false;
    }
    return std::ranges::all_of(members_, is_healthy);
}

std::uint16_t etcd_cluster::another_port() {
    std::uint16_t port = free_port();
    while (std::ranges::find(ports_, port) != ports_.end())
        port = free_port();
    return ports_.emplace_back(port);
}

void etcd_cluster::launch() {
    ++starts_;
    members_.clear();
    ports_.clear();
    std::string cluster;
    for (std::uint64_t i = 0; i < plan_.count; ++i) {
        etcd_member& m = members_.emplace_back();
        m.folder = fmt::format("{}/{}", plan_.folder, i);
        m.port = another_port();
        m.peer_port = another_port();
        cluster += fmt::format("{}{}=http://127.0.0.1:{}", i == 0 ? "" : ",", i, m.peer_port);
    }
    for (etcd_member& m : members_) {
        std::filesystem::remove_all(m.folder);
        std::filesystem::create_directory(m.folder);
        write_configuration(m, cluster);
        m.process.emplace(
            server_command{.words = {plan_.server, "--config-file=etcd.yaml"}, .folder = m.folder});
    }
}

void etcd_cluster::write_configuration(const etcd_member& of, const std::string& cluster) const {
    const std::string path = of.folder + "/etcd.yaml";
    std::ofstream file(path);
    file << fmt::format("name: '{}'\n", std::filesystem::path(of.folder).filename().string())
         << fmt::format("initial-cluster: '{}'\n", cluster)
         << fmt::format("listen-client-urls: 'http://127.0.0.1:{},unix://{}'\n", of.port, socket_name)
         << fmt::format("advertise-client-urls: 'http://127.0.0.1:{}'\n", of.port)
         << fmt::format("listen-peer-urls: 'http://127.0.0.1:{}'\n", of.peer_port)
         << fmt::format("initial-advertise-peer-urls: 'http://127.0.0.1:{}'\n", of.peer_port)
         // Known from 3.5 on.
         << "data-dir: data\nunsafe-no-fsync: true\n";
    for (const std::string& line : plan_.directives)
        file << line << '\n';
    if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

std::string etcd_cluster::addresses() const {
    std::string all = "etcd://";
    for (const etcd_member& m : members_)
        all += fmt::format("{}127.0.0.1:{}", &m == &members_.front() ? "" : ",", m.port);
    return all;
}

} // namespace

local_engine etcd_engine() {
    return {.name = "etcd",
            .program = "etcd",
            .package = "etcd-server",
            .told = "an empty cluster, of one member unless --nodes says another number, of which 7 is the "
                    "largest; each sets 128 MB aside on the disk",
            .usual_count = 1,
            .most = 7,
            .start = [](const local_plan& plan) { return std::make_unique<etcd_cluster>(plan); }};
}

} // namespace redlock::tool
