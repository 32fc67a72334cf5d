#include "local/zookeeper_ensemble.hpp"

#include "local/local_server.hpp"

#include <fmt/format.h>

#include <arpa/inet.h>
#include <array>
#include <filesystem>
#include <fstream>
#include <netinet/in.h>
#include <stdexcept>
#include <string_view>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

namespace redlock::tool {
namespace {

// Where Debian's package has it; the manifest of the jar names the others.
constexpr const char* zookeeper_jar = "/usr/share/java/zookeeper.jar";
constexpr const char* zookeeper_class_path = "/usr/share/java/zookeeper.jar:/usr/share/java/slf4j-simple.jar";

/// The answer to `srvr`, as far as it comes at once; empty where nobody answers.
std::string status_over(std::uint16_t port) {
    const int to = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (to < 0) return {};
    const timeval limit{.tv_sec = 0, .tv_usec = 200'000};
    ::setsockopt(to, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    ::setsockopt(to, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_port = htons(port);
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    constexpr std::string_view word = "srvr";
    constexpr std::size_t longest = 4096;
    std::string all;
    if (::connect(to, reinterpret_cast<const sockaddr*>(&at), sizeof at) == 0 &&
        ::send(to, word.data(), word.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(word.size())) {
        std::array<char, 512> some;
        ssize_t n = 0;
        while (all.size() < longest && (n = ::recv(to, some.data(), some.size(), 0)) > 0)
            all.append(some.data(), static_cast<std::size_t>(n));
    }
    ::close(to);
    return all;
}

class zookeeper_server final : public local_server {
public:
    explicit zookeeper_server(const local_plan& plan)
        : local_server(plan.folder), java_(plan.server), directives_(plan.directives) {
        if (!std::filesystem::exists(zookeeper_jar))
            throw std::runtime_error(fmt::format(
                "there is no {}, which --engine zookeeper runs; on Debian it is in the package zookeeper",
                zookeeper_jar));
    }

private:
    server_command prepare(std::uint16_t port) override {
        const std::string file = folder() + "/zoo.cfg";
        std::ofstream to(file);
        to << fmt::format("clientPort={}\nclientPortAddress=127.0.0.1\ndataDir={}/data\n", port, folder())
           << "tickTime=500\nadmin.enableServer=false\n4lw.commands.whitelist=srvr\nmaxClientCnxns=0\n";
        for (const std::string& line : directives_)
            to << line << '\n';
        if (!to.flush()) throw std::runtime_error("cannot write " + file);
        return {.words = {java_, "-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
                          "-Dzookeeper.forceSync=no", "-cp", zookeeper_class_path,
                          "org.apache.zookeeper.server.quorum.QuorumPeerMain", file},
                .folder = folder()};
    }
    bool answers() const override { return status_over(port()).find("Mode: ") != std::string::npos; }

    const std::string java_;
    const std::vector<std::string> directives_;
};

class zookeeper_ensemble final : public local_servers {
public:
    explicit zookeeper_ensemble(const local_plan& plan) : server_(plan) {}

    bool ready() override { return server_.ready(); }
    std::string addresses() const override { return fmt::format("zookeeper://127.0.0.1:{}", server_.port()); }

private:
    zookeeper_server server_;
};

} // namespace

local_engine zookeeper_engine() {
    return {.name = "zookeeper",
            .program = "java",
            .package = "default-jre-headless",
            .told = "an ensemble of one server without data, which does not wait for the disk",
            .start = [](const local_plan& plan) { return std::make_unique<zookeeper_ensemble>(plan); }};
}

} // namespace redlock::tool
