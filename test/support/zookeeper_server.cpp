#include "support/zookeeper_server.hpp"

#include "support/eventually.hpp"
#include "support/file_descriptor.hpp"
#include "support/loopback_port.hpp"
#include "support/system_error.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <netinet/in.h>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/time.h>

namespace redlock::test {
namespace {

// A JVM on a machine that does much else.
constexpr auto start_patience = 3 * patience;
constexpr const char* class_path = "/usr/share/java/zookeeper.jar:/usr/share/java/slf4j-simple.jar";

} // namespace

zookeeper_server::zookeeper_server(settings s) : members_(s.servers) {
    std::string ensemble;
    for (std::size_t i = 0; i < members_.size(); ++i) {
        members_[i].port = free_loopback_port();
        const std::string name = std::to_string(i + 1);
        ensemble += "server." + name + "=127.0.0.1:" + std::to_string(free_loopback_port()) + ":" +
                    std::to_string(free_loopback_port()) + ";127.0.0.1:" + std::to_string(members_[i].port) +
                    "\n";
    }
    for (std::size_t i = 0; i < members_.size(); ++i) {
        std::filesystem::create_directory(folder_of(i));
        std::ofstream(folder_of(i) + "/myid") << i + 1 << '\n';
        std::ofstream file(folder_of(i) + "/zoo.cfg");
        file << "tickTime=" << s.tick << "\ninitLimit=50\nsyncLimit=30\ndataDir=" << folder_of(i)
             << "\nadmin.enableServer=false\n4lw.commands.whitelist=srvr,stat,cons,dump\nmaxClientCnxns=0\n";
        if (members_.size() == 1)
            file << "clientPort=" << members_[i].port << "\nclientPortAddress=127.0.0.1\n";
        else
            file << ensemble;
    }
    for (std::size_t i = 0; i < members_.size(); ++i)
        start(i);
    await_service();
}

zookeeper_server::~zookeeper_server() {
    for (std::size_t i = 0; i < members_.size(); ++i)
        if (members_[i].server) crash(i);
}

std::string zookeeper_server::folder_of(std::size_t server) const {
    return folder_.path() / std::to_string(server);
}

void zookeeper_server::start(std::size_t server) {
    const std::string log = folder_of(server) + "/log";
    const file_descriptor to(::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
    if (to.get() < 0) throw_errno("open " + log);
    members_[server].server.emplace(
        std::vector<std::string>{"java", "-Xmx128m", "-Xshare:auto", "-XX:+UseSerialGC",
                                 "-XX:TieredStopAtLevel=1", "-Dzookeeper.forceSync=no", "-cp", class_path,
                                 "org.apache.zookeeper.server.quorum.QuorumPeerMain",
                                 folder_of(server) + "/zoo.cfg"},
        standard_streams{.output = to.get(), .error = to.get()});
}

// A server answers before it has a leader, and names its mode when it has one.
void zookeeper_server::await_service() const {
    for (std::size_t i = 0; i < members_.size(); ++i)
        if (!eventually(start_patience, [&] { return say("srvr", i).find("Mode: ") != std::string::npos; }))
            fail("server " + std::to_string(i) + " does not start");
}

bool zookeeper_server::leads(std::size_t server) const {
    const std::string told = say("srvr", server);
    return told.find("Mode: leader") != told.npos || told.find("Mode: standalone") != told.npos;
}

std::size_t zookeeper_server::leader() const {
    for (std::size_t i = 0; i < members_.size(); ++i)
        if (leads(i)) return i;
    fail("nobody leads");
}

std::string zookeeper_server::say(const std::string& word, std::size_t server) const {
    const file_descriptor to(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const timeval limit{.tv_sec = 2, .tv_usec = 0};
    ::setsockopt(to.get(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_port = htons(members_[server].port);
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const auto* const address = reinterpret_cast<const sockaddr*>(&at);
    if (::connect(to.get(), address, sizeof at) != 0) return {};
    if (::send(to.get(), word.data(), word.size(), MSG_NOSIGNAL) < 0) return {};
    std::string all;
    char some[1024];
    for (;;) {
        const ssize_t n = ::recv(to.get(), some, sizeof some, 0);
        if (n <= 0) return all;
        all.append(some, static_cast<std::size_t>(n));
    }
}

std::string zookeeper_server::uri(const std::string& login, const std::string& rest) const {
    std::string all = "zookeeper://" + login;
    for (std::size_t i = 0; i < members_.size(); ++i)
        all += (i == 0 ? "" : ",") + std::string("127.0.0.1:") + std::to_string(members_[i].port);
    return all + rest;
}

void zookeeper_server::stop(std::size_t server) { members_[server].server->stop(); }

void zookeeper_server::resume(std::size_t server) { members_[server].server->resume(); }

void zookeeper_server::crash(std::size_t server) { members_[server].server->kill(); }

void zookeeper_server::fail(const std::string& what) const {
    std::string logs;
    for (std::size_t i = 0; i < members_.size(); ++i) {
        std::ifstream log(folder_of(i) + "/log");
        logs += std::string(std::istreambuf_iterator<char>(log), {});
    }
    throw std::runtime_error("ZooKeeper: " + what + "; its log: " + logs.substr(0, 4000));
}

} // namespace redlock::test
